// Groups that the reader opened stay open when the navigation of the next page comes,
// unless they were narrowed by the filter.
document.addEventListener("htmx:oobBeforeSwap", ({ detail: { target, fragment } }) => {
  const next = fragment.firstElementChild;
  if (target.id !== "navigation" || next.ariaLabel !== target.ariaLabel) return;
  for (const list of target.querySelectorAll("details > ul[id]")) {
    const other = next.querySelector(`#${list.id}`);
    if (!other) return; // the next page is filtered
    other.parentElement.open ||= list.parentElement.open;
    if (other.querySelector("[data-group]") && !list.querySelector("[data-group]")) other.replaceWith(list);
  }
  for (const link of next.querySelectorAll(".more [aria-current]")) link.removeAttribute("aria-current");
});
