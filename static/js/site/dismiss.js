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
    const box = event.target.closest("[data-dismiss]")?.closest("[data-dismissible], .alert");
    const opener = event.target.closest("a[aria-expanded=true][aria-controls]");
    const open = box ?? (opener && document.getElementById(opener.getAttribute("aria-controls")));
    if (!open || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    event.stopPropagation();
    close(open);
  }, true);
  document.addEventListener("keydown", (event) => {
    const box = event.key === "Escape" && event.target.closest(".table .details, .confirm");
    if (box) close(box);
  });
}
