// A row of links to the panels below it shows one panel at a time: as tabs, or as
// a select where there are many. The panel shown is part of the address.
const panelsOf = (list) => [...list.parentElement.querySelectorAll(":scope > .tab-panel")];

const show = (panel) => {
  const [list] = panel.parentElement.children;
  const [select] = list.getElementsByTagName("select");
  panelsOf(list).forEach((other, i) => {
    const is = other === panel;
    other.hidden = !is && (select ? true : "until-found"); // by the browser's own search
    if (!select) Object.assign(list.children[i], { ariaSelected: is, tabIndex: is ? 0 : -1 });
    else if (is) select.selectedIndex = i;
  });
};
// choose shows a panel and those that belong to it: the examples of a response, the
// variants of the body that a request has.
const choose = (panel) => {
  show(panel);
  for (const id of panel.dataset.with?.split(" ") ?? []) {
    for (let other = document.getElementById(id); other; other = other.parentElement.closest(".tab-panel")) {
      if (other.hidden) choose(other);
    }
  }
};
// chooseExample chooses a request that has a variant of the body, or gets a response.
// An error that no request causes stands beside a request that succeeds.
const chooseExample = (id) => {
  const twin = id.replace(/^response-(\w+)$/, "example-$1");
  const list = [...document.querySelectorAll(`#calls :is([data-with~="${twin}"], [data-with*="${twin}-"])`)];
  if (list.length && list.every((panel) => panel.hidden)) choose(list[0]);
  if (list.length || !/^example-/.test(twin)) return;
  if (document.querySelector("#calls [data-status]:not([hidden])")) show(document.querySelector("#calls .tab-panel"));
};
const pick = (panel) => {
  const { id, dataset: { example } } = panel;
  choose(panel);
  history.replaceState(history.state, "", example ? `${location.pathname}?example=${example}` : `#${id}`);
  chooseExample(id);
};
document.addEventListener("beforematch", ({ target }) => { if (target.matches(".tab-panel")) choose(target); });
document.addEventListener("change", ({ target }) => {
  const list = target.closest("[data-choices]");
  if (list) pick(panelsOf(list)[target.selectedIndex]);
});
document.addEventListener("click", (event) => {
  const tab = event.target.closest("[role=tab]");
  if (!tab || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  pick(document.getElementById(tab.hash.slice(1)));
});
// A row of tabs or of choices is one stop, with arrow keys in it.
document.addEventListener("keydown", (event) => {
  const row = [...event.target.closest("[role=tablist], [data-kept]")?.children ?? []];
  const at = row.indexOf(event.target);
  const to = { ArrowRight: (at + 1) % row.length, ArrowLeft: at - 1, Home: 0, End: -1 }[event.key];
  if (at < 0 || to === undefined) return;
  event.preventDefault();
  row.at(to).focus();
  if (row[at].role) row.at(to).click();
});
ready((root) => {
  for (const list of root.querySelectorAll("[data-tabs], [data-choices]")) {
    const { tabs, choices } = list.dataset;
    const panels = panelsOf(list);
    for (const part of [...panels, ...list.children]) part.role = choices ? "group" : part.hash ? "tab" : "tabpanel";
    panels.forEach((panel, i) => { panel.ariaLabel = list.children[i].textContent; });
    if (choices) {
      const select = Object.assign(document.createElement("select"), { ariaLabel: choices });
      select.append(...[...list.children].map((link) => new Option(link.textContent)));
      list.replaceChildren(select);
    } else Object.assign(list, { role: "tablist", ariaLabel: tabs });
    show(panels[0]);
  }
  const example = new URLSearchParams(location.search).get("example");
  const first = root.querySelector(`[data-example="${CSS.escape(example ?? "")}"]`) ?? root.querySelector("#calls .tab-panel");
  if (first) choose(first);
});
