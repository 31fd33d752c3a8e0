package compare

import (
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"strings"
)

// Level says what a change means for programs that use the API.
type Level string

// The levels of changes, the most severe first.
const (
	Breaking Level = "breaking" // programs that were right before can fail
	Risky    Level = "risky"    // some programs can fail or behave differently
	Safe     Level = "safe"     // programs go on as they are
	Prose    Level = "prose"    // texts and examples only
)

// Class says in which of the versions something is.
type Class string

// The classes of endpoints and changes.
const (
	Added     Class = "added"
	Removed   Class = "removed"
	Changed   Class = "changed"
	Unchanged Class = "unchanged"
)

// Report is the comparison of two documents.
type Report struct {
	// Operations come from the newer document in its order, endpoints
	// before callbacks, then those that only the older one has.
	Operations []Operation `json:"operations"`
	General    []Change    `json:"general"` // what belongs to no operation

	Endpoints Count       `json:"endpoints"` // callbacks included
	Fields    Count       `json:"fields"`
	Levels    LevelCounts `json:"levels"`

	// Incomplete reports that the documents were too large or too entangled to
	// be compared to the end.
	Incomplete bool `json:"incomplete"`
}

// Count counts things by class.
type Count struct {
	Added     int `json:"added"`
	Removed   int `json:"removed"`
	Changed   int `json:"changed"`
	Unchanged int `json:"unchanged"`
}

// of returns the number that counts a class.
func (c *Count) of(class Class) *int {
	switch class {
	case Added:
		return &c.Added
	case Removed:
		return &c.Removed
	case Changed:
		return &c.Changed
	}
	return &c.Unchanged
}

func (c *Count) add(class Class, n int) { *c.of(class) += n }

// Of returns the number of things of a class.
func (c Count) Of(class Class) int { return *c.of(class) }

// LevelCounts counts changes by level.
type LevelCounts struct {
	Breaking int `json:"breaking"`
	Risky    int `json:"risky"`
	Safe     int `json:"safe"`
	Prose    int `json:"prose"`
}

// of returns the number that counts a level.
func (c *LevelCounts) of(level Level) *int {
	switch level {
	case Breaking:
		return &c.Breaking
	case Risky:
		return &c.Risky
	case Safe:
		return &c.Safe
	}
	return &c.Prose
}

func (c *LevelCounts) add(level Level, n int) { *c.of(level) += n }

// Of returns the number of changes of a level.
func (c LevelCounts) Of(level Level) int { return *c.of(level) }

// Subject identifies an operation in one of the versions.
type Subject struct {
	Slug     string `json:"slug"`
	Name     string `json:"name"`
	Category string `json:"category"`
	Method   string `json:"method"`
	Path     string `json:"path"` // the name of the webhook for a callback
}

// Operation is an endpoint or a callback of one version or of both.
type Operation struct {
	Class    Class       `json:"class"`
	Callback bool        `json:"callback"`
	Before   *Subject    `json:"before,omitempty"` // nil for an added one
	After    *Subject    `json:"after,omitempty"`  // nil for a removed one
	Changes  []Change    `json:"changes"`          // in the order of the page
	Levels   LevelCounts `json:"levels"`

	// Fields counts parameters, headers and members of bodies, each once.
	// UnchangedFields names those without a change, if others have one.
	Fields          Count    `json:"fields"`
	UnchangedFields []string `json:"unchanged_fields,omitempty"`
}

// Shown returns the operation as the newer version has it, else as the older
// one had it.
func (o *Operation) Shown() *Subject {
	if o.After != nil {
		return o.After
	}
	return o.Before
}

// Worst returns the most severe level of the changes, Safe without any.
func (o *Operation) Worst() Level {
	for _, level := range Levels {
		if o.Levels.Of(level) > 0 {
			return level
		}
	}
	return Safe
}

// Size estimates what a report takes in memory, in bytes.
func (r *Report) Size() int {
	const each = 200 // of a change or an operation, besides its texts
	size := 0
	count := func(list []Change) {
		for _, c := range list {
			size += each + len(c.Place) + len(c.Before) + len(c.After) + len(c.Fingerprint) + len(c.Accepted)
		}
	}
	count(r.General)
	for i := range r.Operations {
		size += 2 * each
		count(r.Operations[i].Changes)
		for _, place := range r.Operations[i].UnchangedFields {
			size += 16 + len(place)
		}
	}
	return size
}

// Explain adds the reasons of breaking changes, by fingerprint.
func (r *Report) Explain(reasons map[string]string) {
	explain := func(list []Change) {
		for i := range list {
			if list[i].Level == Breaking {
				list[i].Accepted = reasons[list[i].Fingerprint]
			}
		}
	}
	explain(r.General)
	for i := range r.Operations {
		explain(r.Operations[i].Changes)
	}
}

// Find returns the operation with a slug in the newer or in the older version,
// nil where there is none.
func (r *Report) Find(slug string, older bool) *Operation {
	for i := range r.Operations {
		s := r.Operations[i].After
		if older {
			s = r.Operations[i].Before
		}
		if s != nil && s.Slug == slug {
			return &r.Operations[i]
		}
	}
	return nil
}

// Change is one difference.
type Change struct {
	Kind  string `json:"kind"` // a stable name, such as field-removed
	Class Class  `json:"class"`
	Level Level  `json:"level"`

	// Place is the anchor of the field on the endpoint's page, as package
	// model makes them; empty for the endpoint itself.
	Place  string `json:"place,omitempty"`
	Schema string `json:"schema,omitempty"` // the named schema that declares it
	Before string `json:"before,omitempty"`
	After  string `json:"after,omitempty"`

	Title  string `json:"title"`  // what changed
	Reason string `json:"reason"` // why it has its level, a sentence
	Advice string `json:"advice"` // what to do, a sentence

	// Fingerprint identifies the change in every comparison that has it.
	Fingerprint string `json:"fingerprint"`

	// Accepted is why a breaking change was published, empty where nobody said.
	Accepted string `json:"accepted,omitempty"`
}

// seal sets the fingerprint of a change of an operation.
func (c *Change) seal(operation string) {
	parts := []string{operation, c.Kind, c.Place, c.Before, c.After}
	if c.Place == "" {
		parts = append(parts, c.Schema)
	}
	text := strings.Join(parts, "\x00")
	sum := sha256.Sum256([]byte(text))
	c.Fingerprint = hex.EncodeToString(sum[:8])
}

// Levels lists the levels, the most severe first, and Classes the classes of
// operations.
var (
	Levels  = []Level{Breaking, Risky, Safe, Prose}
	Classes = []Class{Added, Removed, Changed, Unchanged}
)

// Fails reports whether a change has a level or a more severe one, besides those
// with the accepted fingerprints.
func (r *Report) Fails(level Level, accepted []string) bool {
	fails := func(list []Change) bool {
		return slices.ContainsFunc(list, func(c Change) bool {
			return slices.Index(Levels, c.Level) <= slices.Index(Levels, level) && !slices.Contains(accepted, c.Fingerprint)
		})
	}
	return fails(r.General) || slices.ContainsFunc(r.Operations, func(o Operation) bool { return fails(o.Changes) })
}
