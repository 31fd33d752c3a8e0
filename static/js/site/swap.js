// What htmx leaves to a page when a part of it is replaced: focus, a sign that a
// request is under way, and words for an answer that never came.
{
  const byPerson = ({ detail: { requestConfig: asked } }) => asked && !asked.headers["X-Live"] && !asked.headers["HX-Preloaded"];
  let asked; // the element that had the focus when a person asked

  // fail shows why there is no answer. The page stays as it is.
  const fail = (event) => {
    if (!byPerson(event)) return;
    const alert = Object.assign(document.createElement("div"), { className: "alert bad", role: "alert" });
    const sent = event.detail.requestConfig.verb !== "get";
    alert.append(navigator.onLine ? "The server does not answer." : "This device is offline.",
      sent ? " It is not known whether your change arrived. Load the page again before you repeat it." : " Try again in a moment.");
    document.getElementById("flash").replaceChildren(alert);
  };
  for (const sign of ["htmx:sendError", "htmx:timeout"]) document.addEventListener(sign, fail);
  // An answer that is not ours, such as a proxy's, stays out of the page.
  document.addEventListener("htmx:beforeSwap", (event) => {
    if (event.detail.xhr.getResponseHeader("X-Request-Id")) return;
    event.detail.shouldSwap = false;
    fail(event);
  });

  // Of disclosures with one name only one can be open, and those on their way out count.
  document.addEventListener("htmx:beforeSwap", ({ target }) => { for (const part of target.querySelectorAll("details[name]")) part.name = ""; });

  // What a filter asked for must not change the address of the page that came after,
  // and a part that was replaced must not be morphed: it has the ids of the new one.
  const late = (part) => part.matches?.("form[hx-get]") || part.matches?.("[hx-swap^=morph]") && part.closest(part.getAttribute("hx-target"));
  document.addEventListener("htmx:beforeCleanupElement", ({ target }) => { if (late(target)) htmx.trigger(target, "htmx:abort"); });
  // htmx writes an error for a request that is given up, because another one takes its
  // place or its element goes. It is none: the request ends as one that changes nothing.
  const nothing = (event) => event.preventDefault();
  document.addEventListener("htmx:beforeSend", ({ detail: { elt, xhr } }) => {
    xhr.onabort = () => {
      elt.addEventListener("htmx:beforeOnLoad", nothing);
      xhr.onload();
      elt.removeEventListener("htmx:beforeOnLoad", nothing);
    };
  });
  document.addEventListener("htmx:beforeRequest", (event) => {
    const { elt, etc, target } = event.detail;
    // What asked may be gone from the page when the answer comes.
    etc.selectOOB ??= elt.closest("[hx-select-oob]")?.getAttribute("hx-select-oob");
    if (!byPerson(event)) return;
    asked = document.activeElement;
    target.ariaBusy = "true";
  });
  document.addEventListener("htmx:afterRequest", (event) => {
    event.detail.requestConfig.target.ariaBusy = null;
    // A button that was disabled meanwhile has lost the focus.
    if (byPerson(event) && document.activeElement === document.body && asked?.isConnected) asked.focus({ preventScroll: true });
  });

  // The focus goes to what is wrong or new, else to the heading of another page,
  // else back to where it was. A field that is typed in keeps it, also one of the new page.
  document.addEventListener("htmx:afterSettle", (event) => {
    const part = event.target;
    if (!byPerson(event) || !part.closest("main")) return;
    document.querySelector(`[aria-controls="${part.id}"]`)?.setAttribute("aria-expanded", part.hasChildNodes());
    const again = asked?.isConnected ? asked : asked?.id && document.getElementById(asked.id);
    const field = document.activeElement?.matches("input, select, textarea, [contenteditable]") && document.activeElement;
    if (field && (field === again ? event.detail.requestConfig.verb === "get" : part.contains(field))) return;
    const wrong = part.querySelector("[data-focus]") ?? part.querySelector("form .alert.bad") ?? part.querySelector("[aria-invalid=true], [autofocus]");
    const heading = !wrong && ["main", "page"].includes(event.detail.target.id) && (part.querySelector("h1") ?? part);
    const lost = document.activeElement === document.body || !document.activeElement;
    const goal = wrong ?? (heading || (lost && (again || part)));
    if (goal && !goal.matches("a[href], button, input, select, textarea, summary")) goal.tabIndex = -1;
    if (goal) goal.focus({ preventScroll: !wrong });
    if (heading) announce(document.title);
  });
  document.querySelector("form[method=post] [data-focus]")?.focus();
}
