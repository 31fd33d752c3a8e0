// Images come into a text from the gallery: by a button, or dropped and pasted, which
// puts them into the form of a new image. The server shows it, asks what it tells and
// answers with its Markdown.
let pictured; // the editor that an image is chosen for

const pictures = () => document.getElementById("pictures");

const pick = (view, files) => {
  const dialog = pictures();
  if (!dialog) return false;
  pictured = view;
  dialog.showModal();
  const body = dialog.querySelector("#pick");
  // A form with a file is filled, and so sent, as soon as it is there.
  const fill = () => {
    const field = dialog.querySelector("input[type=file]");
    if (!files || !field) return;
    field.files = files;
    field.dispatchEvent(new Event("change", { bubbles: true }));
  };
  document.addEventListener("htmx:afterSettle", fill, { once: true });
  htmx.trigger(body, "show");
  return true;
};

const imagesOf = (transfer) => {
  const images = [...(transfer?.files ?? [])].filter(({ type }) => type.startsWith("image/"));
  if (!images.length) return null;
  const list = new DataTransfer();
  list.items.add(images[0]);
  return list.files;
};

// bring takes images that are dropped or pasted.
const bring = (event, view) => {
  const files = imagesOf(event.dataTransfer ?? event.clipboardData);
  if (!files || !pictures()) return false;
  event.preventDefault();
  if (event.dataTransfer) {
    const at = view.posAtCoords({ x: event.clientX, y: event.clientY });
    if (at !== null) view.dispatch({ selection: { anchor: at } });
  }
  return pick(view, files);
};
const broughtPictures = EditorView.domEventHandlers({ drop: bring, paste: bring });

// insert puts an image on a line of its own.
const insert = (text) => {
  pictures().close();
  block(() => ({ text, select: "" }))(pictured);
  pictured.focus();
};

document.addEventListener("click", (event) => {
  const link = event.target.closest?.("#pictures [data-picture]");
  if (!link || !pictured) return;
  event.preventDefault();
  event.stopPropagation();
  insert(link.dataset.picture);
}, true);
document.addEventListener("htmx:afterSettle", ({ target }) => {
  if (target.id === "pick") target.querySelector("[name=image] ~ .field input")?.select();
  const done = document.querySelector("#pictures[open] [data-picked]");
  if (!done || !pictured) return;
  const text = done.dataset.picked;
  done.remove();
  insert(text);
});
