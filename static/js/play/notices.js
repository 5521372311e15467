// A notice of the browser when it is one's turn and the tab is hidden: only for who asked for it by the button.
const KEY = "notices";

export class Notices {
  constructor(heading) {
    this.heading = heading;
    this.button = document.querySelector("[data-notices]");
    if (!this.button) return;
    this.button.hidden = !("Notification" in window);
    this.button.addEventListener("click", () => this.toggle());
    this.draw();
  }

  get isOn() {
    return "Notification" in window && Notification.permission === "granted" && localStorage.getItem(KEY) === "on";
  }

  async toggle() {
    if (this.isOn) localStorage.setItem(KEY, "off");
    else if ((await Notification.requestPermission()) === "granted") localStorage.setItem(KEY, "on");
    this.draw();
  }

  draw() {
    this.button?.setAttribute("aria-pressed", String(this.isOn));
    if ("Notification" in window && Notification.permission === "denied" && this.button) {
      this.button.title = "Your browser does not allow notices from this page; its settings can change that.";
    }
  }

  /** It is the reader's turn. */
  tell(words) {
    if (!this.isOn || !document.hidden) return;
    const notice = new Notification(this.heading, { body: words, tag: location.pathname });
    notice.addEventListener("click", () => {
      window.focus();
      notice.close();
    });
  }
}
