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
      if (asked !== location.href) {
        asked = location.href;
        return htmx.ajax("GET", `?field=${encodeURIComponent(id)}`, { source: "#main", target: "#main", swap: "outerHTML" });
      }
      target = document.querySelector(".lost");
      announce(target?.textContent);
    }
    for (let node = target; node; node = node.parentElement) if (node.tagName === "DETAILS") node.open = true;
    // The samples show what belongs to the part that is open.
    const part = target?.closest(".tabs > details:has(> [hx-get])");
    if (part && !document.getElementById("samples").dataset.open.split(" ").includes(part.lastElementChild.id)) {
      htmx.ajax("GET", part.firstElementChild.getAttribute("hx-get"), { source: "#main", target: "#samples", swap: "outerHTML", selectOOB: "#called" });
    }
    requestAnimationFrame(() => target?.scrollIntoView());
  };
  ready((root) => { if (root === document || root.id === "main") reveal(); });
  addEventListener("hashchange", reveal);
  // Another version of a page opens at the same field.
  document.addEventListener("htmx:configRequest", ({ detail }) => {
    if (detail.elt.closest("#versions-menu") && location.hash && !/[?#]/.test(detail.path)) detail.path += location.hash;
  });

  document.addEventListener("click", ({ target }) => {
    const button = target.closest("[data-expand]");
    if (!button) return;
    const folds = [...button.closest("section").querySelectorAll("details:not([name])")];
    const open = folds.some((fold) => !fold.open);
    button.textContent = open ? "Collapse all" : "Expand all";
    afterPaint(() => folds.forEach((fold) => { fold.open = open; }));
  });
}
