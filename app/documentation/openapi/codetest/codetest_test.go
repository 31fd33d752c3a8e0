package codetest

import (
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"heliograph/db/seed"
)

// Every code of the published contracts has a row, and every row is of a published
// code. The packages of the tests hold that the tests provoke them.
func TestEveryPublishedCodeHasATest(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("codes.md")
	if err != nil {
		t.Fatal(err)
	}
	rows := read(string(text))
	if want := format(slices.Clone(rows)); string(text) != want {
		t.Errorf("codes.md was edited by hand: write it with -codes")
	}
	published := publishedCodes(t)
	if len(published) < 115 {
		t.Fatalf("only %d published codes were found", len(published))
	}
	for _, r := range rows {
		if !published[r.Interface+" "+r.Code] {
			t.Errorf("%s code %s has a test and is not published", r.Interface, r.Code)
		}
		delete(published, r.Interface+" "+r.Code)
	}
	for _, e := range exceptions {
		for _, code := range e.codes {
			if published[e.interfaceName+" "+code] == strings.HasPrefix(e.why, "not published") {
				t.Errorf("%s code %s: %s", e.interfaceName, code, e.why)
			}
			delete(published, e.interfaceName+" "+code)
		}
	}
	for code := range published {
		t.Errorf("no test provokes %s", code)
	}
}

var (
	tableRow     = regexp.MustCompile("^\\s+\\| ((?:`?\\d+`?(?:, )?)+) \\|")
	faultRow     = regexp.MustCompile(`^\s+\| \d{3} \| ([\d, ]+) \|`)
	answerStatus = regexp.MustCompile(`^\s+"([45]\d\d)":`)
	number       = regexp.MustCompile(`\d+`)
)

// publishedCodes returns the codes that the contracts list.
func publishedCodes(t *testing.T) map[string]bool {
	t.Helper()
	codes := map[string]bool{}
	add := func(name, cell string) {
		for _, code := range number.FindAllString(cell, -1) {
			codes[name+" "+code] = true
		}
	}
	for l := range strings.Lines(contract(t, "messaging.yaml")) {
		if m := faultRow.FindStringSubmatch(l); m != nil {
			add("messaging", m[1])
		}
	}
	otp := false
	for l := range strings.Lines(contract(t, "sms.yaml")) {
		if strings.HasPrefix(l, "  /") {
			otp = strings.HasPrefix(l, "  /index.php/") || strings.HasPrefix(l, "  /hlr/")
		}
		if m := answerStatus.FindStringSubmatch(l); m != nil && otp {
			add("sms otp", m[1])
		}
	}
	tables := 0 // the submission's codes, three tables of one-time passwords, the reasons of reports
	inside := false
	for l := range strings.Lines(contract(t, "sms.yaml")) {
		m := tableRow.FindStringSubmatch(l)
		if m == nil || len(number.FindString(m[1])) != 3 || !strings.Contains(l, "| `") {
			inside = inside && strings.Contains(l, "|")
			continue
		}
		if !inside {
			inside, tables = true, tables+1
		}
		add(map[int]string{1: "sms", 2: "sms otp", 3: "sms otp", 4: "sms otp", 5: "sms report"}[tables], m[1])
	}
	if tables != 5 {
		t.Fatalf("sms.yaml has %d tables of codes, want 5", tables)
	}
	for l := range strings.Lines(contract(t, "rcs.yaml")) {
		if m := tableRow.FindStringSubmatch(l); m != nil && strings.Contains(l, "Of a message, `") {
			add("rcs error", m[1])
		}
		if m := answerStatus.FindStringSubmatch(l); m != nil {
			add("rcs", m[1])
		}
	}
	return codes
}

func contract(t *testing.T, name string) string {
	t.Helper()
	document, err := seed.Files.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return string(document)
}

func TestCheckFindsARowThatDoesNotHold(t *testing.T) {
	Note(t, "made up", "100", "GET  /nothing")
	held := tableLine{"made up", "100", "GET /nothing", "here." + t.Name()}
	if err := check([]tableLine{held}, "here", true); err != nil {
		t.Error(err)
	}
	for _, wrong := range []tableLine{{"made up", "101", "", held.Test}, {"other", "100", "", held.Test}} {
		if err := check([]tableLine{held, wrong}, "here", false); err == nil || !strings.Contains(err.Error(), wrong.Code) {
			t.Errorf("%+v: %v", wrong, err)
		}
	}
	if err := unlisted([]tableLine{held}); err != nil {
		t.Error(err)
	}
	if err := unlisted([]tableLine{{"made up", "101", "", held.Test}}); err == nil || !strings.Contains(err.Error(), "code 100") {
		t.Errorf("a code without a row: %v", err)
	}
	elsewhere := tableLine{"made up", "101", "", "here.TestThatDidNotRun"}
	if check([]tableLine{elsewhere}, "here", false) != nil || check([]tableLine{elsewhere}, "here", true) == nil {
		t.Error("a test that was left out counts, or one that provoked nothing does not")
	}
	if got := renew([]tableLine{elsewhere}, "here"); len(got) != 1 || got[0] != held {
		t.Errorf("renewed %+v", got)
	}
}
