// The search dialog: an input that owns a list box. The server makes the list;
// script asks for it, moves the active option and opens it. Searches that led
// somewhere are remembered in this browser alone.
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

  const recent = {
    read() {
      try {
        const list = JSON.parse(localStorage.getItem("searches"));
        return Array.isArray(list) ? list.filter((text) => typeof text === "string") : [];
      } catch {
        return [];
      }
    },
    write(list) {
      try {
        localStorage.setItem("searches", JSON.stringify(list.slice(0, 5)));
      } catch {
        // A browser that keeps nothing has no recent searches.
      }
    },
    add(text) {
      if (text) this.write([text, ...this.read().filter((other) => other !== text)]);
    },
  };

  // showRecent puts the searches of before above the places to start.
  const showRecent = () => {
    const list = recent.read();
    const box = found.querySelector("[role=listbox]");
    if (!list.length || !box) return;
    const group = document.createElement("div");
    group.role = "group";
    group.ariaLabel = "Recent searches";
    const heading = document.createElement("p");
    heading.className = "search-heading";
    heading.ariaHidden = "true";
    heading.textContent = "Recent searches";
    group.append(heading);
    list.forEach((text, i) => {
      const option = document.createElement("a");
      option.className = "search-hit";
      option.id = `search-recent-${i}`;
      option.role = "option";
      option.ariaSelected = "false";
      option.tabIndex = -1;
      option.href = `/search?q=${encodeURIComponent(text)}`;
      option.dataset.repeat = text;
      option.textContent = text;
      group.append(option);
    });
    box.prepend(group);
  };

  const ask = async () => {
    pending?.abort();
    const request = pending = new AbortController();
    const text = input.value.trim();
    const params = new URLSearchParams(new FormData(form));
    params.set("q", text);
    let html;
    try {
      const answer = await fetch(`/api/search?${params}`, { headers: { "HX-Request": "true" }, signal: request.signal });
      html = await answer.text();
    } catch {
      if (request.signal.aborted) return;
      html = `<p class="search-nothing">Search cannot be reached. Check the connection, then type again.</p><div id="search-list" role="listbox" aria-label="Results"></div>`;
    }
    if (request !== pending) return;
    found.innerHTML = html;
    found.scrollTop = 0;
    active = -1;
    input.removeAttribute("aria-activedescendant");
    if (text) activate(0);
    else showRecent();
    const status = found.querySelector("[data-status]")?.dataset.status;
    const nothing = found.querySelector(".search-nothing")?.textContent;
    if (text) announce([nothing, status].filter(Boolean).join(". "));
  };

  const open = () => {
    if (dialog.open) return;
    dialog.showModal();
    input.select();
    ask();
  };

  // choose opens an option, or does what it stands for.
  const choose = (option, elsewhere) => {
    if (option.dataset.repeat) {
      input.value = option.dataset.repeat;
      ask();
    } else if ("widen" in option.dataset) {
      form.elements.kind.value = "";
      for (const box of form.querySelectorAll("[type=checkbox]")) box.checked = false;
      ask();
    } else {
      recent.add(input.value.trim());
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
    });
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
      if (event.target !== input) ask();
    });
    form.addEventListener("submit", () => recent.add(input.value.trim()));
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
    });
  }
}
