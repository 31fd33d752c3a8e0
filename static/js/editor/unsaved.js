// What is typed into the form of an item is kept in this tab until it is saved, so
// that an ended session, a server that is away or a press of Back loses nothing.
{
  const prefix = "unsaved:";
  const fields = (form) => [...form.elements].filter((e) => e.name && e.type !== "hidden" && e.type !== "submit");
  const read = (form) => Object.fromEntries(fields(form).map((e) => [e.name, e.type === "checkbox" ? e.checked : e.value]));
  const write = (form, values) => fields(form).forEach((e) => {
    if (!(e.name in values)) return;
    if (e.type === "checkbox") e.checked = values[e.name];
    else e.value = values[e.name];
  });
  document.addEventListener("input", (event) => {
    const form = event.target.closest("[data-unsaved]");
    if (form?.dataset.unsaved) sessionStorage.setItem(prefix + form.dataset.unsaved, JSON.stringify(read(form)));
  });
  ready(() => {
    const form = document.querySelector("[data-unsaved]");
    if (!form || form.dataset.seen) return;
    form.dataset.seen = "true";
    if (document.querySelector(".toast .done")) { // it was saved
      for (const key of Object.keys(sessionStorage)) if (key.startsWith(prefix)) sessionStorage.removeItem(key);
    }
    const kept = sessionStorage.getItem(prefix + form.dataset.unsaved);
    const note = document.getElementById("unsaved");
    if (!kept || !note || form.querySelector(".invalid, .problem") || kept === JSON.stringify(read(form))) return;
    const saved = read(form);
    write(form, JSON.parse(kept));
    note.hidden = false;
    announce(note.querySelector("p").textContent);
    note.querySelector("button").onclick = () => {
      sessionStorage.removeItem(prefix + form.dataset.unsaved);
      write(form, saved);
      note.hidden = true;
      form.querySelector("input:not([type=hidden]), textarea").focus();
    };
  });
}
