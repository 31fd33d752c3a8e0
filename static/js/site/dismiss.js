// What was put into a page, a message, the details of a row or a question, goes
// away at the press of a button, and the focus returns to what opened it.
{
  const close = (box) => {
    const opener = box.previousElementSibling?.querySelector("[aria-expanded=true]") ?? document.querySelector(`[aria-controls="${box.id}"]`);
    opener?.setAttribute("aria-expanded", "false");
    if (box.id) Object.assign(box, { className: "", role: null, ariaLabel: null, textContent: "" }); // another can take its place
    else box.remove();
    (opener ?? document.getElementById("main")).focus({ preventScroll: true });
  };
  const below = (opener) => document.getElementById(opener.dataset.below)?.nextElementSibling?.closest(".row-details");

  document.addEventListener("click", (event) => {
    const box = event.target.closest("[data-dismiss]")?.closest("[data-dismissible], .alert");
    const opener = event.target.closest("[data-below]");
    const open = box ?? (opener && below(opener));
    if (!open || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    event.stopPropagation();
    close(open);
  }, true);
  document.addEventListener("keydown", (event) => {
    const box = event.key === "Escape" && event.target.closest(".row-details, .question");
    if (box) close(box);
  });
  document.addEventListener("htmx:afterSwap", (event) => {
    const opener = event.detail.requestConfig?.elt;
    if (opener?.dataset.below) opener.setAttribute("aria-expanded", "true");
  });
  // A live part waits while details are open in it.
  document.addEventListener("htmx:beforeRequest", (event) => {
    if (event.detail.requestConfig.headers["X-Live"] && event.detail.target.querySelector(".row-details")) event.preventDefault();
  });
}
