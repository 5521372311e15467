// Fingers and mouse on a view that can be moved and zoomed: a drag, two fingers, and the click that a
// drag ends with, which presses nothing. What a view may do is the view's own business.
const CLICK_PX = 6; // a pointer that went further has dragged

export class Gestures {
  /**
   * element: what is touched; view: {isMovable, move(dx, dy), zoom(factor, x, y), drag(is)}.
   * isOther(target): whether something lies there that is no part of the view.
   */
  constructor(element, view, isOther) {
    this.element = element;
    this.view = view;
    this.isOther = isOther;
    this.fingers = new Map();
    this.hasDragged = false;
    element.addEventListener("pointerdown", (event) => this.press(event));
    element.addEventListener("pointermove", (event) => this.drag(event));
    for (const end of ["pointerup", "pointercancel", "pointerleave"])
      element.addEventListener(end, (event) => this.release(event));
    element.addEventListener("click", (event) => this.swallow(event), { capture: true });
  }

  get spread() {
    const [a, b] = [...this.fingers.values()];
    return { gap: Math.hypot(a.x - b.x, a.y - b.y), x: (a.x + b.x) / 2, y: (a.y + b.y) / 2 };
  }

  press(event) {
    if (event.button > 0 || this.isOther(event.target)) return;
    if (event.isPrimary) this.fingers.clear(); // one whose end went astray: the drawing was replaced under it
    if (!this.fingers.size) [this.went, this.hasDragged] = [0, false];
    this.fingers.set(event.pointerId, { x: event.clientX, y: event.clientY });
    if (this.fingers.size === 2) this.held = this.spread;
  }

  drag(event) {
    const finger = this.fingers.get(event.pointerId);
    if (!finger) return;
    const [dx, dy] = [event.clientX - finger.x, event.clientY - finger.y];
    Object.assign(finger, { x: event.clientX, y: event.clientY });
    this.went += Math.hypot(dx, dy);
    if (this.fingers.size === 2) {
      this.hasDragged = true;
      const now = this.spread;
      this.view.move(now.x - this.held.x, now.y - this.held.y);
      this.view.zoom(now.gap / this.held.gap, now.x, now.y);
      this.held = now;
    } else if (this.view.isMovable && this.went > CLICK_PX) {
      if (!this.hasDragged) this.element.setPointerCapture(event.pointerId);
      this.hasDragged = true;
      this.view.drag(true);
      this.view.move(dx, dy);
    }
  }

  release(event) {
    this.fingers.delete(event.pointerId);
    if (!this.fingers.size) this.view.drag(false);
  }

  /** A drag that ends on a button of the drawing has not pressed it. */
  swallow(event) {
    if (event.detail && this.hasDragged && !this.isOther(event.target)) event.stopPropagation();
    this.hasDragged = false;
  }
}
