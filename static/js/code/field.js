// A field for code or Markdown becomes an editor. Its textarea stays in the form: it
// has the text that is sent, and what is written into it reaches the editor.
const written = Object.getOwnPropertyDescriptor(HTMLTextAreaElement.prototype, "value");
const places = new Map(); // where the cursor was, by the id of a field

class CodeEditor extends HTMLElement {
  #view;
  #field;
  #marked = "";

  // open takes the place of a field.
  open(field) {
    const typed = document.activeElement === field && { anchor: field.selectionStart, head: field.selectionEnd };
    const label = document.querySelector(`label[for="${CSS.escape(field.id)}"]`);
    const name = label?.firstChild.textContent.trim() ?? "";
    this.#field = field;
    this.id = field.id;
    this.className = field.dataset.code === "markdown" ? "code-editor" : "code-editor mono";
    this.style.setProperty("--least", `${Math.min(field.offsetHeight - 2, 320)}px`);
    field.id += "-text";
    field.hidden = true;
    field.before(this);
    if (field.dataset.code === "markdown") this.before(toolbar(this, name));
    label?.addEventListener("click", () => this.focus());
    // What is typed into the editor, its search for one, is no input of the form, and
    // its keys are none of the page.
    for (const sign of ["input", "keydown"]) this.addEventListener(sign, (event) => event.stopPropagation());

    const root = this.attachShadow({ mode: "open" });
    const about = Object.assign(document.createElement("p"), { id: "about", hidden: true });
    const described = (field.getAttribute("aria-describedby") ?? "").split(" ").map((id) => document.getElementById(id)?.textContent.trim());
    if (field.dataset.code !== "markdown") described.push("Tab leaves the field. Control and a square bracket indent.");
    about.textContent = described.filter(Boolean).join(" ");
    root.append(about);
    const attributes = {
      tabindex: "0", "aria-label": name, "aria-describedby": "about",
      spellcheck: String(field.spellcheck), autocapitalize: field.autocapitalize || "sentences",
    };
    if (field.ariaInvalid === "true") attributes["aria-invalid"] = "true";

    const language = new Compartment();
    let current = languageOf(field.dataset.code, field.value);
    const passOn = EditorView.updateListener.of((update) => {
      if (!update.docChanged) return;
      const text = update.state.doc.toString();
      const next = languageOf(field.dataset.code, text);
      if (next !== current) this.#view.dispatch({ effects: language.reconfigure(current = next) });
      if (text === written.get.call(field)) return;
      written.set.call(field, text);
      field.dispatchEvent(new Event("input", { bubbles: true }));
    });
    // What replaces a selection is written here: the browser would give it styles.
    const replace = EditorView.domEventHandlers({
      beforeinput: (event, view) => {
        if (event.inputType !== "insertText" || view.composing || view.state.selection.main.empty) return false;
        view.dispatch(view.state.replaceSelection(event.data), { userEvent: "input.type", scrollIntoView: true });
        event.preventDefault();
        return true;
      },
    });
    const save = { key: "Mod-s", run: () => { field.form.requestSubmit(); return true; } };
    this.#view = new EditorView({
      root, parent: root,
      state: EditorState.create({
        doc: field.value,
        extensions: [
          keymap.of([save]), forKind(field.dataset.code), language.of(current), passOn, replace,
          field.dataset.code === "markdown" ? broughtPictures : [], EditorView.contentAttributes.of(attributes),
        ],
      }),
    });
    Object.defineProperty(field, "value", {
      configurable: true,
      get: () => written.get.call(field),
      set: (text) => { written.set.call(field, text); this.value = written.get.call(field); },
    });
    const place = places.get(this.id) ?? typed;
    if (place && Math.max(place.anchor, place.head) <= this.#view.state.doc.length) this.#view.dispatch({ selection: place });
    if (typed) this.focus();
    this.mark();
  }

  get value() { return this.#view.state.doc.toString(); }
  set value(text) {
    if (text !== this.value) this.#view.dispatch({ changes: { from: 0, to: this.#view.state.doc.length, insert: text } });
  }
  focus(options) {
    if (options?.preventScroll) this.#view.contentDOM.focus(options);
    else this.#view.focus();
  }
  select() { this.#view.dispatch({ selection: { anchor: 0, head: this.#view.state.doc.length } }); }
  run(command) {
    command(this.#view);
    this.#view.focus();
  }

  // at returns the offset of a line and a column, which count from one. What comes
  // too early ends on the line after the last.
  #at(line, column) {
    const { doc } = this.#view.state;
    if (line > doc.lines) return doc.length;
    const { from, text } = doc.line(Math.max(line, 1));
    return from + [...text].slice(0, column - 1).join("").length;
  }

  // go puts the cursor at a place.
  go(line, column) {
    const at = this.#at(line, column);
    this.#view.dispatch({ selection: { anchor: at }, effects: EditorView.scrollIntoView(at, { y: "center" }) });
    this.#view.focus();
  }

  // mark underlines what the page says is wrong with the text.
  mark() {
    if (this.#field.dataset.code === "markdown") return;
    const links = [...document.querySelectorAll(`a[data-line][href="#${CSS.escape(this.id)}"]`)];
    const found = links.map((a) => [
      +a.dataset.line, +a.dataset.column, a.closest(".error, .bad") ? "error" : "warning", a.nextElementSibling?.textContent ?? "",
    ]);
    if (JSON.stringify(found) === this.#marked) return;
    this.#marked = JSON.stringify(found);
    const { state } = this.#view;
    const list = found.map(([row, column, severity, message]) => {
      let from = this.#at(row, column);
      const line = state.doc.lineAt(from);
      let to = Math.min(CodeMirror.syntaxTree(state).resolveInner(from, 1).to, line.to);
      if (to <= from) [from, to] = [Math.max(line.from, from - 1), Math.max(from, Math.min(from + 1, line.to))];
      return { from, to, severity, message };
    });
    this.#view.dispatch(CodeMirror.setDiagnostics(state, list.sort((a, b) => a.from - b.from)));
  }

  // What is only moved is there again at once.
  disconnectedCallback() {
    const { anchor, head } = this.#view.state.selection.main;
    places.set(this.id, { anchor, head });
    setTimeout(() => this.isConnected || this.#view.destroy());
  }
}
customElements.define("code-editor", CodeEditor);

// Rows that are closed have no editor yet.
const isShown = (field) => !field.closest("details:not([open])");
const open = (root) => {
  for (const field of root.querySelectorAll("textarea[data-code]:not([hidden])")) {
    if (isShown(field)) new CodeEditor().open(field);
  }
};
document.addEventListener("toggle", ({ target }) => { if (target.open) open(target); }, true);
ready((root) => {
  open(root);
  for (const editor of document.querySelectorAll("code-editor")) editor.mark();
});

// A link to a field opens what it lies in and puts the cursor at its line and column.
const toField = 'a[href^="#field-"]';
document.addEventListener("keydown", (event) => { if (event.target.matches?.(toField)) press(event); });
document.addEventListener("click", (event) => {
  const a = event.target.closest?.(toField);
  const id = a?.hash.slice(1);
  const field = id && document.getElementById(id);
  if (!field?.matches("[data-code], code-editor")) return;
  event.preventDefault();
  for (let row = field.closest("details"); row; row = row.parentElement.closest("details")) row.open = true;
  open(field.parentElement);
  const editor = document.getElementById(id);
  editor.scrollIntoView({ block: "nearest" });
  if (a.dataset.line) editor.go(+a.dataset.line, +a.dataset.column);
  else editor.focus();
});
