// The keys n and p go from change to change of a comparison, and another version
// of a page opens at the field that the address names.
document.addEventListener("keydown", (event) => {
  const by = { n: 1, p: -1 }[event.key];
  if (!by || event.ctrlKey || event.metaKey || event.altKey || event.target.closest("input, select, textarea, dialog")) return;
  const changes = [...document.querySelectorAll("[data-change]")];
  changes[changes.indexOf(document.activeElement) + by]?.focus();
});
document.addEventListener("htmx:configRequest", ({ detail }) => {
  if (detail.elt.closest("#versions-menu") && location.hash && !/[?#]/.test(detail.path)) detail.path += location.hash;
});
