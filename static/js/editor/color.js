// A picker of colours writes into the field beside it, and follows what is typed there.
document.addEventListener("input", ({ target }) => {
  const picked = target.matches("[data-color-of]") && document.getElementById(target.dataset.colorOf);
  if (picked) picked.value = target.value;
  const picker = target.matches(".theme-color [type=text]") && target.parentNode.querySelector("[data-color-of]");
  if (!picker) return;
  const text = target.value.trim() || target.placeholder;
  if (/^#[0-9a-f]{6}$/i.test(text)) picker.value = text.toLowerCase();
});
