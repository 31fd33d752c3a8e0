// The search dialog: an input that owns a list box. The server makes the list;
// script asks for it, moves the active option and opens it. Pages that were read
// and searches that led somewhere are remembered in this browser alone.
{
  const dialog = document.getElementById("search");
  const form = dialog?.querySelector("form");
  const input = form?.elements.q;
  const found = document.getElementById("search-found");
  const mac = /Mac|iP/.test(navigator.platform);
  let active = -1;
  let pending; // the request under way
  let timer;

  const options = () => [...found.querySelectorAll("[role=option]")];

  const activate = (index) => {
    const list = options();
    list[active]?.setAttribute("aria-selected", "false");
    active = list.length ? (index + list.length) % list.length : -1;
    const option = list[active];
    option?.setAttribute("aria-selected", "true");
    option?.scrollIntoView({ block: "nearest" });
    if (option) input.setAttribute("aria-activedescendant", option.id);
    else input.removeAttribute("aria-activedescendant");
  };

  // kept is a short list in this browser, and nowhere else: the last comes first.
  const kept = (name, same) => ({
    read() {
      try {
        const list = JSON.parse(localStorage.getItem(name));
        return Array.isArray(list) ? list : [];
      } catch {
        return [];
      }
    },
    add(item) {
      try {
        localStorage.setItem(name, JSON.stringify([item, ...this.read().filter((other) => !same(other, item))].slice(0, 5)));
      } catch {
        // A browser that keeps nothing has no recent pages.
      }
    },
  });
  const searches = kept("searches", (a, b) => a === b);
  const visits = kept("pages", (a, b) => a.href === b.href);

  const option = (id, text, href, data) => {
    const link = document.createElement("a");
    Object.assign(link, { className: "search-hit", id: `search-${id}`, role: "option", ariaSelected: "false", tabIndex: -1, href, textContent: text });
    Object.assign(link.dataset, data);
    return link;
  };

  const group = (title, list) => {
    const box = Object.assign(document.createElement("div"), { role: "group", ariaLabel: title });
    box.append(Object.assign(document.createElement("p"), { className: "search-heading", ariaHidden: "true", textContent: title }), ...list);
    return box;
  };

  // showRecent puts what was opened and looked for before above the places to
  // start.
  const showRecent = () => {
    const box = found.querySelector("[role=listbox]");
    const texts = searches.read();
    const pages = visits.read().filter((page) => page.href !== location.pathname).slice(0, 4);
    if (!box || texts.length + pages.length === 0) return;
    box.append(option("forget", "Forget recent pages and searches", "/search", { forget: "" }));
    if (texts.length) box.prepend(group("Recent searches", texts.map((text, i) => option(`recent-${i}`, text, `/search?q=${encodeURIComponent(text)}`, { repeat: text }))));
    if (pages.length) box.prepend(group("Recent pages", pages.map((page, i) => option(`page-${i}`, page.title, page.href))));
  };

  // fail says why nothing can be shown, and what can be done.
  const fail = (status) => {
    const why = !navigator.onLine ? "This device is offline." : status === 429 ? "Too many searches in a short time. Wait a moment." : "Search does not answer.";
    const box = Object.assign(document.createElement("div"), { id: "search-list", role: "listbox", ariaLabel: "Results" });
    const full = new URLSearchParams(new FormData(form));
    box.append(option("again", "Try again", "#", { again: "" }), option("full", "Open the search page", `/search?${full}`));
    found.replaceChildren(Object.assign(document.createElement("p"), { className: "search-nothing", textContent: why }), box);
  };

  // address puts the query into the address of the page, so that it can be
  // shared, and takes it out again.
  const address = (text) => {
    const url = new URL(location);
    if (text) url.searchParams.set("search", text);
    else url.searchParams.delete("search");
    if (url.href !== location.href) history.replaceState(history.state, "", url);
  };

  const ask = async (widened) => {
    pending?.abort();
    const request = pending = new AbortController();
    const text = input.value.trim();
    const params = new URLSearchParams(new FormData(form));
    params.set("q", text);
    found.ariaBusy = "true";
    try {
      const answer = await fetch(`/api/search?${params}`, { headers: { "HX-Request": "true" }, signal: request.signal });
      const html = await answer.text();
      if (request !== pending) return;
      if (answer.ok) found.innerHTML = html;
      else fail(answer.status);
    } catch {
      if (request !== pending || request.signal.aborted) return;
      fail(0);
    }
    found.ariaBusy = "false";
    found.scrollTop = 0;
    active = -1;
    input.removeAttribute("aria-activedescendant");
    if (text) activate(0);
    else showRecent();
    if (widened) found.prepend(Object.assign(document.createElement("p"), { className: "search-corrected", textContent: "Showing results from everywhere" }));
    const status = found.querySelector("[data-status]")?.dataset.status;
    const words = [...found.querySelectorAll(".search-nothing, .search-corrected")].map((p) => p.textContent);
    if (text || words.length) announce([...words, status].filter(Boolean).join(". "));
    address(text);
  };

  const open = () => {
    if (dialog.open) return;
    dialog.showModal();
    input.select();
    ask();
  };

  // widen takes away what narrows the search.
  const widen = () => {
    form.elements.kind.value = "";
    for (const box of form.querySelectorAll("[type=checkbox]")) box.checked = false;
    ask(true);
  };

  const remember = () => {
    const text = input.value.trim();
    if (text) searches.add(text);
  };

  // choose opens an option, or does what it stands for.
  const choose = (option, elsewhere) => {
    const data = option.dataset;
    if (data.repeat) {
      input.value = data.repeat;
      ask();
    } else if ("again" in data) {
      ask();
    } else if ("forget" in data) {
      localStorage.removeItem("searches");
      localStorage.removeItem("pages");
      ask();
    } else if ("widen" in data) {
      widen();
    } else {
      remember();
      if (elsewhere) {
        window.open(option.href, "_blank", "noopener");
      } else {
        dialog.close();
        location.assign(option.href);
      }
    }
  };

  const keys = {
    ArrowDown: () => activate(active + 1),
    ArrowUp: () => activate(active < 0 ? -1 : active - 1),
    Home: () => activate(0),
    End: () => activate(-1),
    Enter: (event) => {
      const option = options()[active];
      if (!option) return false;
      choose(option, event.ctrlKey || event.metaKey);
    },
    Escape: () => {
      if (!input.value) return false;
      input.value = "";
      ask();
    },
  };

  if (dialog) {
    ready((root) => {
      for (const hint of root.querySelectorAll("[data-search] kbd")) hint.textContent = mac ? "⌘ K" : "Ctrl K";
      const title = document.title.split(" – ").slice(0, -1).join(" – ");
      if (/^\/(docs|productguide)\/./.test(location.pathname) && document.querySelector("link[rel=canonical]")) visits.add({ href: location.pathname, title });
    });
    const asked = new URLSearchParams(location.search).get("search");
    if (asked) {
      input.value = asked;
      open();
    }
    document.addEventListener("click", (event) => {
      const link = event.target.closest("[data-search]");
      if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
      event.preventDefault();
      open();
    });
    document.addEventListener("keydown", (event) => {
      const typing = event.target.closest?.("input, textarea, select, [contenteditable]");
      const shortcut = event.key === "/" && !event.ctrlKey && !event.metaKey && !event.altKey
        || event.key.toLowerCase() === "k" && (event.ctrlKey || event.metaKey) && !event.shiftKey && !event.altKey;
      if (!shortcut || typing || dialog.open) return;
      event.preventDefault();
      open();
    });
    dialog.addEventListener("keydown", (event) => {
      if (event.isComposing || event.target !== input) return;
      if (keys[event.key] && keys[event.key](event) !== false) event.preventDefault();
    });
    input.addEventListener("input", () => {
      clearTimeout(timer);
      timer = setTimeout(ask, 120);
    });
    form.addEventListener("change", (event) => {
      const { product, version } = form.elements; // versions are named per product
      if (event.target === version && version.checked) product.checked = true;
      if (event.target === product && version && !product.checked) version.checked = false;
      if (event.target !== input) ask();
    });
    form.addEventListener("submit", remember);
    found.addEventListener("click", (event) => {
      const option = event.target.closest("[role=option]");
      if (!option || event.shiftKey) return;
      event.preventDefault();
      choose(option, event.ctrlKey || event.metaKey);
    });
    found.addEventListener("pointermove", (event) => {
      const index = options().indexOf(event.target.closest("[role=option]"));
      if (index >= 0 && index !== active) activate(index);
    });
    dialog.querySelector("[data-close]").addEventListener("click", () => dialog.close());
    dialog.addEventListener("click", (event) => {
      if (event.target === dialog) dialog.close();
    });
    dialog.addEventListener("close", () => {
      clearTimeout(timer);
      pending?.abort();
      address("");
    });
  }
}
