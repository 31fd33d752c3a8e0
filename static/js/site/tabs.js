// A row of links to the panels below it shows one panel at a time: as tabs, or as
// a select where there are many. The panel shown is part of the address.

// chooseExample chooses a request that has a variant of the body, or gets a response.
const chooseExample = (id) => {
  const list = [...document.querySelectorAll(`#calls [data-with~="${id}"]`)];
  if (list.every((panel) => panel.hidden)) list[0]?.choose();
};

const offer = (list) => {
  const links = [...list.children];
  const panels = links.map((link) => document.getElementById(link.hash.slice(1)));
  const select = list.dataset.choices && document.createElement("select");
  const show = (chosen) => {
    links.forEach((link, i) => {
      panels[i].hidden = i !== chosen && (select ? true : "until-found"); // by the browser's own search
      if (!select) Object.assign(link, { ariaSelected: i === chosen, tabIndex: i === chosen ? 0 : -1 });
    });
    if (select) select.selectedIndex = chosen;
    // The answer of a status and its examples are chosen together.
    const [, kind, status] = links[chosen].hash.match(/^#(response|example)-(\w+)$/) ?? [];
    const twin = kind && document.getElementById((kind === "response" ? "example-" : "response-") + status);
    if (twin?.hidden) twin.choose?.();
    // So are a request, the variants of the body that it has, and its response.
    for (const id of panels[chosen].dataset.with?.split(" ") ?? []) {
      for (let other = document.getElementById(id); other; other = other.parentElement.closest(".tab-panel")) {
        if (other.hidden) other.choose?.();
      }
    }
  };
  const choose = (chosen) => {
    show(chosen);
    const { id, dataset: { example } } = panels[chosen];
    history.replaceState(history.state, "", example ? `${location.pathname}?example=${example}` : links[chosen].hash);
    chooseExample(id);
  };
  panels.forEach((panel, i) => {
    panel.role = select ? "group" : "tabpanel";
    panel.choose = () => show(i);
    panel.addEventListener("beforematch", panel.choose);
    if (!select) links[i].role = "tab";
  });
  if (select) {
    select.ariaLabel = list.dataset.choices;
    select.append(...links.map((link) => new Option(link.textContent)));
    select.addEventListener("change", () => choose(select.selectedIndex));
    list.replaceChildren(select);
  } else {
    Object.assign(list, { role: "tablist", ariaLabel: list.dataset.tabs });
    list.addEventListener("click", (event) => {
      const chosen = links.indexOf(event.target.closest("a"));
      if (chosen < 0 || event.ctrlKey || event.metaKey || event.shiftKey) return;
      event.preventDefault();
      choose(chosen);
    });
    list.addEventListener("keydown", (event) => {
      const at = links.indexOf(document.activeElement);
      const to = { ArrowRight: (at + 1) % links.length, ArrowLeft: at - 1, Home: 0, End: -1 }[event.key];
      if (to === undefined) return;
      event.preventDefault();
      links.at(to).focus();
      links.at(to).click();
    });
  }
  show(0);
};
ready((root) => {
  root.querySelectorAll("[data-tabs], [data-choices]").forEach(offer);
  const example = new URLSearchParams(location.search).get("example");
  if (example) root.querySelector(`[data-example="${CSS.escape(example)}"]`)?.choose?.();
});
