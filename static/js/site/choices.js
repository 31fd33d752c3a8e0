// A language of samples or a server, once chosen, is kept in this browser for other
// pages; htmx shows it on this one. The example that was chosen stays.
{
  let example;
  document.addEventListener("htmx:beforeRequest", ({ detail: { elt, requestConfig: asked } }) => {
    const name = elt.closest("[data-kept]")?.dataset.kept;
    if (!name || asked.headers["HX-Preloaded"]) return;
    keep(name, new URL(asked.path, location).searchParams.get(name));
    example = document.querySelector("#calls .tab-panel:not([hidden])")?.id;
    announce(name === "lang" ? `Samples in ${elt.textContent}` : `Calls go to ${elt.textContent}`);
  });
  document.addEventListener("htmx:afterSettle", ({ detail }) => {
    const panel = detail.target?.id === "samples" && document.getElementById(example);
    if (panel) choose(panel);
  });
}
ready(() => { for (const link of document.querySelectorAll("[data-kept] a")) link.tabIndex = link.ariaCurrent ? 0 : -1; });
// A section is chosen from a select where there is no room for a row.
document.addEventListener("change", ({ target }) => { if (target.matches("[data-jump]")) location.hash = target.value; });
