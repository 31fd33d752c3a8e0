// The keys n and p go from change to change of a comparison.
document.addEventListener("keydown", (event) => {
  const by = { n: 1, p: -1 }[event.key];
  if (!by || event.ctrlKey || event.metaKey || event.altKey || event.target.closest("input, select, textarea, dialog")) return;
  const changes = [...document.querySelectorAll("[data-change]")];
  const change = changes[changes.indexOf(document.activeElement) + by];
  const fold = change?.closest("details");
  if (fold) fold.open = true;
  change?.focus();
});
