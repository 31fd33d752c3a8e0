// One stream of events for each visible tab. It is closed while the tab is hidden.
// A stream that is joined names what changed since the page was rendered. Where no
// stream can be had, or a part got no answer, live parts ask every four seconds, so
// that a page whose session ends leaves within five as well.
{
  const live = "[hx-trigger*='sse:']";
  let source;
  let away = false; // there is no stream, or a part got no answer
  let heard = 0; // the time of the last event
  const byPage = ({ requestConfig: asked }) => asked?.headers["X-Live"];
  const inPlace = ({ requestConfig: asked, target }) => asked && asked.verb !== "get" && target.id !== "main";
  const sync = () => document.querySelectorAll(live).forEach((part) => htmx.trigger(part, "sse:sync"));

  htmx.createEventSource = (url) => {
    source = new EventSource(url);
    source.addEventListener("changed", () => { heard = performance.now(); });
    if (document.hidden) source.close();
    return source;
  };
  for (const sign of ["htmx:sseError", "htmx:sendError", "htmx:responseError"]) document.addEventListener(sign, () => { away = true; });
  document.addEventListener("visibilitychange", () => {
    source?.close();
    if (!source || document.hidden) return;
    // The extension connects elements that it processes, and then their triggers.
    for (const part of document.querySelectorAll(`[sse-connect], ${live}`)) htmx.trigger(part, "htmx:afterProcessNode");
  });
  setInterval(() => {
    if (!away || document.hidden) return;
    away = source?.readyState !== EventSource.OPEN;
    sync();
  }, 4_000);

  // A part that was under way while an event came does not know of it, and the
  // others may not have heard of what was sent in place.
  document.addEventListener("htmx:beforeSend", ({ detail }) => { detail.requestConfig.sent = performance.now(); });
  document.addEventListener("htmx:afterSettle", ({ detail }) => { if (!byPage(detail) && (inPlace(detail) || detail.requestConfig?.sent < heard)) sync(); });

  // What nobody asked for fails in silence: the part stays as it is. A click needs
  // both of its ends on one element, so nothing moves in between.
  document.addEventListener("htmx:beforeSwap", ({ detail }) => {
    if (byPage(detail) && detail.isError && detail.xhr.status !== 404) detail.shouldSwap = false;
    if (!byPage(detail) || !document.querySelector(":active")) return;
    detail.shouldSwap = false;
    for (const end of ["pointerup", "pointercancel", "keyup"]) addEventListener(end, () => setTimeout(sync), { once: true, capture: true });
  });
}
