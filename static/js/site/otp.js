// Another code can be asked for after a pause, counted down beside the button.
for (const form of document.querySelectorAll("form[data-wait]")) {
  const note = form.querySelector("[data-wait-note]");
  if (!note) continue;
  const button = form.querySelector("button");
  const end = performance.now() + 1000 * form.dataset.wait;
  const tick = () => {
    const left = Math.ceil((end - performance.now()) / 1000);
    button.ariaDisabled = left > 0 ? "true" : null;
    note.textContent = left > 0 ? `Another can be sent in ${left} s.` : "";
    if (left > 0) setTimeout(tick, 250);
    else announce("Another code can be sent now");
  };
  tick();
  form.addEventListener("submit", (event) => {
    if (button.ariaDisabled) event.preventDefault();
  });
}
