// A language of samples, once chosen, is kept for other pages. Of this page only
// the calls change: place, focus and the example chosen stay.
{
  const list = document.querySelector("[data-languages]");
  let latest; // the link clicked last
  list?.addEventListener("click", async (event) => {
    const link = event.target.closest("a");
    if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    latest = link;
    let calls;
    try {
      const answer = await fetch(link.href);
      calls = new DOMParser().parseFromString(await answer.text(), "text/html").getElementById("calls");
    } catch {
      // The browser says what is wrong, on the way to the page itself.
    }
    if (link !== latest) return;
    const lang = new URL(link.href).searchParams.get("lang");
    document.cookie = `lang=${lang}; path=/; max-age=31536000; samesite=lax${location.protocol === "https:" ? "; secure" : ""}`;
    if (!calls) {
      location.assign(link.href);
      return;
    }
    const old = document.getElementById("calls");
    const example = old.querySelector("select")?.selectedIndex ?? 0;
    old.replaceWith(calls);
    offerChoices(calls);
    calls.querySelectorAll(".tab-panel")[example]?.choose();
    for (const other of list.children) other.removeAttribute("aria-current");
    link.setAttribute("aria-current", "true");
    history.replaceState(null, "", link.search + location.hash);
    announce(`Samples in ${link.textContent}`);
  });
}
