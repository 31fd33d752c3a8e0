// What htmx leaves to a page when a part of it is replaced: focus, the place in
// the page, a sign that a request is under way, and words for an answer that
// never came.
{
  const byPerson = ({ detail: { requestConfig: asked } }) => !asked?.headers["X-Live"] && !asked?.headers["HX-Preloaded"];
  const top = (target) => target?.id === "main" || target?.id === "page";
  let asked; // the element that had the focus when a person asked

  // fail shows why there is no answer. The page stays as it is.
  const fail = (event) => {
    if (!byPerson(event)) return;
    const flash = document.getElementById("flash");
    const alert = Object.assign(document.createElement("div"), { className: "alert bad", role: "alert" });
    const sent = event.detail.requestConfig.verb !== "get";
    alert.append(navigator.onLine ? "The server does not answer." : "This device is offline.", sent ? " It is not known whether your change arrived. Load the page again before you repeat it." : " Try again in a moment.");
    flash.replaceChildren(alert);
  };
  document.addEventListener("htmx:sendError", fail);
  document.addEventListener("htmx:timeout", fail);

  document.addEventListener("htmx:beforeRequest", (event) => {
    if (!byPerson(event)) return;
    asked = document.activeElement;
    event.detail.target.ariaBusy = "true";
  });
  document.addEventListener("htmx:afterRequest", (event) => { event.detail.requestConfig.target.ariaBusy = null; });

  // An answer that is not ours, such as a proxy's, stays out of the page.
  document.addEventListener("htmx:beforeSwap", (event) => {
    if (event.detail.xhr.getResponseHeader("X-Request-Id")) return;
    event.detail.shouldSwap = false;
    fail(event);
  });

  // settle gives the focus to what is wrong or new, else to the heading of another
  // page, else back to where it was. A field that is typed in keeps it.
  const settle = (part, request, whole) => {
    const again = asked?.id && document.getElementById(asked.id);
    if (request.verb === "get" && again === document.activeElement && again?.matches("input, select, textarea")) return;
    const wrong = part.querySelector("[data-focus]") ?? part.querySelector("form .alert.bad") ?? part.querySelector("[aria-invalid=true], [autofocus]");
    const heading = whole && !wrong && (part.querySelector("h1") ?? part);
    const lost = document.activeElement === document.body || !document.activeElement;
    const goal = wrong ?? (heading || (lost && (again || part)));
    if (goal) {
      if (!goal.matches("a[href], button, input, select, textarea, summary")) goal.tabIndex = -1;
      goal.focus({ preventScroll: !wrong });
    }
    if (heading) announce(document.title);
  };
  document.addEventListener("htmx:afterSettle", (event) => {
    const { requestConfig: request, target } = event.detail;
    if (!request || !byPerson(event) || !event.target.closest("main")) return;
    const part = event.target;
    document.querySelector(`[aria-controls="${part.id}"]`)?.setAttribute("aria-expanded", "true");
    settle(part, request, top(target));
  });
  document.querySelector("form[method=post] [data-focus]")?.focus();
}
