// A language of samples or a server, once chosen, is kept in this browser for other
// pages; htmx shows it on this one. The example that was chosen stays.
{
  let example;
  document.addEventListener("htmx:beforeRequest", ({ detail: { elt, requestConfig: asked } }) => {
    const name = elt.closest("[data-kept]")?.dataset.kept;
    if (!name || asked.headers["HX-Preloaded"]) return;
    keep(name, new URL(asked.path, location).searchParams.get(name));
    example = document.querySelector("#calls select")?.selectedIndex;
    announce(name === "lang" ? `Samples in ${elt.textContent}` : `Calls go to ${elt.textContent}`);
  });
  document.addEventListener("htmx:afterSettle", ({ detail }) => {
    if (detail.target?.id === "samples") document.querySelectorAll("#calls .tab-panel")[example]?.choose();
  });
}
// The languages are one tab stop, with arrow keys between them. A section is chosen
// from a select where there is no room for a row.
ready(() => {
  for (const link of document.querySelectorAll("[data-kept] a")) link.tabIndex = link.ariaCurrent ? 0 : -1;
});
document.addEventListener("keydown", ({ key, target }) => {
  if (!target.closest("[data-kept]")) return;
  const { previousElementSibling: previous, nextElementSibling: next } = target;
  ({ ArrowLeft: previous, ArrowRight: next })[key]?.focus();
});
document.addEventListener("change", ({ target }) => { if (target.matches("[data-jump]")) location.hash = target.value; });
