// The body of a call as a form beside its text. Both stay in step: a field changes its
// value in the text, and the text redraws the fields once it is complete. Nothing
// else of the text changes.
const bodyForm = (box) => {
  const text = box.querySelector("textarea");
  const known = new Map(JSON.parse(box.dataset.members || "[]").map((one) => [one.p, one]));
  const form = Object.assign(document.createElement("details"), { className: "disclosure console-fields", open: text.value.length < 4000 });
  const head = Object.assign(document.createElement("summary"), { textContent: "Body as a form" });
  const rows = document.createElement("div");
  const note = Object.assign(document.createElement("p"), { className: "error", hidden: true });
  note.setAttribute("role", "status");
  form.append(head, rows);
  box.prepend(form);
  box.append(note);
  let root;

  // The names of a place without its items, as the contract has them.
  const nameOf = (path) => path.filter((step) => typeof step === "string").join(".");
  const at = (path) => path.reduce((value, step) => (value instanceof Map ? value.get(step) : value[step]), root);
  const put = (path, value) => {
    const holder = at(path.slice(0, -1));
    if (holder instanceof Map) holder.set(path.at(-1), value);
    else holder[path.at(-1)] = value;
    text.value = writeValue(root);
    text.dispatchEvent(new Event("change", { bubbles: true }));
  };
  const remove = (path) => {
    const holder = at(path.slice(0, -1));
    if (holder instanceof Map) holder.delete(path.at(-1));
    else holder.splice(path.at(-1), 1);
    text.value = writeValue(root);
    text.dispatchEvent(new Event("change", { bubbles: true }));
    draw();
  };

  // typed reads what was entered with the type that the place had.
  const typed = (entered, before, type = "") => {
    const isNumber = /^-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?$/.test(entered);
    if ((before instanceof Digits || /integer|number/.test(type)) && isNumber) return new Digits(entered);
    if ((typeof before === "boolean" || type === "boolean") && /^(true|false)$/.test(entered)) return entered === "true";
    if (before === null && entered === "null") return null;
    return entered;
  };

  const control = (path, value) => {
    const field = known.get(nameOf(path));
    const shown = value instanceof Digits ? value.text : String(value);
    const choices = typeof value === "boolean" ? ["true", "false"] : field?.e;
    const input = document.createElement(choices ? "select" : "input");
    for (const one of choices ? new Set([shown, ...choices]) : []) input.append(new Option(one, one, false, one === shown));
    if (!choices) Object.assign(input, { type: "text", value: shown, autocomplete: "off", spellcheck: false });
    input.id = `body-field-${path.join(".")}`;
    input.addEventListener("input", (event) => {
      event.stopPropagation();
      put(path, typed(input.value, at(path), field?.t));
    });
    input.addEventListener("change", (event) => event.stopPropagation());
    const label = Object.assign(document.createElement("label"), { htmlFor: input.id });
    label.append(Object.assign(document.createElement("code"), { textContent: path.join(".") }));
    const row = Object.assign(document.createElement("div"), { className: "field" });
    const line = Object.assign(document.createElement("div"), { className: "console-name" });
    const type = Object.assign(document.createElement("small"), { textContent: field ? field.t + (field.r ? ", required" : "") : "" });
    const drop = Object.assign(document.createElement("button"), { type: "button", className: "button plain small", textContent: "Remove", ariaLabel: `Remove ${path.join(".")}` });
    drop.addEventListener("click", () => remove(path));
    line.append(label, type, drop);
    row.append(line, input);
    return row;
  };

  const walk = (value, path) => {
    if (rows.childElementCount > 80) return;
    if (value instanceof Map) for (const [name, one] of value) walk(one, [...path, name]);
    else if (Array.isArray(value)) value.forEach((one, i) => walk(one, [...path, i]));
    else if (path.length) rows.append(control(path, value));
  };

  // adder offers the documented members that the text does not have.
  const adder = () => {
    const absent = [...known.values()].filter(({ p }) => {
      const names = p.split("."), last = names.pop();
      let holder = root;
      for (const name of names) holder = holder instanceof Map ? holder.get(name) : undefined;
      return holder instanceof Map && !holder.has(last);
    });
    if (!absent.length) return;
    const select = document.createElement("select");
    select.ariaLabel = "Add a field to the body";
    select.append(new Option("Add a field…", ""), ...absent.map(({ p, t }) => new Option(`${p} (${t})`, p)));
    select.addEventListener("change", (event) => {
      event.stopPropagation();
      const { p, t, e } = known.get(select.value);
      const path = p.split(".");
      const empty = t === "object" ? new Map() : t.startsWith("array") ? [] : /integer|number/.test(t) ? new Digits("0") : t === "boolean" ? false : e?.[0] ?? "";
      put(path, empty);
      draw();
      document.getElementById(`body-field-${path.join(".")}`)?.focus();
    });
    const row = Object.assign(document.createElement("div"), { className: "field" });
    row.append(select);
    rows.append(row);
  };

  const draw = () => {
    try {
      root = readValue(text.value);
      rows.replaceChildren();
      walk(root, []);
      adder();
      note.hidden = true;
      text.removeAttribute("aria-invalid");
    } catch (error) {
      rows.replaceChildren(Object.assign(document.createElement("p"), { className: "hint", textContent: "The form comes back when the text is complete JSON." }));
      note.textContent = error.message;
      note.hidden = false;
      text.setAttribute("aria-invalid", "true");
    }
  };
  text.addEventListener("input", draw);
  draw();
};
