// A language of samples or a server, once chosen, is kept in this browser for other
// pages; htmx shows it on this one. What else is chosen shows in the reference too.
document.addEventListener("htmx:beforeRequest", ({ detail: { elt, requestConfig: asked } }) => {
  const row = elt.closest("[data-says]");
  if (!row || asked.headers["HX-Preloaded"]) return;
  const { kept, says } = row.dataset;
  if (kept) keep(kept, new URL(asked.path, location).searchParams.get(kept));
  announce(`${says} ${elt.textContent}`);
});
ready((root) => {
  for (const link of root.querySelectorAll("[data-says] a")) link.tabIndex = link.ariaCurrent ? 0 : -1;
  if (root.id !== "samples") return;
  for (const id of root.dataset.open?.split(" ") ?? []) document.getElementById(id)?.parentElement.toggleAttribute("open", true);
});
// A row of choices is one stop, with arrow keys in it.
document.addEventListener("keydown", (event) => {
  const row = [...event.target.closest("[data-says]")?.children ?? []];
  const at = row.indexOf(event.target);
  const to = { ArrowRight: (at + 1) % row.length, ArrowLeft: at - 1, Home: 0, End: -1 }[event.key];
  if (at < 0 || to === undefined) return;
  event.preventDefault();
  row.at(to).focus();
});
// A section is chosen from a select where there is no room for a row, which shows the one that is read.
const follow = () => document.querySelectorAll(".on-page :is(:target-current)").forEach((a) => a.parentElement.scrollTo(a.offsetLeft - 99, 0));
addEventListener("scrollend", () => setTimeout(follow, 99)); // once the browser knows which one it is
document.addEventListener("change", ({ target }) => { if (target.matches("[data-jump]")) location.hash = target.value; });
