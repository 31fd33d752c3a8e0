// The search dialog: an input that owns a list box. htmx asks for the list as one
// types; script moves the active option and opens it. Pages that were read and
// searches that led somewhere are remembered in this browser alone.
{
  const dialog = document.getElementById("search");
  const form = dialog.querySelector("form");
  const input = form.elements.q;
  const found = document.getElementById("search-found");
  let active = -1;
  let widened = false; // the answer under way is for a search of everything

  const options = () => [...found.querySelectorAll("[role=option]")];
  const ask = () => htmx.trigger(form, "ask");
  const activate = (index) => {
    const list = options();
    list[active]?.setAttribute("aria-selected", "false");
    active = list.length ? (index + list.length) % list.length : -1;
    list[active]?.setAttribute("aria-selected", "true");
    list[active]?.scrollIntoView({ block: "nearest" });
    input.setAttribute("aria-activedescendant", list[active]?.id ?? "");
  };

  // kept is a short list in this browser, and nowhere else: the last comes first.
  const kept = (name, same) => ({
    read: () => { try { return JSON.parse(localStorage.getItem(name)) ?? []; } catch { return []; } },
    add(item) {
      try {
        localStorage.setItem(name, JSON.stringify([item, ...this.read().filter((other) => !same(other, item))].slice(0, 5)));
      } catch {} // A browser that keeps nothing has no recent pages.
    },
  });
  const searches = kept("searches", (a, b) => a === b);
  const visits = kept("pages", (a, b) => a.href === b.href);
  const remember = () => { if (input.value.trim()) searches.add(input.value.trim()); };

  const option = (id, text, href, data) => {
    const link = document.createElement("a");
    Object.assign(link, { className: "search-hit", id: `search-${id}`, role: "option", ariaSelected: "false", tabIndex: -1, href, textContent: text });
    Object.assign(link.dataset, data);
    return link;
  };
  const group = (title, list) => {
    const box = Object.assign(document.createElement("div"), { role: "group", ariaLabel: title });
    box.append(Object.assign(document.createElement("p"), { className: "search-heading", ariaHidden: "true", textContent: title }), ...list);
    return list.length ? box : "";
  };
  // showRecent puts what was opened and looked for above the places to start.
  const showRecent = () => {
    const box = found.querySelector("[role=listbox]");
    const texts = searches.read().map((text, i) => option(`recent-${i}`, text, `/search?q=${encodeURIComponent(text)}`, { repeat: text }));
    const pages = visits.read().filter((page) => page.href !== location.pathname).slice(0, 4).map((page, i) => option(`page-${i}`, page.title, page.href));
    if (texts.length + pages.length === 0) return;
    box.prepend(group("Recent pages", pages), group("Recent searches", texts));
    box.append(option("forget", "Forget recent pages and searches", "/search", { forget: "" }));
    htmx.process(box);
  };

  // address puts the query into the address of the page, so that it can be shared.
  const address = (text) => {
    const url = new URL(location);
    if (text) url.searchParams.set("search", text);
    else url.searchParams.delete("search");
    if (url.href !== location.href) history.replaceState(history.state, "", url);
  };

  // show has the answer that has come, or why none came, seen and heard.
  const show = () => {
    const text = input.value.trim();
    if (text) activate(active = 0);
    else showRecent();
    if (widened) found.prepend(Object.assign(document.createElement("p"), { className: "search-corrected", textContent: "Showing results from everywhere" }));
    widened = false;
    const words = [...found.querySelectorAll(".search-nothing, .search-corrected")].map((p) => p.textContent);
    if (text || words.length) announce([...words, found.querySelector("[data-status]")?.dataset.status].filter(Boolean).join(". "));
    if (dialog.open) address(text);
  };
  const fail = (event) => {
    event.stopPropagation();
    event.detail.shouldSwap = false;
    found.replaceChildren(document.getElementById("search-failed").content.cloneNode(true));
    found.querySelector("[data-full]").href += `?${new URLSearchParams(new FormData(form))}`;
    found.firstElementChild.textContent = !navigator.onLine ? "This device is offline."
      : event.detail.xhr.status === 429 ? "Too many searches in a short time. Wait a moment." : "Search does not answer.";
    show();
  };

  const open = () => {
    if (dialog.open) return;
    dialog.showModal();
    input.select();
    ask();
  };
  // choose does what an option stands for; others are links.
  const choose = (data) => {
    if (data.repeat) input.value = data.repeat;
    if ("forget" in data) ["searches", "pages"].forEach((name) => localStorage.removeItem(name));
    if ("widen" in data) {
      widened = true;
      form.elements.kind.value = "";
      for (const box of form.querySelectorAll("[type=checkbox]")) box.checked = false;
    }
    ask();
  };
  const keys = {
    ArrowDown: () => activate(active + 1),
    ArrowUp: () => activate(active < 0 ? -1 : active - 1),
    Home: () => activate(0),
    End: () => activate(-1),
    Enter: (event) => {
      const link = options()[active];
      if (!link) return false;
      if (!event.ctrlKey && !event.metaKey) return link.click();
      remember();
      window.open(link.href, "_blank", "noopener");
    },
    Escape: () => {
      if (!input.value) return false;
      input.value = "";
      ask();
    },
  };

  ready((root) => {
    for (const hint of root.querySelectorAll("[data-search] kbd")) hint.textContent = /Mac|iP/.test(navigator.platform) ? "⌘ K" : "Ctrl K";
    if (root !== document && root.id !== "main") return;
    if (root.id) form.reset();
    const title = document.title.split(" – ").slice(0, -1).join(" – ");
    if (/^\/(docs|productguide)\/./.test(location.pathname) && document.querySelector("link[rel=canonical]")) visits.add({ href: location.pathname, title });
  });
  document.addEventListener("click", (event) => {
    if (!event.target.closest("[data-search]") || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    event.stopPropagation();
    open();
  }, true);
  document.addEventListener("keydown", (event) => {
    const typing = event.target.closest?.("input, textarea, select, [contenteditable]");
    const shortcut = event.key === "/" && !event.ctrlKey && !event.metaKey && !event.altKey
      || event.key.toLowerCase() === "k" && (event.ctrlKey || event.metaKey) && !event.shiftKey && !event.altKey;
    if (!shortcut || typing || dialog.open) return;
    event.preventDefault();
    open();
  });
  dialog.addEventListener("keydown", (event) => {
    if (!event.isComposing && event.target === input && keys[event.key] && keys[event.key](event) !== false) event.preventDefault();
  });
  form.addEventListener("change", (event) => {
    const { product, version } = form.elements; // versions are named per product
    if (event.target === version && version.checked) product.checked = true;
    if (event.target === product && version && !product.checked) version.checked = false;
  }, true);
  form.addEventListener("submit", remember);
  for (const sign of ["htmx:sendError", "htmx:timeout"]) dialog.addEventListener(sign, fail);
  dialog.addEventListener("htmx:beforeSwap", (event) => { if (event.detail.xhr.status !== 200) fail(event); });
  dialog.addEventListener("htmx:afterSwap", show);
  found.addEventListener("click", (event) => {
    const option = event.target.closest("[role=option]");
    const does = option && ["repeat", "again", "forget", "widen"].some((what) => what in option.dataset);
    if (does) {
      event.preventDefault();
      event.stopPropagation();
      choose(option.dataset);
    } else if (option) {
      remember();
      if (!event.ctrlKey && !event.metaKey && !event.shiftKey) dialog.close();
    }
  }, true);
  found.addEventListener("pointermove", (event) => {
    const index = options().indexOf(event.target.closest("[role=option]"));
    if (index >= 0 && index !== active) activate(index);
  });
  dialog.addEventListener("click", (event) => { if (event.target === dialog || event.target.closest("[data-close]")) dialog.close(); });
  dialog.addEventListener("close", () => {
    htmx.trigger(form, "htmx:abort");
    address("");
  });
  const shared = new URLSearchParams(location.search).get("search");
  if (shared) {
    input.value = shared;
    document.addEventListener("DOMContentLoaded", open);
  }
}
