// A copy button copies its own value, or the code of the figure around it.
document.addEventListener("click", async (event) => {
  const button = event.target.closest("[data-copy]");
  if (!button) return;
  const text = button.dataset.copy || button.closest("figure").querySelector("pre").textContent;
  let said = "Copied";
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    said = "Not copied";
  }
  button.textContent = said;
  announce(said === "Copied" ? "Copied to the clipboard" : "The browser refused to copy");
  setTimeout(() => { button.textContent = "Copy"; }, 2000);
});

// Long code shows its beginning; a button shows the rest.
document.addEventListener("click", (event) => {
  const button = event.target.closest("[data-unfold]");
  if (!button) return;
  button.dataset.unfold ||= button.textContent;
  const open = button.closest("figure").classList.toggle("unfolded");
  button.textContent = open ? "Show fewer lines" : button.dataset.unfold;
});
