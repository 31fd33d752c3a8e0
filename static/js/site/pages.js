// What htmx leaves to pages that take each other's place: to go back and forward
// by fragments, each to its place in the page, and what is not worth preloading.
{
  const places = {}; // by entry of the history
  const entry = () => window.navigation?.currentEntry?.key;
  const page = (url) => `${url.pathname}?${[...url.searchParams].filter(([name]) => name !== "search")}`;
  const here = () => page(new URL(location));
  let shown = here(); // the page in the document
  let returning; // the place to return to in a page under way

  const restore = () => {
    const place = places[entry()];
    if (here() === shown) {
      if (place !== undefined) scrollTo({ top: place, behavior: "instant" });
      return;
    }
    returning = place ?? 0;
    htmx.ajax("GET", location.pathname + location.search, { source: "#main", target: "#main", swap: "outerHTML" });
  };
  history.scrollRestoration = "manual";
  addEventListener("pagehide", () => { history.scrollRestoration = "auto"; });
  addEventListener("scroll", () => { places[entry()] = scrollY; }, { passive: true });
  addEventListener("online", restore);
  addEventListener("popstate", (event) => {
    event.stopImmediatePropagation(); // htmx would replace the frame as well
    restore();
  }, true);

  for (const change of ["pushedIntoHistory", "replacedInHistory"]) {
    document.addEventListener(`htmx:${change}`, () => { shown = here(); returning = undefined; });
  }
  document.addEventListener("htmx:afterSettle", (event) => {
    if (event.detail.target?.id !== "main" || returning === undefined) return;
    shown = here();
    const top = returning;
    returning = undefined;
    requestAnimationFrame(() => scrollTo({ top, behavior: "instant" }));
  });

  // A click with a modifier is the browser's; htmx leaves it only Ctrl and Meta.
  document.addEventListener("click", (event) => {
    if ((event.shiftKey || event.altKey) && event.target.closest("a[href]")) event.stopPropagation();
  }, true);

  // What is no page, such as a text, is left to the browser.
  document.addEventListener("htmx:beforeSwap", ({ detail }) => {
    if (detail.xhr.getResponseHeader("Content-Type")?.startsWith("text/html") ?? true) return;
    detail.shouldSwap = false;
    location.assign(detail.pathInfo.responsePath);
  });

  // A link in focus is as good as one that is pointed at.
  document.addEventListener("htmx:confirm", (event) => {
    const { etc, path } = event.detail;
    if (!etc.headers?.["HX-Preloaded"]) return;
    const busy = document.querySelector("[aria-busy=true]");
    if (busy || navigator.connection?.saveData || page(new URL(path, location)) === shown) event.preventDefault();
  });
  for (const [sign, effect] of [["focusin", "mouseover"], ["focusout", "mouseout"]]) {
    document.addEventListener(sign, (event) => event.target.closest?.("[preload] a")?.dispatchEvent(new Event(effect)));
  }
}
