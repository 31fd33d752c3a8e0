// What htmx and the browser cannot do: rows of a form are dragged to another place by
// mouse and touch, or moved by Alt and an arrow. Either presses a button of the form,
// whose answer shows the new order.
const quiet = matchMedia("(prefers-reduced-motion: reduce)");
let undo; // puts rows back that the server did not move

const place = (part, row, to) => {
  const button = part.querySelector("[data-place]");
  button.value = `place:${to}:${row.dataset.at}`;
  button.click();
};

const dragged = (part, list) => {
  let before;
  return new Sortable(list, {
    handle: ".grip", dataIdAttr: "data-at", animation: quiet.matches ? 0 : 120, forceFallback: true, fallbackTolerance: 4, scrollSensitivity: 60, ghostClass: "dragged",
    onStart() { before = this.toArray(); },
    onUpdate({ item, newDraggableIndex }) {
      undo = () => this.sort(before);
      place(part, item, newDraggableIndex);
    },
  });
};

export const arrange = (part) => {
  part.classList.add("arranged");
  for (const list of part.querySelectorAll("[data-list]")) dragged(part, list);
  part.addEventListener("keydown", (event) => {
    const row = event.target.matches("summary") && event.target.closest("[data-list] > *");
    const step = { ArrowUp: -1, ArrowDown: 1 }[event.key];
    if (!row || event.target.parentElement !== row || !event.altKey || !step) return;
    event.preventDefault();
    const to = [...row.parentElement.children].indexOf(row) + step;
    if (to >= 0 && to < row.parentElement.children.length) place(part, row, to);
  });
};

document.addEventListener("htmx:afterRequest", ({ detail }) => {
  if (!detail.elt.matches("[data-place]")) return;
  if (!detail.successful) undo?.();
  undo = null;
});
