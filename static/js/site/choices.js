// A row of links with the panels they lead to becomes a select, where there are
// too many for tabs.
const offerChoices = (root) => {
  for (const list of root.querySelectorAll("[data-choices]")) {
    const links = [...list.children];
    const panels = links.map((link) => document.getElementById(link.hash.slice(1)));
    const choice = document.createElement("select");
    choice.ariaLabel = list.dataset.choices;
    choice.append(...links.map((link) => new Option(link.textContent)));
    const show = () => panels.forEach((panel, i) => { panel.hidden = i !== choice.selectedIndex; });
    panels.forEach((panel, i) => {
      panel.role = "group";
      panel.choose = () => { choice.selectedIndex = i; show(); };
    });
    choice.addEventListener("change", () => {
      show();
      history.replaceState(null, "", links[choice.selectedIndex].hash);
    });
    list.replaceChildren(choice);
    show();
  }
};
ready(offerChoices);
