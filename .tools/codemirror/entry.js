// What the portal uses of CodeMirror. static/js/code is written against it.
export { Compartment, EditorSelection, EditorState, Prec, Transaction } from "@codemirror/state";
export {
  EditorView, drawSelection, highlightActiveLine, highlightActiveLineGutter, highlightSpecialChars, keymap, lineNumbers,
} from "@codemirror/view";
export { defaultKeymap, history, historyKeymap, redo, undo } from "@codemirror/commands";
export { HighlightStyle, bracketMatching, foldGutter, foldKeymap, indentOnInput, indentUnit, syntaxHighlighting, syntaxTree } from "@codemirror/language";
export { jsonLanguage } from "@codemirror/lang-json";
export { yamlLanguage } from "@codemirror/lang-yaml";
export { deleteMarkupBackward, insertNewlineContinueMarkup, markdownLanguage } from "@codemirror/lang-markdown";
export { lintGutter, lintKeymap, setDiagnostics } from "@codemirror/lint";
export { highlightSelectionMatches, search, searchKeymap } from "@codemirror/search";
export { tags } from "@lezer/highlight";
