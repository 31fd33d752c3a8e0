// The languages of the code editor, and its looks by the tokens of the style sheet.
// It lies in a shadow tree, whose styles the content security policy leaves to it.
const { Compartment, EditorSelection, EditorState, EditorView, Prec, Transaction, keymap, tags } = CodeMirror;

const colours = CodeMirror.HighlightStyle.define([
  { tag: [tags.propertyName, tags.definition(tags.propertyName), tags.link, tags.url], color: "var(--info)" },
  { tag: [tags.string, tags.monospace], color: "var(--good)" },
  { tag: [tags.number, tags.bool, tags.null, tags.keyword, tags.typeName], color: "var(--signal)" },
  { tag: [tags.comment, tags.processingInstruction, tags.contentSeparator], color: "var(--faint)" },
  { tag: [tags.heading, tags.strong], fontWeight: "650" },
  { tag: tags.emphasis, fontStyle: "italic" },
  { tag: tags.strikethrough, textDecoration: "line-through" },
  { tag: tags.monospace, fontFamily: "var(--mono)" },
  { tag: tags.invalid, color: "var(--bad)" },
]);

const wavy = (colour) => ({
  backgroundImage: "none", textDecoration: `underline wavy var(${colour})`, textUnderlineOffset: "3px", textDecorationSkipInk: "none",
});
const looks = EditorView.theme({
  "&": { border: "1px solid var(--control)", borderRadius: "var(--radius)", background: "var(--paper)", color: "var(--text)" },
  "&.cm-focused": { outline: "3px solid var(--focus)" },
  ".cm-scroller": { fontFamily: "inherit", lineHeight: "1.6", maxHeight: "max(var(--least), 45rem)" },
  ".cm-content": { minHeight: "var(--least)", padding: "var(--s2) 0", caretColor: "var(--text)" },
  ".cm-line": { padding: "0 var(--s3)" },
  ".cm-gutters": { minHeight: "var(--least)", border: "0", background: "transparent", color: "var(--faint)" },
  ".cm-gutters + .cm-content > .cm-line": { paddingLeft: "var(--s1)" },
  ".cm-activeLine": { background: "transparent" },
  "&.cm-focused .cm-activeLine": { background: "var(--raised)" },
  ".cm-activeLineGutter": { background: "transparent" },
  "&.cm-focused .cm-activeLineGutter": { background: "var(--raised)", color: "var(--text)" },
  "&.cm-focused .cm-matchingBracket": { background: "var(--hover)", outline: "1px solid var(--edge)" },
  "&.cm-focused .cm-nonmatchingBracket": { background: "var(--bad-wash)" },
  ".cm-selectionMatch, .cm-searchMatch": { background: "var(--signal-wash)" },
  ".cm-searchMatch-selected": { outline: "2px solid var(--amber)" },
  ".cm-lintRange-error": wavy("--bad"),
  ".cm-lintRange-warning": wavy("--warn"),
  ".cm-lintPoint::after": { display: "none" },
  ".cm-lint-marker": { width: "0.75em", height: "0.75em" },
  ".cm-foldPlaceholder": { border: "1px solid var(--edge)", background: "var(--raised)", color: "var(--soft)" },
  ".cm-tooltip": {
    maxWidth: "min(30rem, 90vw)", border: "1px solid var(--edge)", borderRadius: "var(--radius)",
    background: "var(--raised)", color: "var(--text)", fontFamily: "var(--sans)",
  },
  ".cm-diagnostic": { padding: "var(--s2) var(--s3)" },
  ".cm-diagnostic-error": { borderLeftColor: "var(--bad)" },
  ".cm-diagnostic-warning": { borderLeftColor: "var(--warn)" },
  ".cm-panels": { background: "var(--raised)", color: "var(--text)", fontFamily: "var(--sans)" },
  ".cm-panels.cm-panels-top": { top: "var(--head) !important", zIndex: "2", borderBottomColor: "var(--line)" },
  ".cm-panels.cm-panels-bottom": { borderTopColor: "var(--line)" },
  ".cm-panel.cm-search": { padding: "var(--s2) var(--s6) var(--s2) var(--s2)", fontSize: "var(--f-small)" },
  ".cm-panel.cm-search :is(label, input, button)": { minHeight: "1.75rem", fontSize: "inherit" },
  ".cm-panel.cm-search [type=checkbox]": { minHeight: "0", verticalAlign: "middle" },
  ".cm-textfield": { border: "1px solid var(--control)", borderRadius: "4px", background: "var(--paper)", color: "inherit" },
  ".cm-button": { border: "1px solid var(--edge)", borderRadius: "4px", background: "var(--paper)", color: "inherit", fontWeight: "600" },
  ".cm-panel [name=close]": { minWidth: "1.5rem", minHeight: "1.5rem", color: "inherit" },
});

const words = EditorState.phrases.of({
  next: "Next", previous: "Previous", all: "All", replace: "Replace", "replace all": "Replace all",
  "match case": "Match case", regexp: "Regular expression", "by word": "Whole words", close: "Close the search",
});

// languageOf takes what begins with a brace or a bracket for JSON, as the server does.
const languageOf = (kind, text) => {
  if (kind === "markdown") return CodeMirror.markdownLanguage;
  return kind === "json" || /^\s*([[{]|$)/.test(text) ? CodeMirror.jsonLanguage : CodeMirror.yamlLanguage;
};

// forKind returns what an editor of a kind can do. Tab leaves it, as it does a field.
const forKind = (kind) => {
  const keys = [...CodeMirror.defaultKeymap, ...CodeMirror.historyKeymap, ...CodeMirror.searchKeymap];
  const all = [CodeMirror.history(), CodeMirror.syntaxHighlighting(colours), looks, words, CodeMirror.search({ top: true })];
  if (kind === "markdown") {
    all.push(EditorView.lineWrapping, Prec.high(keymap.of(markdownKeys)));
  } else {
    all.push(
      CodeMirror.lintGutter(), CodeMirror.lineNumbers(), CodeMirror.foldGutter(), CodeMirror.bracketMatching(), CodeMirror.indentOnInput(),
      CodeMirror.highlightActiveLine(), CodeMirror.highlightActiveLineGutter(), CodeMirror.highlightSelectionMatches(),
      CodeMirror.indentUnit.of("  "), EditorState.tabSize.of(2));
    keys.push(...CodeMirror.foldKeymap, ...CodeMirror.lintKeymap);
  }
  return [...all, keymap.of(keys)];
};
