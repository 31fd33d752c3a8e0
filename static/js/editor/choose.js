// Buttons that choose all or none of the boxes of their part.
document.addEventListener("click", ({ target }) => {
  const button = target.closest?.("[data-choose]");
  if (!button) return;
  for (const box of button.closest("[data-choices]").querySelectorAll("input[type=checkbox]")) box.checked = button.dataset.choose === "all";
});
