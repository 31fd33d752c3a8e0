// The filter narrows the navigation by name, path and method. Groups that the
// reader opened stay open when the navigation of the next page comes.
ready((root) => {
  const filter = root.querySelector("[data-filter]");
  if (!filter) return;
  const nav = filter.closest("nav");
  const groups = [...nav.querySelectorAll(":scope > details")];
  const none = Object.assign(document.createElement("p"), { className: "nav-none", textContent: "Nothing matches.", hidden: true });
  nav.append(none);
  let opened; // groups before the filter was used
  const narrow = () => {
    const wanted = filter.value.toLowerCase().split(/\s+/).filter(Boolean);
    if (!wanted.length && !opened) return;
    opened ??= groups.map((group) => group.open);
    groups.forEach((group, i) => {
      for (const item of group.querySelectorAll("li")) {
        const link = item.firstElementChild;
        const text = `${link.querySelector("b")?.className} ${link.textContent} ${link.dataset.path}`.toLowerCase();
        item.hidden = !wanted.every((word) => text.includes(word));
      }
      group.hidden = !group.querySelector("li:not([hidden])");
      group.open = wanted.length ? !group.hidden : opened[i];
    });
    if (!wanted.length) opened = undefined;
    none.hidden = groups.some((group) => !group.hidden);
    announce(none.hidden ? `${nav.querySelectorAll("details li:not([hidden])").length} endpoints` : none.textContent);
  };
  filter.addEventListener("input", narrow);
  nav.addEventListener("htmx:oobAfterSwap", narrow); // groups that were left out
});
document.addEventListener("htmx:oobBeforeSwap", ({ detail: { target, fragment } }) => {
  const next = fragment.firstElementChild;
  if (target.id !== "navigation" || next.ariaLabel !== target.ariaLabel) return;
  const groups = next.querySelectorAll(":scope > details");
  target.querySelectorAll(":scope > details").forEach((group, i) => {
    groups[i].open ||= group.open;
    if (groups[i].matches(".more") && !group.querySelector("[data-group]")) groups[i].querySelector("ul").replaceWith(group.querySelector("ul"));
  });
  for (const link of next.querySelectorAll(".more [aria-current]")) link.removeAttribute("aria-current");
});
