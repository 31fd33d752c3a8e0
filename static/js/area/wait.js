// Another code can be asked for after a pause, counted down beside the button.
ready((root) => root.querySelectorAll("form[data-wait]:has([data-wait-note])").forEach((form) => {
  const button = form.querySelector("button");
  const end = performance.now() + 1000 * form.dataset.wait;
  const tick = () => {
    const left = Math.ceil((end - performance.now()) / 1000);
    button.ariaDisabled = left > 0 ? "true" : null;
    form.querySelector("[data-wait-note]").textContent = left > 0 ? `Another can be sent in ${left} s.` : "";
    if (form.isConnected) left > 0 ? setTimeout(tick, 250) : announce("Another code can be sent now");
  };
  tick();
}));
document.addEventListener("submit", (event) => {
  if (!event.target.querySelector("button[aria-disabled=true]")) return;
  event.preventDefault();
  event.stopPropagation();
}, true);
