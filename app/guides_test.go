//go:build judge

package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"
)

// lesson is a block of shell lines of a guide, and the answer that the guide
// shows for it, if it shows one.
type lesson struct {
	guide, lines string
	answer       string // JSON, or empty
}

var guideBlock = regexp.MustCompile("(?s)\n```(\\w+) title=\"([^\"]+)\"\n(.*?)\n```")

// readGuide returns the text of a guide that the program ships.
func readGuide(t *testing.T, product, guide string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("../db/seed/guides", product, guide+".md"))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// guideFile returns the block of a guide that readers save in a file of a name.
func guideFile(t *testing.T, product, guide, name string) string {
	t.Helper()
	for _, block := range guideBlock.FindAllStringSubmatch(readGuide(t, product, guide), -1) {
		if block[2] == name {
			return block[3]
		}
	}
	t.Fatalf("the guide %s has no %s", guide, name)
	return ""
}

// fillGuide puts the values of an organisation and the address of its webhook in place
// of what guides show.
func fillGuide(t *testing.T, a access, hook, lines string) string {
	t.Helper()
	filled := strings.NewReplacer(
		"http://localhost:8080", a.URL, "https://hooks.example.com", hook,
		"<API_KEY>", a.Organisation.APIKey, "<PHONE_NUMBER_ID>", a.Organisation.PhoneNumberID,
		"<BUSINESS_ACCOUNT_ID>", a.Organisation.BusinessAccountID, "<CATALOG_ID>", a.Organisation.CatalogueID,
		"<HEADER>", a.Organisation.SMSHeader, "<DLT_ENTITY_ID>", a.Organisation.DLTEntityID, "<DLT_TEMPLATE_ID>", a.Organisation.DLTTemplateID,
		"<BOT_ID>", a.Organisation.RCSBotID, "<TEXT>", a.Organisation.SMSText, "<MSG_ID>", "0cmv9o9xg6h2w1k0ybq4zt3ns", // of no message: the answer says so
	).Replace(lines)
	if left := regexp.MustCompile(`<[A-Z_]+>`).FindString(filled); left != "" {
		t.Fatalf("nothing replaces %s in\n%s", left, lines)
	}
	return filled
}

// readLessons returns the shell lines of a product's guides in the order in
// which the portal shows them. Whole scripts, with the name of a file as their title,
// have tests of their own.
func readLessons(t *testing.T, product string, guides []string) (lessons []lesson) {
	t.Helper()
	for _, guide := range guides {
		asked := false // the block before is shell
		for _, block := range guideBlock.FindAllStringSubmatch(readGuide(t, product, guide), -1) {
			switch language, title, code := block[1], block[2], block[3]; {
			case language == "sh" && strings.HasSuffix(title, ".sh"):
			case language == "sh":
				lessons = append(lessons, lesson{guide: guide, lines: code})
				asked = true
				continue
			case asked && language == "json" && title == "200 OK":
				lessons[len(lessons)-1].answer = code
			}
			asked = false
		}
	}
	return lessons
}

// Every shell line of every guide works as a reader pastes it, from the first
// guide of a product to the last, and answers as the guide says.
func TestGuidesRun(t *testing.T) {
	t.Parallel()
	needPrograms(t, "bash", "curl")
	a, stop := startDev(t, filepath.Join(t.TempDir(), "data"))
	defer stop(syscall.SIGINT)
	text, err := os.ReadFile("../db/seed/products.json")
	if err != nil {
		t.Fatal(err)
	}
	var products []struct {
		Slug   string
		Guides []struct{ Slug string }
	}
	if err := json.Unmarshal(text, &products); err != nil {
		t.Fatal(err)
	}
	for _, p := range products {
		var guides []string
		for _, g := range p.Guides {
			guides = append(guides, g.Slug)
		}
		if lessons := readLessons(t, p.Slug, guides); len(lessons) > 0 {
			t.Run(p.Slug, func(t *testing.T) { followLessons(t, a, lessons) })
		}
	}
}

// lessonEnd separates what the lessons print.
const lessonEnd = "-- end of a lesson --"

func followLessons(t *testing.T, a access, lessons []lesson) {
	hook := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {}))
	defer hook.Close()
	// An answer of 400 or more ends the script, and so does a variable that no
	// guide has set. What needs a review is asked again for some seconds.
	// curl refuses its two options for that together.
	script := "curl() { local fail=--fail-with-body; case \" $* \" in *' -f '*) fail=--silent ;; esac; command curl $fail --retry 5 --retry-delay 1 --retry-all-errors \"$@\"; }\n"
	for _, l := range lessons {
		script += fillGuide(t, a, hook.URL, l.lines) + "\necho; echo '" + lessonEnd + "'\n"
	}
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	bash := exec.CommandContext(ctx, "bash", "-euc", script)
	bash.Dir = t.TempDir()
	var errs bytes.Buffer
	bash.Stderr = &errs
	out, err := bash.Output()
	printed := strings.Split(string(out), "\n"+lessonEnd+"\n")
	if err != nil {
		at := lessons[len(printed)-1]
		t.Fatalf("%s: %v after\n%s\n%s%s", at.guide, err, at.lines, printed[len(printed)-1], &errs)
	}
	for i, l := range lessons {
		if l.answer == "" {
			continue
		}
		var documented, answered any
		if err := json.Unmarshal([]byte(l.answer), &documented); err != nil {
			t.Errorf("%s shows an answer that is not JSON: %v", l.guide, err)
		}
		if err := json.Unmarshal([]byte(printed[i]), &answered); err != nil {
			t.Errorf("%s: %v in %q", l.guide, err, printed[i])
		}
		if missing := missingMembers(documented, answered, ""); missing != "" {
			t.Errorf("%s: the answer lacks %s, which the guide shows:\n%s", l.guide, missing, printed[i])
		}
	}
}

// missingMembers returns the path of the first value of a documented answer that
// the real one lacks or has with another type, or an empty string.
func missingMembers(documented, answered any, path string) string {
	if fmt.Sprintf("%T", documented) != fmt.Sprintf("%T", answered) {
		return path + fmt.Sprintf(" (%T)", documented)
	}
	switch documented := documented.(type) {
	case map[string]any:
		for name, value := range documented {
			if missing := missingMembers(value, answered.(map[string]any)[name], path+"."+name); missing != "" {
				return missing
			}
		}
	case []any:
		for i, value := range documented {
			items := answered.([]any)
			if i >= len(items) {
				return fmt.Sprintf("%s[%d]", path, i)
			}
			if missing := missingMembers(value, items[i], fmt.Sprintf("%s[%d]", path, i)); missing != "" {
				return missing
			}
		}
	}
	return ""
}
