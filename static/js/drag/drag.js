// What htmx and the browser cannot do: rows of a form and items of a tree are dragged
// to another place by mouse and touch, or moved by Alt and an arrow. That presses a
// button of the form or sends the form of the tree, whose answer shows the new order.
const quiet = matchMedia("(prefers-reduced-motion: reduce)");
const rowsOf = (list) => [...list.children].filter((row) => row.dataset.at);
let undo; // puts a row back that the server did not move

// place sends the place of a row among the others of a list.
const place = (part, row, list, to) => {
  const sender = part.querySelector("[data-place]");
  if (sender.matches("button")) {
    sender.value = `place:${to}:${row.dataset.at}`;
    sender.click();
    return;
  }
  const others = rowsOf(list).filter((other) => other !== row).map((other) => other.dataset.at);
  const open = [...part.querySelectorAll("[data-branch][open]")].map((branch) => branch.dataset.branch);
  const values = { moved: row.dataset.at, group: list.dataset.group, before: others[to] ?? "", seen: others.join(), open: open.join("\n") };
  for (const [name, value] of Object.entries(values)) sender.elements[name].value = value;
  sender.requestSubmit();
};

// hover opens the closed branch that a row is held over.
let held;
const hover = ({ clientX, clientY }) => {
  const closed = document.elementFromPoint(clientX, clientY)?.closest("[data-branch]:not([open])");
  if (closed === held) return;
  held = closed;
  setTimeout(() => { if (closed && held === closed) closed.open = true; }, 400);
};

const dragged = (part, list) => {
  let back;
  return new Sortable(list, {
    group: list.dataset.list, draggable: "[data-at]", handle: ".grip", dataIdAttr: "data-at", ghostClass: "dragged", fallbackClass: "held",
    animation: quiet.matches ? 0 : 120, forceFallback: true, fallbackTolerance: 4, scrollSensitivity: 60, emptyInsertThreshold: 16,
    onStart({ item }) {
      const next = item.nextElementSibling;
      back = () => list.insertBefore(item, next?.parentNode === list ? next : null);
      document.addEventListener("pointermove", hover);
    },
    onEnd({ item, from, to, oldDraggableIndex, newDraggableIndex }) {
      document.removeEventListener("pointermove", hover);
      if (from === to && oldDraggableIndex === newDraggableIndex) return;
      undo = back;
      place(part, item, to, newDraggableIndex);
    },
  });
};

export const arrange = (part) => {
  part.classList.add("arranged");
  for (const list of part.querySelectorAll("[data-list]")) dragged(part, list);
  part.addEventListener("keydown", (event) => {
    const row = event.target.closest("[data-list] > [data-at]");
    const step = { ArrowUp: -1, ArrowDown: 1 }[event.key];
    if (!row || row.querySelector("summary, a") !== event.target || !event.altKey || !step) return;
    event.preventDefault();
    const rows = rowsOf(row.parentElement);
    const to = rows.indexOf(row) + step;
    if (rows[to]) place(part, row, row.parentElement, to);
  });
};

document.addEventListener("htmx:afterRequest", ({ detail }) => {
  if (!detail.elt.matches("[data-place]")) return;
  if (!detail.xhr.status) undo?.();
  undo = null;
});
