// The code editor is loaded where a page has a field for it.
ready((root) => {
  const field = root.querySelector("[data-code]");
  if (field) import(field.form.dataset.editor).catch(() => {}); // a textarea does without it
});
