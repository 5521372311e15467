// What has been chosen of an action so far. The legal actions, spelt in parts, narrow with every
// part; nothing here touches the page. A "turn" step takes its first value at once, a step with a
// default takes that, a part that leaves nothing to choose is taken by itself; all of these go when
// the part before them is taken back.
export class Choice {
  /** actions: [{id, notation, parts: [{name, value, label}]}]; steps: [{name, label, ask, kind, default}]. */
  constructor(actions, steps) {
    this.actions = actions;
    this.steps = new Map(steps.map((step) => [step.name, step]));
    this.taken = []; // parts, those taken by hand with isOwn
  }

  get values() {
    return this.taken.map((part) => part.value);
  }

  /** Whether the chosen values begin with these. */
  beginsWith(values) {
    return values.every((value, depth) => this.taken[depth]?.value === value);
  }

  /** The parts one may choose after the first `depth` chosen ones. */
  options(depth = this.taken.length) {
    const head = this.values.slice(0, depth);
    const found = new Map();
    for (const { parts } of this.actions) {
      if (!parts[depth] || !head.every((value, place) => parts[place]?.value === value)) continue;
      if (!found.has(parts[depth].value)) found.set(parts[depth].value, parts[depth]);
    }
    return [...found.values()];
  }

  /** Those of them that are buttons. */
  buttons(depth = this.taken.length) {
    return this.options(depth).filter(({ name }) => this.steps.get(name)?.kind === "choice");
  }

  /** The step that is asked for next; null where the action is whole. */
  get step() {
    return this.stepAt(this.taken.length);
  }

  /** The step whose part was taken last. */
  get lastStep() {
    return this.steps.get(this.taken.at(-1)?.name) ?? null;
  }

  /** What the button says that plays what is chosen: "Buy", beside the card that is shown. */
  get deed() {
    return (this.action && this.lastStep?.deed) || "Confirm";
  }

  stepAt(depth) {
    const [part] = this.options(depth);
    return part ? (this.steps.get(part.name) ?? null) : null;
  }

  /** The action that is spelt by what has been chosen; null where a part is missing. */
  get action() {
    const whole = ({ parts }) => parts.length === this.taken.length && this.beginsWith(parts.map((part) => part.value));
    return this.actions.find(whole) ?? null;
  }

  /** Whether one action alone is possible. */
  get isOnly() {
    return this.actions.length === 1;
  }

  /** Whether the action is whole and nothing that was taken by itself could still be turned. */
  get isSettled() {
    if (!this.action || this.step) return false;
    const lastOwn = this.taken.findLastIndex((part) => part.isOwn);
    return !this.taken.some((part, depth) => depth > lastOwn && (this.isTurn(depth) || this.isDefault(depth)));
  }

  /** Whether what was taken there is the step's default, and something else was possible. */
  isDefault(depth) {
    const part = this.taken[depth];
    return Boolean(part?.value) && part.value === this.steps.get(part.name)?.default && this.options(depth).length > 1;
  }

  /** The step that is asked for, or the last one whose default stands unless somebody chooses. */
  get open() {
    const last = this.taken.length - 1;
    return this.step ?? (this.isDefault(last) && !this.taken[last].isOwn ? this.stepAt(last) : null);
  }

  /** What the open step asks; empty where none is open. */
  get question() {
    if (!this.open) return "";
    const [start, words] = this.open.besides ?? [];
    const isBesides = words && this.options().some(({ value }) => value.startsWith(start));
    return isBesides ? words : this.open.ask;
  }

  isTurn(depth) {
    return this.stepAt(depth)?.kind === "turn" && this.options(depth).length > 1;
  }

  /** Choose a value after the first `depth` chosen ones; false where it is not legal. */
  choose(value, depth = this.taken.length) {
    const part = this.options(depth).find((option) => option.value === value);
    if (!part) return false;
    this.taken.length = depth;
    this.taken.push({ ...part, isOwn: true });
    this.settle();
    return true;
  }

  settle() {
    for (let options = this.options(); options.length; options = this.options()) {
      const standing = options.find(({ value }) => value && value === this.step?.default);
      if (!standing && this.step?.kind !== "turn" && (options.length > 1 || this.action)) return;
      this.taken.push({ ...(standing ?? options[0]), isOwn: false });
    }
  }

  /** Depth of the part that can be turned; -1 where none can. */
  get turnDepth() {
    return this.taken.findLastIndex((part, depth) => this.isTurn(depth));
  }

  /** What was chosen, by which `restore` takes it again. */
  get stored() {
    return this.taken.map(({ value, isOwn }) => [value, isOwn]);
  }

  /** Take again what was `stored`; false, with nothing taken, where a part of it is not legal. */
  restore(stored) {
    this.taken = [];
    for (const [value, isOwn] of stored) {
      const part = this.options().find((option) => option.value === value);
      if (!part) {
        this.taken = [];
        return false;
      }
      this.taken.push({ ...part, isOwn });
    }
    return this.taken.length > 0;
  }

  /** Take the next value of the last "turn" step, or the one before (by: -1); what was chosen after it goes. */
  turn(by = 1) {
    const depth = this.turnDepth;
    if (depth < 0) return false;
    const options = this.options(depth);
    const now = options.findIndex((option) => option.value === this.taken[depth].value);
    this.taken.length = depth;
    this.taken.push({ ...options[(now + by + options.length) % options.length], isOwn: true });
    this.settle();
    return true;
  }

  /** Take the last part back that was chosen by hand; turn and default go with what they belong to. */
  back() {
    const isChosen = (part, depth) =>
      part.isOwn && this.steps.get(part.name)?.kind !== "turn" && !this.isDefault(depth);
    const depth = this.taken.findLastIndex(isChosen);
    if (depth < 0) return false;
    this.taken.length = depth;
    if (this.step?.default) this.settle();
    return true;
  }
}
