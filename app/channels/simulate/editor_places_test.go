//go:build judge

package simulate

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// editorProgram prints the first mistake of each text as the parser of an editor names
// it: line, column, what it is, and how many characters are marked. The columns of the
// parser are in units of UTF-16, ours in characters.
const editorProgram = `
const { visit, printParseErrorCode } = require("jsonc-parser");
const texts = JSON.parse(require("fs").readFileSync(0, "utf8"));
process.stdout.write(JSON.stringify(texts.map((text) => {
  let first = null;
  visit(text, { onError: (code, offset, length, line, character) => {
    if (first) return;
    const before = text.slice(offset - character, offset);
    const marked = text.slice(offset, offset + length);
    first = { line: line + 1, column: [...before].length + 1, what: printParseErrorCode(code), marked: [...marked].length };
  } }, { disallowComments: true });
  return first;
})));`

// wholeTokens are the mistakes that the parser of an editor marks from the beginning of
// the text or number. Our place is the character in it that is wrong.
var wholeTokens = map[string]bool{
	"UnexpectedEndOfString": true, "UnexpectedEndOfNumber": true, "InvalidEscapeCharacter": true, "InvalidUnicode": true, "InvalidCharacter": true,
	"InvalidSymbol": true,
}

// The place of a mistake is where the parser of an editor begins to mark it, or inside of
// what it marks where that is a whole text, number or word.
func TestPlacesAreWhereAnEditorMarks(t *testing.T) {
	modules, err := filepath.Abs("../../../.tools/node_modules")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(filepath.Join(modules, "jsonc-parser")); err != nil {
		t.Skip("npm ci --prefix .tools installs the parser")
	}
	texts := broken()
	if len(texts) < 60 {
		t.Fatalf("%d documents, at least 60 are wanted", len(texts))
	}
	input, err := json.Marshal(texts)
	if err != nil {
		t.Fatal(err)
	}
	command := exec.CommandContext(t.Context(), "node", "-e", editorProgram)
	command.Env, command.Stdin = append(os.Environ(), "NODE_PATH="+modules), strings.NewReader(string(input))
	output, err := command.Output()
	if err != nil {
		t.Fatal(err)
	}
	var marks []*struct {
		Line, Column, Marked int
		What                 string
	}
	if err := json.Unmarshal(output, &marks); err != nil {
		t.Fatal(err)
	}
	same := 0
	for i, text := range texts {
		_, err := parse(text)
		mistake, ok := err.(*syntaxError)
		switch mark := marks[i]; {
		case !ok:
			t.Errorf("%q is taken for JSON", text)
		case mark == nil:
			t.Errorf("%q: %v, the editor finds no mistake", text, mistake)
		case mistake.place == place{mark.Line, mark.Column}:
			same++
		case !wholeTokens[mark.What] || mistake.Line != mark.Line || mistake.Column < mark.Column || mistake.Column > mark.Column+mark.Marked:
			t.Errorf("%q: %v, the editor marks line %d, column %d: %s", text, mistake, mark.Line, mark.Column, mark.What)
		}
	}
	t.Logf("%d documents, %d places are where a mark begins, the others are in it", len(texts), same)
	if same < 60 {
		t.Errorf("%d of %d places are where a mark begins", same, len(texts))
	}
}
