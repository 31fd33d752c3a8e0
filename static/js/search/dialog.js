// What the search dialog does beside htmx, which asks for the list as one types, and
// the combobox, which moves the active option: it fills in recent pages and searches,
// says what was found or why nothing came, and puts the search into the address.
const dialog = document.getElementById("search");
const form = dialog.querySelector("form");
const input = form.elements.q;
const found = document.getElementById("search-found");
let combobox;

const ask = () => htmx.trigger(form, "ask");
const rememberSearch = () => { if (input.value.trim()) remember("searches", input.value.trim(), `/search?q=${encodeURIComponent(input.value.trim())}`); };
// share puts the query into the address of the page.
const share = (text) => {
  const url = new URL(location);
  url.searchParams.delete("search");
  if (text) url.searchParams.set("search", text);
  if (url.href !== location.href) history.replaceState(history.state, "", url);
};
// show has the answer that has come, or why none came, seen and heard.
const show = () => {
  for (const group of found.querySelectorAll("[data-recent]")) {
    const option = group.lastElementChild;
    const list = kept(group.dataset.recent).filter(({ href }) => href !== location.pathname);
    option.replaceWith(...list.map(({ title, href }, i) => Object.assign(option.cloneNode(), { id: `${option.id}-${i}`, href, textContent: title })));
    if (!list.length) group.remove();
  }
  if (!found.querySelector("[data-recent]")) found.querySelector("[data-does=forget]")?.remove();
  htmx.process(found);
  combobox?.stop();
  const mode = { tabInsertsSuggestions: false, firstOptionSelectionMode: input.value.trim() ? "selected" : "none" };
  combobox = new Combobox(input, found.querySelector("[role=listbox]"), mode);
  combobox.start();
  const words = [...found.querySelectorAll(".search-nothing, .search-corrected")].map((p) => p.textContent);
  announce([...words, found.querySelector("[data-status]")?.dataset.status].filter(Boolean).join(". "));
  if (dialog.open) share(input.value.trim());
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

// The combobox knows the arrows and Enter. Its list goes on from one end at the other.
input.addEventListener("keydown", (event) => {
  const list = [...found.querySelectorAll("[role=option]")];
  const active = list.find((option) => option.ariaSelected === "true");
  const { key, isComposing } = event;
  const turn = { Home: 1, End: -1 }[key];
  if (turn || { ArrowDown: list.at(-1), ArrowUp: list[0] }[key] === active) combobox?.clearSelection();
  if (turn) combobox?.navigate(turn);
  else if (key === "Enter" && active && (event.ctrlKey || event.metaKey)) {
    rememberSearch();
    window.open(active.href, "_blank", "noopener");
  } else if (key === "Escape" && input.value && !isComposing) {
    input.value = "";
    ask();
  } else return;
  event.preventDefault();
  event.stopImmediatePropagation();
}, true);
form.addEventListener("submit", rememberSearch);
for (const sign of ["htmx:sendError", "htmx:timeout"]) dialog.addEventListener(sign, fail);
dialog.addEventListener("htmx:beforeSwap", (event) => { if (event.detail.xhr.status !== 200) fail(event); });
dialog.addEventListener("htmx:afterSwap", show);
// Some options do something; others are links.
found.addEventListener("click", (event) => {
  const option = event.target.closest("[role=option]");
  const does = option?.dataset.does;
  if (does === "widen") form.querySelectorAll(":checked, [value='']").forEach((box) => { box.checked = !box.value; });
  else if (does) {
    event.preventDefault();
    event.stopPropagation();
    if (does === "repeat") input.value = option.textContent;
    if (does === "forget") ["searches", "pages"].forEach((name) => localStorage.removeItem(name));
    ask();
  } else if (option) {
    rememberSearch();
    if (!event.ctrlKey && !event.metaKey && !event.shiftKey) dialog.close();
  }
}, true);
dialog.addEventListener("click", ({ target }) => { if (target === dialog || target.closest("[data-close]")) dialog.close(); });
dialog.addEventListener("keydown", ({ key, defaultPrevented, isComposing }) => { if (key === "Escape" && !defaultPrevented && !isComposing) dialog.close(); });
const left = (target) => { if (target && target !== document.body && !dialog.contains(target)) dialog.close(); };
dialog.addEventListener("focusout", ({ relatedTarget }) => left(relatedTarget));
left(document.activeElement); // while this was loading
dialog.addEventListener("close", () => {
  htmx.trigger(form, "htmx:abort");
  share("");
});
document.addEventListener("htmx:load", ({ target }) => { if (target.id === "main") form.reset(); });
if (found.firstElementChild) show(); // the answer was here first
