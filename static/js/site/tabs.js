// A row of links to the panels below it shows one panel at a time: as tabs, or as
// a select where there are many. The panel shown is part of the address.
const address = (link) => history.replaceState(history.state, "", link.hash);
const panelOf = (link) => document.getElementById(link.hash.slice(1));

const select = (tab, tabs) => {
  for (const other of tabs) {
    const on = other === tab;
    other.ariaSelected = on;
    other.tabIndex = on ? 0 : -1;
    panelOf(other).hidden = on ? false : "until-found"; // by the browser's own search
  }
  // The answer of a status and its examples are chosen together.
  const [, kind, status] = tab.hash.match(/^#(response|example)-(\w+)$/) || [];
  const twin = kind && document.getElementById((kind === "response" ? "example-" : "response-") + status);
  if (twin?.hidden) twin.choose?.();
};

const offerTabs = (list) => {
  const tabs = [...list.children];
  list.role = "tablist";
  list.ariaLabel = list.dataset.tabs;
  for (const tab of tabs) {
    const panel = panelOf(tab);
    tab.role = "tab";
    tab.setAttribute("aria-controls", panel.id);
    panel.role = "tabpanel";
    panel.choose = () => select(tab, tabs);
    panel.addEventListener("beforematch", panel.choose);
  }
  select(tabs[0], tabs);
  list.addEventListener("click", (event) => {
    const tab = event.target.closest("[role=tab]");
    if (!tab || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    select(tab, tabs);
    address(tab);
  });
  list.addEventListener("keydown", (event) => {
    const at = tabs.indexOf(document.activeElement);
    const to = { ArrowRight: (at + 1) % tabs.length, ArrowLeft: at - 1, Home: 0, End: -1 }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    tabs.at(to).focus();
    tabs.at(to).click();
  });
};

const offerChoices = (list) => {
  const links = [...list.children];
  const choice = document.createElement("select");
  choice.ariaLabel = list.dataset.choices;
  choice.append(...links.map((link) => new Option(link.textContent)));
  const show = () => links.forEach((link, i) => { panelOf(link).hidden = i !== choice.selectedIndex; });
  links.forEach((link, i) => {
    panelOf(link).role = "group";
    panelOf(link).choose = () => { choice.selectedIndex = i; show(); };
  });
  choice.addEventListener("change", () => { show(); address(links[choice.selectedIndex]); });
  list.replaceChildren(choice);
  show();
};

ready((root) => {
  root.querySelectorAll("[data-tabs]").forEach(offerTabs);
  root.querySelectorAll("[data-choices]").forEach(offerChoices);
});
