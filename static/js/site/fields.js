// An address that names a field opens everything around it. A field that is
// gone leads to its nearest ancestor that is still there.
const reveal = () => {
  let id = location.hash.slice(1); // ids are written to stand in an address as they are
  if (!id) return;
  let target = document.getElementById(id);
  while (!target && /[.:]/.test(id)) {
    id = id.replace(/[.:][^.:]*$/, "");
    target = document.getElementById(id);
  }
  if (!target) return;
  if (id !== location.hash.slice(1)) announce(`That field is no longer here. Showing ${id}.`);
  for (let node = target; node; node = node.parentElement) {
    if (node.tagName === "DETAILS") node.open = true;
    node.choose?.();
  }
  target.scrollIntoView();
};
reveal();
addEventListener("hashchange", reveal);

for (const button of document.querySelectorAll("[data-expand]")) {
  const folds = [...button.closest("section").querySelectorAll("details")];
  button.hidden = !folds.length;
  const label = () => { button.textContent = folds.every((fold) => fold.open) ? "Collapse all" : "Expand all"; };
  label();
  button.addEventListener("click", () => {
    const open = !folds.every((fold) => fold.open);
    for (const fold of folds) fold.open = open;
    label();
  });
}
