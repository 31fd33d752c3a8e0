// Package prepare reads an imported document and compares it with what is published.
// It is pure, so that it can run in a process of its own with bounds on memory and
// time: see [Child] and [Serve].
package prepare

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"

	"heliograph/app/documentation/compare"
	"heliograph/app/documentation/importing/finding"
	"heliograph/app/documentation/importing/merging"
	"heliograph/app/documentation/importing/reading"
	"heliograph/app/documentation/openapi"
	"heliograph/app/documentation/openapi/tree"
	"heliograph/app/fault"
	"heliograph/app/lists"
)

// Request asks to read a document.
type Request struct {
	Data []byte
	// Place is the address of the version, where links between its parts lead; empty
	// leaves them as they are.
	Place string
	// Live is what is published of the version, nil for a new one.
	Live        *openapi.Parts
	Description string          // of the published version
	Base        json.RawMessage `json:",omitempty"` // the document of the last import that was published, as OpenAPI 3.1; empty for none
	Left        []string        // addresses of operations that the last import did not take
}

// Result is a document that was read.
type Result struct {
	Format        string
	FormatVersion string
	Title         string
	TitleVersion  string
	Sources       int // operations of the source
	Operations    int // endpoints and callbacks of the document
	Schemas       int
	Findings      []finding.Finding
	MoreFindings  int
	Converted     json.RawMessage // the document as OpenAPI 3.1
	Plan          Plan
}

// Plan is what taking a document would change.
type Plan struct {
	Operations []operation         `json:"operations"`
	General    []change            `json:"general,omitempty"` // what belongs to no operation
	Endpoints  compare.Count       `json:"endpoints"`
	Levels     compare.LevelCounts `json:"levels"`
	Incomplete bool                `json:"incomplete,omitempty"`
	Kept       []string            `json:"kept,omitempty"` // operations with texts of people that stay
	Own        []string            `json:"own,omitempty"`  // operations that people added and that stay
	Summary    string              `json:"summary,omitempty"`
	Server     string              `json:"server,omitempty"`
	More       int                 `json:"more,omitempty"` // findings beyond those listed
	Sources    int                 `json:"sources"`        // operations of the source
}

// operation is an operation of the plan.
type operation struct {
	Slug     string              `json:"slug"`
	Name     string              `json:"name"`
	Category string              `json:"category,omitempty"`
	Method   string              `json:"method"`
	Path     string              `json:"path"`
	Callback bool                `json:"callback,omitempty"`
	Class    compare.Class       `json:"class"`
	Levels   compare.LevelCounts `json:"levels"`
	Changes  []change            `json:"changes,omitempty"`
	More     int                 `json:"more,omitempty"` // changes beyond those listed
}

// change is a change of an operation.
type change struct {
	Level  compare.Level `json:"level"`
	Title  string        `json:"title"`
	Place  string        `json:"place,omitempty"`
	Before string        `json:"before,omitempty"`
	After  string        `json:"after,omitempty"`
}

// HasChanges reports whether taking the document would change anything.
func (p *Plan) HasChanges() bool {
	return p.Endpoints.Added+p.Endpoints.Changed+p.Endpoints.Removed+len(p.General) > 0
}

