// A copy button copies its own value, the text at an address, or the code of the
// figure around it. It says so in its place, without moving its neighbours.
const fetched = async (address) => {
  const answer = await fetch(address);
  if (!answer.ok) throw new Error(answer.statusText);
  return new Blob([await answer.text()], { type: "text/plain" });
};
document.addEventListener("click", async ({ target }) => {
  const button = target.closest("[data-copy], [data-copy-from]");
  if (!button || button.label) return;
  const { copy, copyFrom } = button.dataset;
  // A promise, because a browser lets nobody copy who waited for a text first.
  const copied = copyFrom ? navigator.clipboard.write([new ClipboardItem({ "text/plain": fetched(copyFrom) })])
    : navigator.clipboard.writeText(copy || button.closest("figure").querySelector("pre").textContent);
  const done = await copied.then(() => true, () => false);
  button.label = button.textContent;
  button.style.minWidth = `${button.offsetWidth}px`;
  button.textContent = done ? "Copied" : "Not copied";
  const tell = document.getElementById("copied");
  const chosen = button.closest("#samples")?.querySelector("[data-kept=lang] [aria-current]");
  tell?.setAttribute("hx-vals", JSON.stringify({ language: chosen ? new URL(chosen.href).searchParams.get("lang") : "" }));
  if (done) tell?.dispatchEvent(new Event("copied"));
  announce(done ? "Copied to the clipboard" : "The browser refused to copy");
  setTimeout(() => { [button.textContent, button.label] = [button.label]; }, 2000);
});
