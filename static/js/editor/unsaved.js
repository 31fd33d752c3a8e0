// What is typed into the form of an item is kept in the browser until it is saved, so
// that an ended session, a server that is away, a crash or a press of Back loses
// nothing. It is put back with the revision that it was typed on, so that what others
// saved meanwhile is not overwritten. Each tab keeps a copy of its own. A copy whose
// tab is gone goes to the next tab that opens the item. Copies end with the sign-out,
// and after seven days.
{
  const prefix = "unsaved:";
  const longest = 7 * 24 * 3600 * 1000;
  const lockOf = (tab) => `tab:${tab}`;
  let tab = sessionStorage.tab;
  const named = (async () => {
    for (;;) { // a duplicated tab begins with the name of its original
      tab ??= Math.random().toString(36).slice(2);
      const mine = await new Promise((done) => {
        if (!navigator.locks) done(true);
        else navigator.locks.request(lockOf(tab), { ifAvailable: true }, (lock) => { done(Boolean(lock)); return lock && new Promise(() => {}); });
      });
      if (mine) break;
      tab = undefined;
    }
    sessionStorage.tab = tab;
  })();

  const find = () => document.querySelector("form[data-unsaved]");
  const key = (form) => `${prefix}${form.dataset.unsaved}:${tab}`;
  const copies = (start) => Object.keys(localStorage).filter((name) => name.startsWith(start));
  const drop = (name) => localStorage.removeItem(name);
  const fields = (form) => [...form.elements].filter((e) => e.name && !["hidden", "submit"].includes(e.type));
  const read = (form) => Object.fromEntries(fields(form).map((e) => [e.name, e.type === "checkbox" ? e.checked : e.value]));
  const write = (form, values) => fields(form).forEach((e) => {
    if (!(e.name in values)) return;
    if (e.type === "checkbox") e.checked = values[e.name];
    else e.value = values[e.name];
  });
  const base = (form) => form.elements.base;
  const store = (form) => {
    if (!form.dataset.unsaved) return;
    try { localStorage.setItem(key(form), JSON.stringify({ base: base(form)?.value, values: read(form), at: Date.now() })); } catch {} // it is full
  };
  const isSaved = () => document.querySelector("#saved > p")?.textContent.startsWith("Saved");
  const unsaved = (form) => {
    const state = document.querySelector("#saved > p");
    if (state && form.querySelector("[data-autosave]")) state.textContent = "Not saved yet.";
  };
  for (const name of copies(prefix)) if (!(JSON.parse(localStorage[name]).at > Date.now() - longest)) drop(name);

  let sent; // what the last request of the form had
  let since; // when the typing began that no request has
  let done; // the form that was saved, until its page comes again
  document.addEventListener("input", (event) => {
    const form = event.target.closest("form[data-unsaved]");
    if (!form?.dataset.unsaved) return;
    store(form);
    unsaved(form);
    since ??= Date.now();
    const autosave = form.querySelector("[data-autosave]");
    if (autosave && Date.now() - since > 900) htmx.trigger(autosave, "late");
  });
  document.addEventListener("submit", (event) => {
    if (event.target.getAttribute("action")?.endsWith("/logout")) copies(prefix).forEach(drop);
  });
  document.addEventListener("htmx:beforeRequest", (event) => {
    const form = find();
    const saves = event.detail.target.id === "saved";
    if (!form || !saves && event.detail.elt !== form) return;
    if (form === done) return event.preventDefault();
    if (!saves) return;
    sent = JSON.stringify(read(form));
    since = undefined;
  });
  document.addEventListener("htmx:afterRequest", ({ detail: { elt, xhr } }) => {
    if (elt !== find() || xhr.status !== 204) return;
    done = elt;
    const next = xhr.getResponseHeader("HX-Location") ?? xhr.getResponseHeader("HX-Redirect");
    if (next?.includes("done=")) drop(key(elt)); // it is saved, whether or not its page comes
  });
  document.addEventListener("htmx:afterSwap", (event) => {
    const form = find();
    if (!form) return;
    if (event.target.id === "saved" && isSaved()) {
      if (sent === JSON.stringify(read(form))) drop(key(form));
      else unsaved(form);
    }
    if (event.detail.target.id !== "item" || form.querySelector(".invalid, .problem, .conflict")) return;
    if (isSaved()) drop(key(form)); // the answer has all that was typed
    else store(form);
  });
  // The rows that are open stay open when the form comes back.
  document.addEventListener("toggle", (event) => {
    const form = event.target.closest("form[data-unsaved]");
    if (form?.elements.open) form.elements.open.value = [...form.querySelectorAll("details[open][data-at]")].map((row) => row.dataset.at).join("\n");
  }, true);

  // adopt returns the copy of this tab, else the newest one whose tab is gone.
  const adopt = async (form) => {
    if (localStorage[key(form)]) return JSON.parse(localStorage[key(form)]);
    const held = navigator.locks ? (await navigator.locks.query()).held.map((lock) => lock.name) : [];
    const left = copies(`${prefix}${form.dataset.unsaved}:`).filter((name) => !held.includes(lockOf(name.split(":").pop())));
    const [newest] = left.sort((a, b) => JSON.parse(localStorage[b]).at - JSON.parse(localStorage[a]).at);
    if (!newest) return null;
    const kept = localStorage[newest];
    drop(newest);
    localStorage[key(form)] = kept;
    return JSON.parse(kept);
  };
  ready(async () => {
    const form = find();
    if (!form || form.dataset.seen) return;
    form.dataset.seen = "true";
    await named;
    const saved = read(form);
    const kept = form.dataset.unsaved && await adopt(form);
    const note = document.getElementById("unsaved");
    if (!kept || !note || form.querySelector(".invalid, .problem, .conflict") || JSON.stringify(kept.values) === JSON.stringify(saved)) return;
    if (JSON.stringify(read(form)) !== JSON.stringify(saved)) return; // somebody types already
    const began = base(form)?.value;
    write(form, kept.values);
    if (kept.base) base(form).value = kept.base;
    note.querySelector("time").textContent = new Date(kept.at).toLocaleString("en-GB", { dateStyle: "medium", timeStyle: "short" });
    note.hidden = false;
    announce(note.querySelector("p").textContent);
    note.querySelector("button").onclick = () => {
      drop(key(form));
      write(form, saved);
      if (began) base(form).value = began;
      note.hidden = true;
      form.querySelector("input:not([type=hidden]), textarea").focus();
    };
  });
}
