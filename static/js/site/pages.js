// What htmx leaves to pages that take each other's place: to go back and forward
// by fragments, each to its place in the page, and what is not worth preloading.
{
  const page = (address) => {
    const url = new URL(address, location);
    url.searchParams.delete("search");
    return url.pathname + url.search;
  };
  let shown = page(location); // the page in the document
  const load = () => htmx.ajax("GET", location.pathname + location.search, { source: "#main", target: "#main", swap: "outerHTML" });
  document.addEventListener("htmx:afterSettle", ({ detail }) => { if (detail.target?.id !== "flash") shown = page(location); });
  addEventListener("online", () => { if (page(location) !== shown) load(); });

  // The browser keeps the place in a page. Without window.navigation, htmx
  // replaces the frame as well.
  window.navigation?.addEventListener("navigate", (event) => {
    if (event.navigationType !== "traverse" || !event.canIntercept || page(event.destination.url) === shown) return;
    event.intercept({ focusReset: "manual", handler: load });
  });
  if (window.navigation) addEventListener("popstate", (event) => event.stopImmediatePropagation(), true);

  // A click with a modifier is the browser's; htmx leaves it only Ctrl and Meta.
  document.addEventListener("click", (event) => {
    if ((event.shiftKey || event.altKey) && event.target.closest("a[href]")) event.stopPropagation();
  }, true);

  // What is no page, such as a text, is left to the browser, unless it is an error.
  document.addEventListener("htmx:beforeSwap", ({ detail }) => {
    if (detail.isError || (detail.xhr.getResponseHeader("Content-Type")?.startsWith("text/html") ?? true)) return;
    detail.shouldSwap = false;
    location.assign(detail.pathInfo.responsePath);
  });

  // A link in focus is as good as one that is pointed at.
  document.addEventListener("htmx:confirm", (event) => {
    if (!event.detail.etc.headers?.["HX-Preloaded"]) return;
    const busy = document.querySelector("[aria-busy=true]");
    if (busy || navigator.connection?.saveData || page(event.detail.path) === shown) event.preventDefault();
  });
  for (const [sign, effect] of [["focusin", "mouseover"], ["focusout", "mouseout"]]) {
    document.addEventListener(sign, ({ target }) => target.closest?.("a[preload=mouseover]")?.dispatchEvent(new Event(effect)));
  }
}
