// Buttons and keys for Markdown: each writes the marks around what is selected, or
// takes them away.
const lineBreaks = (text) => text.includes("\n");

// wrap puts a mark on both sides of each selection, or of the word at the cursor.
const wrap = (mark) => ({ state, dispatch }) => {
  const size = mark.length;
  dispatch(state.update(state.changeByRange((range) => {
    const { from, to } = range.empty ? state.wordAt(range.head) ?? range : range;
    const text = state.sliceDoc(from, to);
    if (state.sliceDoc(from - size, from) === mark && state.sliceDoc(to, to + size) === mark) {
      return { changes: [{ from: from - size, to: from }, { from: to, to: to + size }], range: EditorSelection.range(from - size, to - size) };
    }
    if (text.length >= 2 * size && text.startsWith(mark) && text.endsWith(mark)) {
      return { changes: { from, to, insert: text.slice(size, -size) }, range: EditorSelection.range(from, to - 2 * size) };
    }
    return { changes: [{ from, insert: mark }, { from: to, insert: mark }], range: EditorSelection.range(from + size, to + size) };
  }), { scrollIntoView: true, userEvent: "input" }));
  return true;
};

// begin puts a mark before each selected line, or takes it away from all of them.
// A line has one mark of those that the pattern knows.
const begin = (mark, pattern) => ({ state, dispatch }) => {
  const { from, to } = state.selection.main;
  const lines = [];
  for (let at = from; ; at = lines.at(-1).to + 1) {
    lines.push(state.doc.lineAt(at));
    if (lines.at(-1).to >= to) break;
  }
  const wanted = lines.map((_, i) => mark(i));
  const marked = lines.every((line, i) => line.text.startsWith(wanted[i]));
  const changes = lines.map((line, i) => {
    const had = line.text.match(pattern)?.[0].length ?? 0;
    return { from: line.from, to: line.from + had, insert: marked ? "" : wanted[i] };
  });
  dispatch(state.update({ changes, scrollIntoView: true, userEvent: "input" }));
  return true;
};

// block puts a text on lines of its own after the selection and selects a part of it.
const block = (make) => ({ state, dispatch }) => {
  const { from, to } = state.selection.main;
  const { text, select } = make(state.sliceDoc(from, to));
  const before = from === 0 || /\n\n$/.test(state.sliceDoc(from - 2, from)) ? "" : state.doc.lineAt(from).from === from ? "\n" : "\n\n";
  const after = to === state.doc.length ? "\n" : state.doc.lineAt(to).to === to ? "\n" : "\n\n";
  const at = from + before.length + Math.max(text.indexOf(select), 0);
  dispatch(state.update({
    changes: { from, to, insert: before + text + after }, selection: { anchor: at, head: at + select.length }, scrollIntoView: true, userEvent: "input",
  }));
  return true;
};

const link = ({ state, dispatch }) => {
  dispatch(state.update(state.changeByRange(({ from, to }) => {
    const text = state.sliceDoc(from, to);
    const isAddress = /^https?:\/\/\S+$/.test(text);
    const [name, address] = isAddress ? ["text", text] : [text || "text", "https://"];
    const start = isAddress || !text ? from + 1 : from + name.length + 3;
    const size = isAddress || !text ? name.length : address.length;
    return { changes: { from, to, insert: `[${name}](${address})` }, range: EditorSelection.range(start, start + size) };
  }), { scrollIntoView: true, userEvent: "input" }));
  return true;
};

const quote = (text) => text.split("\n").map((line) => `> ${line}`.trimEnd()).join("\n");
const fence = block((text) => ({ text: "```json\n" + (text || "{}") + "\n```", select: text || "{}" }));
const inline = wrap("`");
const bullets = /^\s*([-*+]|\d+\.)\s+/;

const markdownCommands = {
  bold: wrap("**"),
  italic: wrap("_"),
  code: (view) => (lineBreaks(view.state.sliceDoc(view.state.selection.main.from, view.state.selection.main.to)) ? fence : inline)(view),
  link,
  list: begin(() => "- ", bullets),
  numbers: begin((i) => `${i + 1}. `, bullets),
  heading: begin(() => "## ", /^#{1,6}\s+/),
  table: block(() => ({ text: "| Column | Column |\n|---|---|\n| Value | Value |", select: "Column" })),
  image: (view) => pick(view),
  note: block((text) => ({ text: "> [!NOTE]\n" + quote(text || "What to know"), select: text ? quote(text) : "What to know" })),
};

const markdownKeys = [
  { key: "Mod-b", run: markdownCommands.bold },
  { key: "Mod-i", run: markdownCommands.italic },
  { key: "Mod-e", run: markdownCommands.code },
  { key: "Mod-k", run: markdownCommands.link },
  { key: "Mod-Shift-8", run: markdownCommands.list },
  { key: "Mod-Shift-7", run: markdownCommands.numbers },
  { key: "Enter", run: CodeMirror.insertNewlineContinueMarkup },
  { key: "Backspace", run: CodeMirror.deleteMarkupBackward },
];

// press takes Enter for a click when the key is let go, so that it does not come to
// the editor as well, which has the focus then.
const press = (event) => {
  if (event.key !== "Enter" || event.repeat) return;
  event.preventDefault();
  event.target.addEventListener("keyup", () => event.target.click(), { once: true });
};

// toolbar makes the buttons of an editor. Tab reaches one of them, and arrows the rest.
const toolbar = (editor, name) => {
  const bar = document.getElementById("markdown-tools").content.firstElementChild.cloneNode(true);
  const buttons = [...bar.children];
  bar.ariaLabel = `Format ${name}`;
  bar.setAttribute("aria-controls", editor.id);
  const reach = (button) => buttons.forEach((b) => { b.tabIndex = b === button ? 0 : -1; });
  reach(buttons[0]);
  bar.addEventListener("click", ({ target }) => {
    const button = target.closest("button");
    if (!button) return;
    reach(button);
    editor.run(markdownCommands[button.dataset.mark]);
  });
  bar.addEventListener("keydown", (event) => {
    press(event);
    const at = buttons.indexOf(document.activeElement);
    const to = { ArrowLeft: at - 1, ArrowRight: at + 1, Home: 0, End: buttons.length - 1 }[event.key];
    if (to === undefined || at < 0) return;
    event.preventDefault();
    const next = buttons.at(to % buttons.length);
    reach(next);
    next.focus();
  });
  return bar;
};
