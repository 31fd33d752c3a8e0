// What is typed into the form of an item is kept in this tab until it is saved, so
// that an ended session, a server that is away or a press of Back loses nothing. It
// is put back with the revision that it was typed on, so that what others saved
// meanwhile is not overwritten.
{
  const prefix = "unsaved:";
  const find = () => document.querySelector("form[data-unsaved]");
  const key = (form) => prefix + form.dataset.unsaved;
  const fields = (form) => [...form.elements].filter((e) => e.name && !["hidden", "submit"].includes(e.type));
  const read = (form) => Object.fromEntries(fields(form).map((e) => [e.name, e.type === "checkbox" ? e.checked : e.value]));
  const write = (form, values) => fields(form).forEach((e) => {
    if (!(e.name in values)) return;
    if (e.type === "checkbox") e.checked = values[e.name];
    else e.value = values[e.name];
  });
  const base = (form) => form.elements.base;
  let sent; // what the last request of the form had
  const keep = (form) => sessionStorage.setItem(key(form), JSON.stringify({ base: base(form)?.value, values: read(form) }));
  document.addEventListener("input", (event) => {
    const form = event.target.closest("form[data-unsaved]");
    if (!form?.dataset.unsaved) return;
    keep(form);
    const state = document.querySelector("#saved > p");
    if (state && document.querySelector("#saved [hx-post]")) state.textContent = "Not saved yet.";
  });
  document.addEventListener("htmx:beforeRequest", (event) => {
    const form = find();
    if (form && ["saved", "item"].includes(event.detail.target.id)) sent = JSON.stringify(read(form));
  });
  document.addEventListener("htmx:afterSwap", (event) => {
    const form = find();
    if (event.target.id !== "saved" || !form) return;
    if (document.querySelector("#saved > p").textContent.startsWith("Saved") && sent === JSON.stringify(read(form))) sessionStorage.removeItem(key(form));
  });
  // The rows that are open stay open when the form comes back.
  document.addEventListener("toggle", (event) => {
    const form = event.target.closest("form[data-unsaved]");
    if (form?.elements.open) form.elements.open.value = [...form.querySelectorAll("details[open][data-at]")].map((row) => row.dataset.at).join("\n");
  }, true);
  ready(() => {
    const form = find();
    if (!form || form.dataset.seen) return;
    form.dataset.seen = "true";
    if (document.querySelector(".toast .done")) { // it was saved
      for (const name of Object.keys(sessionStorage)) if (name.startsWith(prefix)) sessionStorage.removeItem(name);
    }
    const kept = JSON.parse(sessionStorage.getItem(key(form)));
    const note = document.getElementById("unsaved");
    const saved = read(form);
    if (!kept || !note || form.querySelector(".invalid, .problem, .clash") || JSON.stringify(kept.values) === JSON.stringify(saved)) return;
    if (sent === JSON.stringify(kept.values)) return keep(form); // it came back with what was typed
    const began = base(form)?.value;
    write(form, kept.values);
    if (kept.base) base(form).value = kept.base;
    note.hidden = false;
    announce(note.querySelector("p").textContent);
    note.querySelector("button").onclick = () => {
      sessionStorage.removeItem(key(form));
      write(form, saved);
      if (began) base(form).value = began;
      note.hidden = true;
      form.querySelector("input:not([type=hidden]), textarea").focus();
    };
  });
}
