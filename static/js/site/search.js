// The search dialog opens by its button, by Ctrl+K or a slash, and by an address that
// carries a search. What it does then is a script of its own, loaded when it is first
// opened. The pages that were read are remembered in this browser alone.
const kept = (name) => { try { return JSON.parse(localStorage.getItem(name)) ?? []; } catch { return []; } };
const remember = (name, title, href) => {
  const list = [{ title, href }, ...kept(name).filter((other) => other.href !== href)].slice(0, 5);
  try { localStorage.setItem(name, JSON.stringify(list)); } catch {} // a browser that keeps nothing
};
{
  const dialog = document.getElementById("search");
  const open = (event) => {
    event?.preventDefault();
    event?.stopPropagation();
    dialog.show();
    dialog.querySelector("input").select();
    afterPaint(() => {
      import(dialog.dataset.module);
      htmx.trigger("#search form", "ask");
    });
  };
  ready((root) => {
    for (const hint of root.querySelectorAll("[data-search] kbd")) hint.textContent = /Mac|iP/.test(navigator.platform) ? "⌘ K" : "Ctrl K";
    if (root !== document && root.id !== "main" || !document.querySelector("link[rel=canonical]")) return;
    const title = document.title.split(" – ").slice(0, -1).join(" – ");
    if (/^\/(docs|productguide)\/./.test(location.pathname)) remember("pages", title, location.pathname);
  });
  document.addEventListener("click", (event) => {
    if (event.target.closest("[data-search]") && !event.ctrlKey && !event.metaKey && !event.shiftKey) open(event);
  }, true);
  document.addEventListener("keydown", (event) => {
    const control = event.ctrlKey || event.metaKey;
    const shortcut = event.key === "/" ? !control : event.key.toLowerCase() === "k" && control && !event.shiftKey;
    if (shortcut && !event.altKey && !dialog.open && !event.target.closest?.("input, textarea, select, [contenteditable]")) open(event);
  });
  const shared = new URLSearchParams(location.search).get("search");
  if (shared) {
    dialog.querySelector("input").value = shared;
    document.addEventListener("DOMContentLoaded", () => open());
  }
}
