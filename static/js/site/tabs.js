// A row of links with the panels they lead to becomes a tab list. The panel
// shown is part of the address.
const select = (tab, tabs) => {
  for (const other of tabs) {
    const on = other === tab;
    other.ariaSelected = on;
    other.tabIndex = on ? 0 : -1;
    document.getElementById(other.hash.slice(1)).hidden = on ? false : "until-found"; // by the browser's own search
  }
  // The answer of a status and its examples are chosen together.
  const [, kind, status] = tab.hash.match(/^#(response|example)-(\w+)$/) || [];
  const twin = kind && document.getElementById((kind === "response" ? "example-" : "response-") + status);
  if (twin?.hidden) twin.choose?.();
};

const offerTabs = (root) => {
  for (const list of root.querySelectorAll("[data-tabs]")) {
    const tabs = [...list.children];
    list.role = "tablist";
    list.ariaLabel = list.dataset.tabs;
    for (const tab of tabs) {
      tab.role = "tab";
      const panel = document.getElementById(tab.hash.slice(1));
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
      history.replaceState(null, "", tab.hash);
    });
    list.addEventListener("keydown", (event) => {
      const last = tabs.length - 1;
      const at = tabs.indexOf(document.activeElement);
      const to = { ArrowRight: at === last ? 0 : at + 1, ArrowLeft: at ? at - 1 : last, Home: 0, End: last }[event.key];
      if (to === undefined) return;
      event.preventDefault();
      tabs[to].focus();
      tabs[to].click();
    });
  }
};
ready(offerTabs);
