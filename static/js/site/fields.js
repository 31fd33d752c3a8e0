// An address that names a field opens everything around it, and fetches what a
// large page leads to only. A field that is gone leads to its nearest ancestor
// that is still there, and says so.
const place = /^(path|query|header|cookie|body|response-\w+|schema)\b/;

// load puts the fields that a link leads to in its place.
const load = async (link) => {
  const row = link.closest("li, .tab-panel, section");
  let found;
  try {
    const answer = await fetch(link.href);
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    found = page.getElementById(row.id);
  } catch {
    // Nothing was found: the link itself says why.
  }
  if (!found || found.querySelector(`:scope > .field-line > [data-branch]`)) {
    location.assign(link.href);
    return null;
  }
  row.replaceChildren(...found.childNodes);
  offerTabs(row);
  for (const fold of row.querySelectorAll(":scope > details")) fold.open = true;
  for (const button of document.querySelectorAll("[data-expand]")) button.label();
  announce("Fields shown");
  return row;
};

// named finds a field. Who knows the body by its JSON names no variants.
const named = (id) => document.getElementById(id) ?? [...document.querySelectorAll("[id]")].find((e) => e.id.replace(/:[^.]*/g, "") === id);

const reveal = async () => {
  document.querySelector(".lost-here")?.remove();
  const hash = location.hash.slice(1); // ids are written to stand in an address as they are
  let id = hash || new URLSearchParams(location.search).get("field");
  if (!id) return;
  let target = named(id);
  const asked = id = target?.id ?? id;
  if (!target && !place.test(id)) return;
  while (!target && id) {
    id = id.slice(0, Math.max(0, id.search(/[.:][^.:]*$/)));
    target = id ? named(id) : null;
    const more = target?.querySelector(":scope > .field-line > [data-branch]");
    if (more && await load(more)) {
      id = asked;
      target = document.getElementById(id);
    }
  }
  if (id !== asked && hash) {
    const whole = place.exec(asked)[1] === "schema" ? "schema" : "endpoint";
    const note = document.createElement("p");
    note.className = "lost-here";
    const name = document.createElement("code");
    name.textContent = asked;
    note.append(name, ` is not part of this ${whole}${target ? "; this is its nearest parent" : ""}.`);
    if (!target) target = document.querySelector(".reference-intro");
    const heading = target.matches("h2") && (target.closest(".section-head") ?? target);
    if (heading) heading.before(note);
    else target.prepend(note);
    announce(note.textContent);
  }
  for (let node = target; node; node = node.parentElement) {
    if (node.tagName === "DETAILS") node.open = true;
    node.choose?.();
  }
  if (hash || id === asked) (document.querySelector(".lost-here") ?? target)?.scrollIntoView();
};

const offerExpansion = (root) => root.querySelectorAll("[data-expand]").forEach((button) => {
  const folds = () => [...button.closest("section").querySelectorAll("details")];
  button.label = () => {
    button.hidden = !folds().length;
    button.textContent = folds().every((fold) => fold.open) ? "Collapse all" : "Expand all";
  };
  button.label();
  button.addEventListener("click", () => {
    const open = !folds().every((fold) => fold.open);
    for (const fold of folds()) fold.open = open;
    button.label();
  });
});

document.addEventListener("click", (event) => {
  const link = event.target.closest("[data-branch]");
  if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  load(link);
});
ready(offerExpansion);
ready(reveal);
addEventListener("hashchange", reveal);
