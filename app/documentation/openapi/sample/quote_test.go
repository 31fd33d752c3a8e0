package sample

import (
	"bufio"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"go/constant"
	"go/token"
	gotypes "go/types"
	"io"
	"math/rand/v2"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"

	"heliograph/app/documentation/openapi/tree"
)

// quoting is one way in which samples write a text, and a program around it
// that prints the bytes of each text in hex, a line for each.
type quoting struct {
	name, file       string
	needs            []string
	quote            func(string) string
	head, each, tail string // each has a %s
	run              [][]string
	raw              bool // the text is JSON, in a raw string
}

var quotings = []quoting{
	{"curl", "q.sh", nil, shellQuote, "", "printf %%s %s | od -An -v -tx1 | tr -d ' \\n'; echo\n", "", [][]string{{"sh", "q.sh"}}, false},
	{"javascript", "q.mjs", []string{"node --version"}, jsQuote, "", jsPrint, "", [][]string{{"node", "q.mjs"}}, false},
	{"javascript key", "q.mjs", []string{"node --version"}, func(s string) string { return "Object.keys({" + jsKey(s) + ": 1})[0]" }, "", jsPrint, "", [][]string{{"node", "q.mjs"}}, false},
	{"nodejs", "q.mjs", []string{"node --version"}, nodeQuote, `const apiKey = "<API_KEY>", accessToken = "<ACCESS_TOKEN>";` + "\n", jsPrint, "", [][]string{{"node", "q.mjs"}}, false},
	{"python", "q.py", []string{"python3 --version"}, pyQuote, "", "print(%s.encode().hex())\n", "", [][]string{{"python3", "q.py"}}, false},
	{"php", "q.php", []string{"php --version"}, phpQuote, "<?php\n", "echo bin2hex(%s), PHP_EOL;\n", "", [][]string{{"php", "q.php"}}, false},
	{"php inner", "q.php", []string{"php --version"}, func(s string) string { return `"` + phpInner(s) + `"` }, "<?php\n", "echo bin2hex(%s), PHP_EOL;\n", "", [][]string{{"php", "q.php"}}, false},
	{"php nowdoc", "q.php", []string{"php --version"}, func(s string) string { return "<<<'JSON'\n" + jsonText(s) + "\nJSON" }, "<?php\n", "echo bin2hex(%s), PHP_EOL;\n", "", [][]string{{"php", "q.php"}}, true},
	{"java", "Q.java", []string{"javac -version", "java -version"}, javaQuote, javaHead, "        p(%s);\n", "    }\n}\n", runQ, false},
	{"java block", "Q.java", []string{"javac -version", "java -version"}, func(s string) string { return javaBlock(jsonText(s), "        ") }, javaHead, "        p(%s);\n", "    }\n}\n", runQ, true},
	{"csharp", "q.cs", []string{"mcs --version", "mono --version"}, csQuote, csHead, "        P(%s);\n", "    }\n}\n", runCS, false},
	{"csharp verbatim", "q.cs", []string{"mcs --version", "mono --version"}, func(s string) string { return csVerbatim(jsonText(s)) }, csHead, "        P(%s);\n", "    }\n}\n", runCS, true},
}

const (
	jsPrint  = "console.log(Buffer.from(%s).toString(\"hex\"));\n"
	javaHead = `class Q {
    static void p(String s) {
        System.out.println(java.util.HexFormat.of().formatHex(s.getBytes(java.nio.charset.StandardCharsets.UTF_8)));
    }

    public static void main(String[] args) {
`
	csHead = `using System;
using System.Text;

class Q
{
    static void P(string s)
    {
        Console.WriteLine(BitConverter.ToString(Encoding.UTF8.GetBytes(s)).Replace("-", "").ToLower());
    }

    static void Main()
    {
`
)

var (
	runQ  = [][]string{{"javac", "-encoding", "UTF-8", "Q.java"}, {"java", "-cp", ".", "Q"}}
	runCS = [][]string{{"mcs", "-codepage:utf8", "-out:q.exe", "q.cs"}, {"mono", "q.exe"}}
)

// jsonText is a text within JSON as a sample has it.
func jsonText(s string) string { return visible(tree.Array(tree.String(s)).Pretty()) }

