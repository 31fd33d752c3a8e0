// An address that names a field opens everything around it. The server knows the
// fields that a large page leaves out, and where one that is gone would be.
{
  const place = /^(path|query|header|cookie|body|response-\w+|schema)\b/;
  // A reader who knows the body by its JSON names no variants.
  const named = (id) => document.getElementById(id) ?? [...document.querySelectorAll("main [id]")].find((e) => e.id.replace(/:[^.]*/g, "") === id);
  let asked; // the address that the server was asked for last

  const reveal = () => {
    const id = decodeURIComponent(location.hash.slice(1)) || new URLSearchParams(location.search).get("field");
    let target = id && named(id);
    if (id && !target && place.test(id) && document.querySelector(".reference")) {
      target = document.querySelector(".lost");
      if (asked !== location.href) {
        asked = location.href;
        htmx.ajax("GET", `?field=${encodeURIComponent(id)}`, { source: "#main", target: "#main", swap: "outerHTML" });
        return;
      }
      announce(target?.textContent);
    }
    for (let node = target; node; node = node.parentElement) {
      if (node.tagName === "DETAILS") node.open = true;
      node.choose?.();
    }
    requestAnimationFrame(() => target?.scrollIntoView());
  };
  ready((root) => { if (root === document || root.id === "main") reveal(); });
  addEventListener("hashchange", reveal);

  const folds = (button) => [...button.closest("section").querySelectorAll("details")];
  const label = () => document.querySelectorAll("[data-expand]").forEach((button) => {
    button.hidden = !folds(button).length;
    button.textContent = folds(button).every((fold) => fold.open) ? "Collapse all" : "Expand all";
  });
  ready(label);
  document.addEventListener("click", (event) => {
    const button = event.target.closest("[data-expand]");
    if (!button) return;
    const open = !folds(button).every((fold) => fold.open);
    for (const fold of folds(button)) fold.open = open;
    label();
  });
}
