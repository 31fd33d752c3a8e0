// The filter narrows the navigation by name, path and method. Groups that a
// large version leaves out come from its overview, once they are wanted.
ready((root) => {
  const filter = root.querySelector("[data-filter]");
  if (!filter) return;
  const nav = filter.closest("nav");
  const groups = [...nav.querySelectorAll(":scope > details")];
  let filled;
  const fill = () => filled ??= (async () => {
    if (!nav.querySelector("[data-group]")) return;
    try {
      const answer = await fetch(filter.dataset.filter);
      const whole = new DOMParser().parseFromString(await answer.text(), "text/html").querySelectorAll("#nav nav > details");
      groups.forEach((group, i) => {
        if (group.querySelector("[data-group]") && whole[i]) group.querySelector("ul").replaceWith(whole[i].querySelector("ul"));
      });
    } catch {
      filled = undefined; // the links lead to the overview all the same
    }
  })();
  for (const group of groups) {
    group.addEventListener("toggle", () => { if (group.open && group.querySelector("[data-group]")) fill(); });
  }
  const none = document.createElement("p");
  none.className = "nav-none";
  none.textContent = "Nothing matches.";
  none.hidden = true;
  nav.append(none);
  let opened; // groups before the filter was used
  filter.addEventListener("input", async () => {
    await fill();
    const wanted = filter.value.toLowerCase().split(/\s+/).filter(Boolean);
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
  });
});
