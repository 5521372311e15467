// Between page and server. One request waits for the next version of the match; an action is sent
// with a key of its own until it is answered, so that a lost answer or a second try plays nothing
// twice. The server is the only judge: every answer holds the whole state.
const HIDDEN_MS = 5000; // a hidden tab asks this often, and holds no connection open
const FIRST_WAIT_MS = 500;
const LONGEST_WAIT_MS = 8000;
const TIMEOUT_MS = 30_000;
const HELD_MS = 20_000; // the server holds a request that waits for so long; all others it answers at once
const PATIENCE_MS = 6000; // an answer that is due for so long is said to be missing
const PROBE_MS = 10_000;

const token = () => JSON.parse(document.body.getAttribute("hx-headers"))["X-CSRFToken"];
const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

export class Wire extends EventTarget {
  /**
   * addresses: {state, act, aids}; version: the one that the page shows.
   * Events: state, lost, found, slow, quick, warming (detail: seconds left, null: nothing is compiled).
   */
  constructor(addresses, version) {
    super();
    this.addresses = addresses;
    this.version = version;
    this.failures = 0;
    this.waiting = null;
    this.acting = null;
    this.parts = { board: "", panel: {}, tags: {} }; // as the server has sent them
    this.isSlow = false;
    this.isProbing = false;
    this.probedAt = 0;
    addEventListener("online", () => this.hurry());
    document.addEventListener("visibilitychange", () => this.hurry());
    addEventListener("pagehide", () => (this.isAway = true));
    addEventListener("pageshow", ({ persisted }) => {
      this.isAway = false;
      if (!persisted) return;
      this.version = 0; // the page comes from the browser's memory: ask for all of it
      this.hurry();
    });
  }

  /** Ask for changes as long as the page lives. */
  async listen() {
    for (;;) {
      try {
        await this.acting;
        const isAtOnce = document.hidden || this.failures || this.isProbing; // whether it works again is told at once
        this.isProbing = false;
        const address = `${this.addresses.state}?version=${this.version}&has=${this.has}${isAtOnce ? "&wait=0" : ""}`;
        this.took(await this.fetch(address, {}, true, isAtOnce ? PATIENCE_MS : HELD_MS + PATIENCE_MS));
        if (document.hidden || this.isGone) await this.rest(HIDDEN_MS);
      } catch (error) {
        if (error.name !== "AbortError") await this.fail();
      }
    }
  }

  /**
   * Play; resolves when the server has answered, however long that takes. That answer brings the news: no
   * other request waits for them meanwhile, or the server would draw the same board twice.
   */
  async act(ply, action) {
    const body = JSON.stringify({ ply, action, key: crypto.randomUUID?.() ?? randomKey(), has: this.has });
    this.acting = this.send(this.addresses.act, body).finally(() => (this.acting = null));
    this.waiting?.abort();
    return this.acting;
  }

  /** POST until there is an answer; only for what does no harm when it is repeated. */
  async send(address, body) {
    for (;;) {
      try {
        const answer = await this.post(address, body, { "Content-Type": "application/json" });
        this.took(answer);
        return answer;
      } catch {
        await this.fail();
      }
    }
  }

  /** POST once, and once more as the present user where somebody has signed in or up in another tab since. */
  async post(address, body, headers = {}) {
    const answer = await this.fetch(address, this.form(body, headers), false);
    if (answer.status !== 403 || !(await this.renew())) return answer;
    return this.fetch(address, this.form(body, headers), false);
  }

  /** Options of a POST with the token of the page. */
  form(body, headers) {
    if (body instanceof URLSearchParams) body.set("csrfmiddlewaretoken", token());
    return { method: "POST", body, headers: { Accept: "application/json", "X-CSRFToken": token(), ...headers } };
  }

  /** Take the token of the present session; says whether there is one. */
  async renew() {
    const { state } = await this.fetch(this.addresses.state, {}, false);
    if (state?.token) document.body.setAttribute("hx-headers", JSON.stringify({ "X-CSRFToken": state.token }));
    return Boolean(state?.token);
  }