// Prepare reads a document and reports its progress, unless progress is nil.
func Prepare(r Request, progress func(percent int, stage string)) (*Result, error) {
	if progress == nil {
		progress = func(int, string) {}
	}
	progress(10, "Reading the document")
	read, err := reading.Read(r.Data)
	if err != nil {
		return nil, err
	}
	d := read.Document
	if len(d.Operations)+len(d.Callbacks) == 0 {
		return nil, fault.New(fault.Invalid, "The document describes no operations. Choose one that has paths, webhooks or requests.")
	}
	progress(50, "Writing it as OpenAPI 3.1")
	assembled, err := openapi.Assemble(d.Parts)
	if err != nil {
		return nil, err
	}
	converted := assembled.Root.JSON()
	if len(converted) > tree.MaxBytes {
		return nil, fault.New(fault.TooLarge, "As OpenAPI 3.1 the document is over %d MiB. Split it into smaller documents.", tree.MaxBytes>>20)
	}
	if d, converted, err = relink(d, converted, r.Place, read.Found); err != nil {
		return nil, err
	}
	progress(65, "Comparing it with what is published")
	result := &Result{
		Format: read.Format, FormatVersion: read.Version, Title: d.Title, TitleVersion: d.Version, Sources: read.Operations,
		Operations: len(d.Operations) + len(d.Callbacks), Schemas: len(d.Schemas), Findings: read.Found.All, MoreFindings: read.Found.More, Converted: converted,
	}
	merged, err := Merge(r, d, nil)
	if err != nil {
		return nil, err
	}
	if result.Plan, err = plan(r.Live, merged); err != nil {
		return nil, err
	}
	result.Plan.More, result.Plan.Sources = read.Found.More, read.Operations
	result.Plan.Server = assembled.Root.At("/servers/0").Str("url")
	result.Plan.Summary = assembled.Root.Get("info").Str("summary")
	progress(95, "Saving")
	return result, nil
}

// Merge merges a document with what is published.
func Merge(r Request, d *openapi.Document, skip []string) (*merging.Merged, error) {
	s := merging.Sources{File: d, Live: r.Live, Description: r.Description, Left: lists.Set(r.Left), Skip: lists.Set(skip)}
	if len(r.Base) > 0 {
		base, err := openapi.Read(r.Base)
		if err != nil {
			return nil, fmt.Errorf("reading the last import: %w", err)
		}
		s.Base = base
	}
	return merging.Merge(s)
}

func sorted(names map[string]bool) []string { return slices.Sorted(maps.Keys(names)) }

const (
	maxChanges = 30  // of one operation that the plan lists
	maxText    = 200 // characters of a value
)

// plan compares what is published with the merged document.
func plan(live *openapi.Parts, merged *merging.Merged) (p Plan, err error) {
	if live == nil {
		live = &openapi.Parts{Frame: json.RawMessage(`{"openapi":"3.1.1","info":{"title":"","version":""},"paths":{}}`)}
	}
	before, err := openapi.Assemble(*live)
	if err != nil {
		return p, err
	}
	after, err := openapi.Assemble(merged.Document.Parts)
	if err != nil {
		return p, err
	}
	report := compare.Documents(before, after)
	p = Plan{Endpoints: report.Endpoints, Levels: report.Levels, Incomplete: report.Incomplete, Kept: merged.Kept, Own: merged.Own}
	for i := range report.Operations {
		op := &report.Operations[i]
		shown := op.Shown()
		made := operation{Slug: shown.Slug, Name: shown.Name, Category: shown.Category, Method: shown.Method, Path: shown.Path, Callback: op.Callback, Class: op.Class, Levels: op.Levels}
		if op.Class == compare.Changed {
			if op.Before != nil {
				made.Slug = op.Before.Slug
			}
			made.Changes, made.More = changes(op.Changes)
		}
		p.Operations = append(p.Operations, made)
	}
	if len(live.Operations)+len(live.Callbacks) > 0 {
		p.General, _ = changes(report.General)
	}
	return p, nil
}

func changes(list []compare.Change) (made []change, more int) {
	list = slices.Clone(list)
	slices.SortStableFunc(list, func(a, b compare.Change) int {
		return slices.Index(compare.Levels, a.Level) - slices.Index(compare.Levels, b.Level)
	})
	for i, c := range list {
		if i == maxChanges {
			return made, len(list) - i
		}
		made = append(made, change{Level: c.Level, Title: c.Title, Place: c.Place, Before: short(c.Before), After: short(c.After)})
	}
	return made, 0
}

func short(s string) string {
	if r := []rune(s); len(r) > maxText {
		return string(r[:maxText]) + "…"
	}
	return s
}

// asFault returns the error of a document for its import; ok is false for errors of the
// program.
func asFault(err error) (f *fault.Error, ok bool) {
	return f, errors.As(err, &f)
}
