// What was put into a page, such as a message, details or a question, is removed
// at the press of a button or by Escape, and the focus returns to what opened it.
{
  const close = (box) => {
    const opener = document.querySelector(`[aria-controls="${box.id}"]`);
    opener?.setAttribute("aria-expanded", "false");
    if (box.id) Object.assign(box, { className: "", ariaLabel: null, textContent: "" }); // another can take its place
    else box.remove();
    (opener ?? document.getElementById("main")).focus({ preventScroll: true });
  };
  document.addEventListener("click", (event) => {
    const opener = event.target.closest("a[aria-expanded=true][aria-controls]");
    const box = event.target.closest("[data-dismiss]")?.closest("[data-dismissible], .alert")
      ?? document.getElementById(opener?.getAttribute("aria-controls"));
    if (!box || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    event.stopPropagation();
    close(box);
  }, true);
  document.addEventListener("keydown", ({ key, target }) => {
    const box = key === "Escape" && target.closest(".table .details, .confirm");
    if (box) close(box);
  });
}
