// The waiting room: seats fill under one's eyes, and the page becomes the board when it begins.
import { Wire } from "./wire.js";

const room = document.querySelector("[data-room]");
if (room) {
  const wire = new Wire(room.dataset, Number(room.dataset.version));
  wire.addEventListener("gone", () => location.reload());
  wire.addEventListener("state", ({ detail }) => {
    if (detail.status !== "open") return location.reload();
    room.innerHTML = detail.panel.room;
    const status = document.getElementById("status");
    if (status) status.textContent = detail.words.why;
    return undefined;
  });
  wire.listen();
}
