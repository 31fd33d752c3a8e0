// The search dialog: an input that owns a list box. htmx asks for the list as one
// types; script moves the active option and opens it. Pages that were read and
// searches that led somewhere are remembered in this browser alone.
{
  const dialog = document.getElementById("search");
  const form = dialog.querySelector("form");
  const input = form.elements.q;
  const found = document.getElementById("search-found");
  const copyOf = (id) => document.getElementById(id).content.cloneNode(true);
  let active = -1;
  let widened = false; // the answer under way is for a search of everything

  const options = () => [...found.querySelectorAll("[role=option]")];
  const ask = () => htmx.trigger(form, "ask");
  const activate = (index) => {
    const list = options();
    active = list.length ? (index + list.length) % list.length : -1;
    list.forEach((option, i) => { option.ariaSelected = i === active; });
    list[active]?.scrollIntoView({ block: "nearest" });
    input.setAttribute("aria-activedescendant", list[active]?.id ?? "");
  };

  // A browser that keeps nothing has no recent pages.
  const kept = (name) => { try { return JSON.parse(localStorage.getItem(name)) ?? []; } catch { return []; } };
  const remember = (name, title, href) => {
    const list = [{ title, href }, ...kept(name).filter((other) => other.href !== href)].slice(0, 5);
    try { localStorage.setItem(name, JSON.stringify(list)); } catch {}
  };
  const rememberSearch = () => { if (input.value.trim()) remember("searches", input.value.trim(), `/search?q=${encodeURIComponent(input.value.trim())}`); };
  // showRecent puts what was opened and looked for around the places to start.
  const showRecent = () => {
    const recent = copyOf("search-recent");
    for (const group of recent.querySelectorAll("[data-recent]")) {
      const [template] = group.getElementsByTagName("a");
      kept(group.dataset.recent).filter(({ href }) => href !== location.pathname).forEach(({ title, href }, i) => {
        const link = Object.assign(template.cloneNode(), { id: `${template.id}-${i}`, href, textContent: title });
        if ("repeat" in link.dataset) link.dataset.repeat = title;
        group.append(link);
      });
      template.remove();
      if (!group.querySelector("a")) group.remove();
    }
    if (!recent.querySelector("[data-recent]")) return;
    const list = found.querySelector("[role=listbox]");
    list.append(recent.querySelector("[data-forget]"));
    list.prepend(recent);
    htmx.process(list);
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
    if (text) activate(0);
    else showRecent();
    if (widened) found.prepend(copyOf("search-widened"));
    widened = false;
    const words = [...found.querySelectorAll(".search-nothing, .search-corrected")].map((p) => p.textContent);
    if (text || words.length) announce([...words, found.querySelector("[data-status]")?.dataset.status].filter(Boolean).join(". "));
    if (dialog.open) address(text);
  };
  const fail = (event) => {
    event.stopPropagation();
    event.detail.shouldSwap = false;
    found.replaceChildren(copyOf("search-failed"));
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
  // Some options do something; others are links.
  const does = {
    again() {},
    repeat(text) { input.value = text; },
    forget() { ["searches", "pages"].forEach((name) => localStorage.removeItem(name)); },
    widen() {
      widened = true;
      form.elements.kind.value = "";
      for (const box of form.querySelectorAll("[type=checkbox]")) box.checked = false;
    },
  };
  const keys = {
    ArrowDown: () => activate(active + 1),
    ArrowUp: () => activate(active < 0 ? -1 : active - 1),
    Home: () => activate(0),
    End: () => activate(-1),
    Enter: (event) => {
      const link = options()[active];
      if (!link || !event.ctrlKey && !event.metaKey) return link ? link.click() : false;
      rememberSearch();
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
    if (/^\/(docs|productguide)\/./.test(location.pathname) && document.querySelector("link[rel=canonical]")) remember("pages", title, location.pathname);
  });
  document.addEventListener("click", (event) => {
    if (!event.target.closest("[data-search]") || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    event.stopPropagation();
    open();
  }, true);
  document.addEventListener("keydown", (event) => {
    const control = event.ctrlKey || event.metaKey;
    const shortcut = event.key === "/" ? !control : event.key.toLowerCase() === "k" && control && !event.shiftKey;
    if (!shortcut || event.altKey || dialog.open || event.target.closest?.("input, textarea, select, [contenteditable]")) return;
    event.preventDefault();
    open();
  });
  input.addEventListener("keydown", (event) => {
    if (!event.isComposing && keys[event.key] && keys[event.key](event) !== false) event.preventDefault();
  });
  form.addEventListener("change", ({ target }) => {
    const { product, version } = form.elements; // versions are named per product
    if (target === version && version.checked) product.checked = true;
    if (target === product && version && !product.checked) version.checked = false;
  }, true);
  form.addEventListener("submit", rememberSearch);
  for (const sign of ["htmx:sendError", "htmx:timeout"]) dialog.addEventListener(sign, fail);
  dialog.addEventListener("htmx:beforeSwap", (event) => { if (event.detail.xhr.status !== 200) fail(event); });
  dialog.addEventListener("htmx:afterSwap", show);
  found.addEventListener("click", (event) => {
    const option = event.target.closest("[role=option]");
    const act = option && Object.keys(does).find((name) => name in option.dataset);
    if (!option) return;
    if (!act) {
      rememberSearch();
      if (!event.ctrlKey && !event.metaKey && !event.shiftKey) dialog.close();
      return;
    }
    event.preventDefault();
    event.stopPropagation();
    does[act](option.dataset[act]);
    ask();
  }, true);
  found.addEventListener("pointermove", ({ target }) => {
    const index = options().indexOf(target.closest("[role=option]"));
    if (index >= 0 && index !== active) activate(index);
  });
  dialog.addEventListener("click", ({ target }) => { if (target === dialog || target.closest("[data-close]")) dialog.close(); });
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