  /** Options of a POST of JSON. */
  request(data) {
    const headers = { "Content-Type": "application/json", "X-CSRFToken": token() };
    return { method: "POST", body: JSON.stringify(data), headers, keepalive: true };
  }

  /** isWaiting: for changes; patience: milliseconds after which an answer is missing. */
  async fetch(address, options = {}, isWaiting = true, patience = PATIENCE_MS) {
    const control = new AbortController();
    if (isWaiting) this.waiting = control;
    const timer = setTimeout(() => control.abort(new Error("no answer")), TIMEOUT_MS);
    const slow = setTimeout(() => this.slow(true), patience);
    try {
      const response = await fetch(address, { cache: "no-store", ...options, signal: control.signal });
      this.slow(false);
      if (response.status === 403 || response.status === 404) return { status: response.status, reload: true };
      if (response.status === 204 && isWaiting) this.tell("warming", response.headers.get("Lab-Warming"));
      if (response.status === 204 || (response.status === 400 && !isWaiting)) return { status: response.status };
      const isJson = response.headers.get("Content-Type")?.startsWith("application/json");
      if (!isJson || ![200, 409].includes(response.status)) throw new Error(`answer ${response.status}`);
      return { status: response.status, state: await response.json() };
    } finally {
      clearTimeout(timer);
      clearTimeout(slow);
    }
  }

  /** Whether an answer is missing that is due. */
  slow(is) {
    if (is !== this.isSlow) this.dispatchEvent(new Event(is ? "slow" : "quick"));
    this.isSlow = is;
  }

  /** Something is late: ask whether the server is there at all. */
  probe() {
    if (this.isSlow || this.failures || performance.now() - this.probedAt < PROBE_MS) return;
    this.probedAt = performance.now();
    this.isProbing = true;
    this.waiting?.abort();
  }

  /** What an answer brings: the connection works; a state that is not older than the page's is shown. */
  took({ status, state, reload }) {
    if (this.failures) this.dispatchEvent(new Event("found"));
    this.failures = 0;
    this.isGone = Boolean(reload);
    if (reload) return this.tell("gone", status);
    if (!state?.version || state.version < this.version || !this.isComplete(state)) return undefined;
    this.version = state.version;
    return this.tell("state", this.whole(state));
  }

  /** Parts that this page has been sent: what is as it was is not sent again. */
  get has() {
    return Object.entries(this.parts.tags)
      .map((pair) => pair.join(":"))
      .join(",");
  }

  /** Whether the page has what was left out: another answer may have come since it was asked for. */
  isComplete({ board, panel, tags }) {
    const known = this.parts.tags;
    const isThere = (name) => (name === "board" ? board : panel?.[name]) !== undefined;
    return Object.entries(tags ?? {}).every(([name, tag]) => isThere(name) || known[name] === tag);
  }

  /** The state with what was left out of it. */
  whole(state) {
    const { board, panel, tags } = this.parts;
    this.parts = { board: state.board ?? board, panel: { ...panel, ...state.panel }, tags: state.tags ?? tags };
    return { ...state, board: this.parts.board, panel: this.parts.panel };
  }

  tell(name, detail) {
    this.dispatchEvent(new CustomEvent(name, { detail }));
  }

  async fail() {
    if (this.isAway) return pause(FIRST_WAIT_MS);
    this.failures += 1;
    this.slow(false);
    if (this.failures === 2) this.dispatchEvent(new Event("lost"));
    return this.rest(Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** (this.failures - 1)));
  }

  /** A pause that `hurry` ends. */
  async rest(ms) {
    await Promise.race([pause(ms), new Promise((resolve) => (this.wake = resolve))]);
  }

  /** Ask now: somebody looks again, or the network is back. */
  hurry() {
    this.wake?.();
    if (!document.hidden) this.waiting?.abort();
  }
}

function randomKey() {
  return [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}
