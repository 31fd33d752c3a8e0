// A language of samples or a server, once chosen, is kept in this browser for other
// pages; htmx shows it on this one. The example that was chosen stays.
{
  let chosen;
  document.addEventListener("click", (event) => {
    const link = event.target.closest("[data-kept] a");
    if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
    const name = link.parentElement.dataset.kept;
    const value = new URL(link.href).searchParams.get(name);
    document.cookie = `${name}=${value}; path=/; max-age=31536000; samesite=lax${location.protocol === "https:" ? "; secure" : ""}`;
    const said = name === "lang" ? `Samples in ${link.textContent}` : `Calls go to ${link.textContent}`;
    chosen = { said, example: document.querySelector("#calls select")?.selectedIndex };
  }, true);
  document.addEventListener("htmx:afterSettle", (event) => {
    if (!chosen || event.detail.target?.id !== "samples") return;
    document.querySelectorAll("#calls .tab-panel")[chosen.example]?.choose();
    announce(chosen.said);
    chosen = undefined;
  });
}
