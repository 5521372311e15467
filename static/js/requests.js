// A request that is given up on purpose is no error: a form that changes again asks anew, and a page that is left
// waits for nothing. htmx logs each as one, unless the request has an `error` of its own: an empty one is not logged.
const underWay = new Set();
let isLeft = false;
const giveUp = (detail) => (detail.error = "");

document.addEventListener("htmx:beforeRequest", ({ detail }) => {
  const { xhr } = detail;
  const abort = xhr.abort.bind(xhr);
  xhr.abort = () => {
    giveUp(detail);
    abort();
  };
  if (isLeft) giveUp(detail);
  underWay.add(detail);
  xhr.addEventListener("loadend", () => underWay.delete(detail));
});
addEventListener("beforeunload", () => {
  isLeft = true;
  underWay.forEach(giveUp);
});
addEventListener("pageshow", () => (isLeft = false));
