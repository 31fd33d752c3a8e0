// A message or a panel in the page goes away at the press of a button, and the
// focus returns to what opened it.
document.addEventListener("click", (event) => {
  const box = event.target.closest("[data-dismiss]")?.closest("[data-dismissible], .alert");
  if (!box) return;
  event.preventDefault();
  const opener = document.querySelector(`[aria-controls="${box.id}"]`);
  box.replaceChildren();
  box.hidden = true;
  opener?.setAttribute("aria-expanded", "false");
  (opener ?? document.getElementById("main")).focus({ preventScroll: true });
});