// chanceTexts are made of pieces that mean something to a language.
func chanceTexts(count int) []string {
	pieces := []string{
		`"`, `'`, "`", `\`, `\\`, "$", "${", "{", "}", "#{", "%", "%s", "%41", "\n", "\r", "\t", "\b", "\f", "\v", "\a", "\x1b", "\x7f", "\u0080", "\u0085", "\u00a0", "\u00ad",
		"\u200b", "\u200d", "\u2028", "\u2029", "\u202e", "\ufeff", "\uffff", "\ufffd", "é", "漢", "😀", "\U000e0041", "\U0010ffff", "u0041", "x41", "101", "n", "0", "7", "a", " ",
		"@", "!", "</script>", "<!--", "-->", "?>", "*/", "//", "JSON", `"""`, `'''`, "<API_KEY>", "<ACCESS_TOKEN>", "__proto__", ";", "=",
	}
	random := rand.New(rand.NewPCG(1, 2)) // the same texts each time
	list := append([]string{"", "__proto__", "<API_KEY>"}, nasty...)
	for len(list) < count {
		var b strings.Builder
		for range random.IntN(8) + 1 {
			b.WriteString(pieces[random.IntN(len(pieces))])
		}
		list = append(list, b.String())
	}
	return list
}

// TestQuotings holds what every interpreter and compiler reads to the text that
// was written.
func TestQuotings(t *testing.T) {
	t.Parallel()
	for _, q := range quotings {
		t.Run(q.name, func(t *testing.T) {
			t.Parallel()
			need(t, q.needs)
			list := chanceTexts(400)
			source := q.head
			for _, text := range list {
				source += fmt.Sprintf(q.each, q.quote(text))
			}
			dir := t.TempDir()
			write(t, filepath.Join(dir, q.file), source+q.tail)
			var out []byte
			for _, args := range q.run {
				var err error
				if out, err = execute(dir, args[0], args[1:]...); err != nil {
					t.Fatalf("%v: %.2000s", err, out)
				}
			}
			lines := strings.Split(strings.TrimSuffix(string(out), "\n"), "\n")
			if len(lines) != len(list) {
				t.Fatalf("%d texts, %d lines: %.2000s", len(list), len(lines), out)
			}
			for i, line := range lines {
				want := list[i]
				if q.raw {
					want = jsonText(want)
				}
				if got, err := hex.DecodeString(line); err != nil || string(got) != want {
					t.Errorf("%q is written %s and read as %q (%v)", list[i], q.quote(list[i]), got, err)
				}
			}
		})
	}
}

// interpreter evaluates literals, one on each line as JSON, and prints their
// bytes in hex.
type interpreter struct {
	quote func(string) string
	in    io.Writer
	out   *bufio.Reader
}

// FuzzQuotings holds what Go, Node.js, Python and PHP read to what was written.
func FuzzQuotings(f *testing.F) {
	var running []*interpreter
	for _, c := range []struct {
		quote func(string) string
		args  []string
	}{
		{jsQuote, []string{"node", "-e", `require("readline").createInterface(process.stdin).on("line", (l) => console.log(Buffer.from(eval(JSON.parse(l))).toString("hex")))`}},
		{nodeQuote, []string{"node", "-e", `const apiKey = "<API_KEY>", accessToken = "<ACCESS_TOKEN>"; require("readline").createInterface(process.stdin).on("line", (l) => console.log(Buffer.from(eval(JSON.parse(l))).toString("hex")))`}},
		{pyQuote, []string{"python3", "-uc", "import ast, json, sys\nfor l in sys.stdin: print(ast.literal_eval(json.loads(l)).encode().hex())"}},
		{phpQuote, []string{"php", "-r", `while (($l = fgets(STDIN)) !== false) echo bin2hex(eval('return ' . json_decode($l) . ';')), "\n";`}},
	} {
		if _, err := exec.LookPath(c.args[0]); err == nil {
			running = append(running, start(f, c.quote, c.args))
		}
	}
	for _, text := range chanceTexts(100) {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if !utf8.ValidString(text) || strings.ContainsRune(text, 0) {
			return // no document holds it
		}
		for expression, want := range map[string]string{goQuote(text): text, goRaw(jsonText(text)): jsonText(text)} {
			v, err := gotypes.Eval(token.NewFileSet(), nil, token.NoPos, expression)
			if err != nil || constant.StringVal(v.Value) != want {
				t.Fatalf("%q as %s: %v", text, expression, err)
			}
		}
		for _, i := range running {
			if got := i.read(t, i.quote(text)); got != text {
				t.Fatalf("%q is written %s and read as %q", text, i.quote(text), got)
			}
		}
	})
}

func start(f *testing.F, quote func(string) string, args []string) *interpreter {
	f.Helper()
	cmd := exec.Command(args[0], args[1:]...)
	in, err := cmd.StdinPipe()
	if err != nil {
		f.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		f.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		f.Fatal(err)
	}
	f.Cleanup(func() {
		_ = in.Close() // ends the program
		_ = cmd.Wait()
	})
	return &interpreter{quote, in, bufio.NewReader(out)}
}

func (i *interpreter) read(t *testing.T, literal string) string {
	t.Helper()
	line, err := json.Marshal(literal)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := i.in.Write(append(line, '\n')); err != nil {
		t.Fatalf("%s: %v", literal, err)
	}
	answer, err := i.out.ReadString('\n')
	if err != nil {
		t.Fatalf("%s: %v", literal, err)
	}
	got, err := hex.DecodeString(strings.TrimSpace(answer))
	if err != nil {
		t.Fatalf("%s: %v", literal, err)
	}
	return string(got)
}

// Characters of an address are escaped once: what is escaped already stays.
func TestAddressesAreEscapedOnce(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"/lamps/a b": "/lamps/a%20b", "/lamps/a%20b": "/lamps/a%20b", "/lamps/%C3%a4": "/lamps/%C3%a4", "/lamps/ä": "/lamps/%C3%A4",
		"/100%": "/100%25", "/%4": "/%254", "/%4g": "/%254g", "/%g4": "/%25g4", "/{id}": "/%7Bid%7D",
	} {
		if got := encodeAddress(text, ""); got != want {
			t.Errorf("%s is escaped as %s, want %s", text, got, want)
		}
	}
	if got := encodeAddress("/{id}", "{}"); got != "/{id}" {
		t.Errorf("characters to keep are escaped: %s", got)
	}
}
