// One stream of events for each visible tab. It is closed while the tab is
// hidden; whenever it was away, live parts ask once for what they missed. Where
// no stream can be had they ask from time to time.
{
  const live = "[hx-trigger*='sse:']";
  let source;
  let away = false; // something may have been missed
  const sync = () => document.querySelectorAll(live).forEach((part) => htmx.trigger(part, "sse:sync"));

  htmx.createEventSource = (url) => {
    source = new EventSource(url);
    if (document.hidden) source.close();
    return source;
  };
  document.addEventListener("htmx:sseError", () => { away = true; });
  document.addEventListener("htmx:sseOpen", () => {
    if (away) sync();
    away = false;
  });
  document.addEventListener("visibilitychange", () => {
    if (!source) return;
    source.close();
    if (document.hidden) return;
    away = true;
    // The extension connects elements that it processes, and then their triggers.
    for (const part of document.querySelectorAll(`[sse-connect], ${live}`)) htmx.trigger(part, "htmx:afterProcessNode");
  });
  setInterval(() => {
    if (away && !document.hidden) sync();
  }, 15_000);
}
