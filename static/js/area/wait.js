// Another code can be asked for after a pause, counted down beside the button.
ready((root) => {
  for (const form of root.querySelectorAll("form[data-wait]")) {
    const note = form.querySelector("[data-wait-note]");
    if (!note) continue;
    const button = form.querySelector("button");
    const end = performance.now() + 1000 * form.dataset.wait;
    const tick = () => {
      const left = Math.ceil((end - performance.now()) / 1000);
      button.ariaDisabled = left > 0 ? "true" : null;
      note.textContent = left > 0 ? `Another can be sent in ${left} s.` : "";
      if (left > 0 && form.isConnected) setTimeout(tick, 250);
      else if (form.isConnected) announce("Another code can be sent now");
    };
    tick();
  }
});
document.addEventListener("submit", (event) => {
  if (!event.target.querySelector("button[aria-disabled=true]")) return;
  event.preventDefault();
  event.stopPropagation();
}, true);
