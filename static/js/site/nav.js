// The filter narrows the navigation by name, path and method. Groups that the
// reader opened stay open when the navigation of the next page comes.
ready((root) => {
  const filter = root.querySelector("[data-filter]");
  const nav = filter?.closest("nav");
  const narrow = () => {
    const words = filter.value.toLowerCase().split(/\s+/).filter(Boolean);
    for (const item of nav.querySelectorAll("details li")) {
      const link = item.firstElementChild;
      const text = `${link.firstElementChild?.className} ${link.textContent} ${link.dataset.path}`.toLowerCase();
      item.hidden = !words.every((word) => text.includes(word));
    }
    nav.classList.toggle("filtered", words.length > 0);
    const left = nav.querySelectorAll("details li:not([hidden])").length;
    announce(left ? `${left} endpoints` : "Nothing matches.");
  };
  filter?.addEventListener("input", narrow);
  nav?.addEventListener("htmx:oobAfterSwap", () => filter.value && narrow()); // groups that were left out
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
