// "Copy link" on a shared page; without a clipboard the button stays away.
for (const button of document.querySelectorAll("[data-copy-address]")) {
  button.hidden = !navigator.clipboard;
  button.addEventListener("click", async () => {
    const words = button.textContent;
    await navigator.clipboard.writeText(button.dataset.copyAddress);
    button.textContent = "Link copied";
    setTimeout(() => (button.textContent = words), 1600);
  });
}
