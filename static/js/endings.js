// A notice of the browser when a job of the reader's is over, while some page of the lab is open: for who asked for
// it by the button on the page of notifications. The bell (polling.js) asks; a notice of two tabs is one, by its tag.
const KEY = "endings";
const SEEN = "endings-seen";
const button = document.querySelector("[data-endings]");
const isKnown = "Notification" in window;
const isOn = () => isKnown && Notification.permission === "granted" && localStorage.getItem(KEY) === "on";

function draw() {
  button.hidden = !isKnown;
  button.setAttribute("aria-pressed", String(isOn()));
  button.textContent = `Notices of this browser: ${isOn() ? "on" : "off"}`;
  if (isKnown && Notification.permission === "denied")
    button.title = "Your browser does not allow notices from this page; its settings can change that.";
}

async function toggle() {
  if (isOn()) localStorage.setItem(KEY, "off");
  else if ((await Notification.requestPermission()) === "granted") localStorage.setItem(KEY, "on");
  draw();
}

function tell({ newest, words, unseen }) {
  const isNew = Number(newest) > Number(localStorage.getItem(SEEN) ?? 0);
  if (!isNew || !Number(unseen)) return;
  localStorage.setItem(SEEN, newest);
  if (!isOn()) return;
  const notice = new Notification("Meeple Lab", { body: words, tag: `ending-${newest}` });
  notice.addEventListener("click", () => {
    window.focus();
    notice.close();
    location.assign("/notifications/");
  });
}

const bell = document.getElementById("bell");
if (bell) {
  tell(bell.dataset);
  document.body.addEventListener(
    "htmx:afterSettle",
    ({ detail }) => detail.elt.id === "bell" && tell(detail.elt.dataset),
  );
}
if (button) {
  button.addEventListener("click", toggle);
  draw();
}
