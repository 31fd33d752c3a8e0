// A language of samples or a server, once chosen, is kept for other pages. Of
// this page only what it decides changes: place, focus and the example chosen
// stay.
ready(() => {
  const lists = [...document.querySelectorAll("[data-kept]")];
  const links = () => lists.flatMap((list) => [...list.children]);
  const keep = (name, value) => {
    document.cookie = `${name}=${value}; path=/; max-age=31536000; samesite=lax${location.protocol === "https:" ? "; secure" : ""}`;
  };
  let latest; // the link clicked last
  const follow = async (link, name) => {
    latest = link;
    let page;
    try {
      const answer = await fetch(link.href);
      page = new DOMParser().parseFromString(await answer.text(), "text/html");
    } catch {
      // The browser says what is wrong, on the way to the page itself.
    }
    if (link !== latest) return;
    const query = new URL(link.href).searchParams;
    keep(name, query.get(name));
    const fresh = [...(page?.querySelectorAll("[data-kept] > a") ?? [])];
    if (fresh.length !== links().length) {
      location.assign(link.href);
      return;
    }
    const calls = page.getElementById("calls");
    const example = document.querySelector("#calls select")?.selectedIndex ?? 0;
    document.getElementById("request").replaceWith(page.getElementById("request"));
    document.getElementById("calls").replaceWith(calls);
    offerChoices(calls);
    calls.querySelectorAll(".tab-panel")[example]?.choose();
    links().forEach((other, i) => {
      other.setAttribute("href", fresh[i].getAttribute("href"));
      other.toggleAttribute("aria-current", false);
      if (fresh[i].ariaCurrent) other.setAttribute("aria-current", "true");
    });
    history.replaceState(null, "", link.search + location.hash);
    announce(name === "lang" ? `Samples in ${link.textContent}` : `Calls go to ${link.textContent}`);
  };
  for (const list of lists) {
    list.addEventListener("click", (event) => {
      const link = event.target.closest("a");
      if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
      event.preventDefault();
      follow(link, list.dataset.kept);
    });
  }
});
