package spectest_test

import (
	"fmt"
	"io/fs"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"heliograph/app/documentation/openapi"
	"heliograph/app/documentation/openapi/model"
	"heliograph/app/documentation/openapi/spectest"
	"heliograph/db/seed"
)

// Every example that the published documents give keeps to its own schema.
func TestExamplesKeepToTheirSchemas(t *testing.T) {
	t.Parallel()
	files, err := fs.Glob(seed.Files, "*.yaml")
	if err != nil || len(files) == 0 {
		t.Fatalf("the seed has no documents: %v", err)
	}
	for _, file := range files {
		t.Run(file, func(t *testing.T) {
			t.Parallel()
			document, err := seed.Files.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			contract, err := spectest.New(document)
			if err != nil {
				t.Fatal(err)
			}
			read, err := openapi.Read(document)
			if err != nil {
				t.Fatal(err)
			}
			api, err := model.Compile(read.Parts)
			if err != nil {
				t.Fatal(err)
			}
			for _, c := range api.Categories {
				for _, e := range c.Endpoints {
					for _, err := range exampleErrors(contract, e) {
						t.Errorf("%s %s", e.ID, err)
					}
				}
			}
		})
	}
}

// exampleErrors checks the JSON examples that a document gives.
func exampleErrors(contract *spectest.Contract, e *model.Endpoint) []error {
	var list []error
	check := func(place string, bodies []model.Body, valid func(contentType string, body []byte) error) {
		for _, b := range bodies {
			for _, x := range b.Examples {
				if x.Generated || b.ContentType != "application/json" {
					continue
				}
				if err := valid(b.ContentType, []byte(x.Value)); err != nil {
					list = append(list, fmt.Errorf("%s, example %q: %w", place, x.Name, err))
				}
			}
		}
	}
	check("request", e.Bodies, func(contentType string, body []byte) error {
		return contract.RequestBody(e.ID, contentType, body)
	})
	for _, r := range e.Responses {
		status, err := strconv.Atoi(r.Status)
		if err != nil {
			continue // a range or default: any status would do, but which
		}
		check("response "+r.Status, r.Bodies, func(contentType string, body []byte) error {
			return contract.ResponseBody(e.ID, status, contentType, body)
		})
	}
	return list
}

// Every schema of the published documents is checked, and every pattern.
func TestPublishedDocumentsAreCheckedWhole(t *testing.T) {
	t.Parallel()
	files, err := fs.Glob(seed.Files, "*.yaml")
	if err != nil || len(files) == 0 {
		t.Fatalf("the seed has no documents: %v", err)
	}
	for _, file := range files {
		document, err := seed.Files.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		contract, err := spectest.New(document)
		if err != nil {
			t.Fatal(err)
		}
		for _, id := range contract.Operations() {
			warnings, err := contract.Warnings(id)
			if err != nil {
				t.Fatal(err)
			}
			for _, w := range warnings {
				t.Errorf("%s %s: %s: %s", file, id, w.Pointer, w.Message)
			}
		}
	}
}

// A description of a contract is never cut off: in YAML, " #" begins a comment, and
// within braces a comma begins another member, unless the text is quoted.
func TestTextsOfContractsAreWhole(t *testing.T) {
	t.Parallel()
	files, err := fs.Glob(seed.Files, "*.yaml")
	if err != nil || len(files) == 0 {
		t.Fatalf("the seed has no documents: %v", err)
	}
	cut := regexp.MustCompile(`^\s*(- )?(title|summary|description): [^"'|>\s].* #`)
	divided := regexp.MustCompile(`\{.*\b(title|summary|description): [^"'{}]*, [^:"{}]*[,}]`)
	for _, file := range files {
		document, err := seed.Files.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for i, line := range strings.Split(string(document), "\n") {
			if cut.MatchString(line) {
				t.Errorf("%s:%d: the text ends before the number sign: quote it", file, i+1)
			}
			if divided.MatchString(line) {
				t.Errorf("%s:%d: the text ends before the comma: quote it", file, i+1)
			}
		}
	}
}
