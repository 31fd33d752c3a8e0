package openapi

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync"

	"heliograph/app/documentation/openapi/tree"
	"heliograph/app/fault"
)

const (
	maxNesting  = 100 // schemas within schemas
	maxProblems = 20  // problems that one fault lists
	formatsRead = "OpenAPI 3.0 and 3.1, as JSON or YAML, are read today"
)

// Warning is a problem of a document that was read all the same.
type Warning struct {
	Place   string // JSON pointer in the document
	Line    int    // in the source, 0 when it has none
	Column  int    // in the source, 0 when it has none
	Dropped bool   // whether something was left out
	Message string // what was done about it, a sentence
}

// source is a document that is being upgraded to OpenAPI 3.1.
type source struct {
	root     *tree.Node
	warnings []Warning
	ids      map[string]bool // the operationIds of the document
}

// load decodes a document, checks its structure and references, and brings it
// to OpenAPI 3.1.
func load(data []byte) (*source, error) {
	root, err := tree.Read(data)
	if err != nil {
		return nil, err
	}
	return loadTree(root)
}

// loadTree is load for a document that is decoded. It changes the nodes.
func loadTree(root *tree.Node) (*source, error) {
	id, err := detect(root)
	if err != nil {
		return nil, err
	}
	s := &source{root: root}
	if err := s.checkReferences(); err != nil {
		return nil, err
	}
	s.dropAdded()
	s.coerce()
	if id == schema31 {
		s.upgrade()
		err = s.checkStructure(schema31)
	} else if err = s.checkStructure(schema30); err == nil {
		root.Set("openapi", tree.String("3.1.1"))
		before := slices.Clip(s.warnings)
		s.upgrade()
		// Every 3.0 document needs new words: no news to anybody.
		s.warnings = append(before, slices.DeleteFunc(s.warnings[len(before):], func(w Warning) bool { return !w.Dropped })...)
	}
	if err != nil {
		return nil, err
	}
	s.identify()
	return s, nil
}

// detect returns the official schema of a document by its root keys.
func detect(root *tree.Node) (string, error) {
	version := root.Get("openapi").Display()
	switch {
	case strings.HasPrefix(version, "3.0"):
		return schema30, nil
	case strings.HasPrefix(version, "3.1"):
		return schema31, nil
	case version != "":
		return "", fault.New(fault.Invalid, "This is OpenAPI %.20s; %s.", version, formatsRead)
	case root.Get("swagger") != nil:
		return "", fault.New(fault.Invalid, "This is a Swagger document; %s. Convert it to OpenAPI 3.", formatsRead)
	case root.Get("info") != nil && root.Get("item") != nil:
		return "", fault.New(fault.Invalid, "This is a Postman collection; %s. Export it as OpenAPI.", formatsRead)
	}
	return "", fault.New(fault.Invalid, "This is not an API description: it has no openapi key at its root; %s.", formatsRead)
}

func (s *source) warn(pointer, format string, args ...any) {
	w := Warning{Place: pointer, Message: fmt.Sprintf(format, args...)}
	w.Dropped = strings.HasPrefix(format, leftOut)
	w.Line, w.Column = s.position(pointer)
	s.warnings = append(s.warnings, w)
}

// leftOut begins the message of what was left out.
const leftOut = "Left out"

// position returns the source line and column of a pointer, or of its nearest
// ancestor.
func (s *source) position(pointer string) (line, column int) {
	for {
		if n := s.root.At(pointer); n != nil && n.Line > 0 {
			return int(n.Line), int(n.Column)
		}
		i := strings.LastIndexByte(pointer, '/')
		if i < 0 {
			return 0, 0
		}
		pointer = pointer[:i]
	}
}

// checkReferences refuses references to other documents and schemas that are
// nested too deep. It warns of references without a target and of unsupported
// patterns.
func (s *source) checkReferences() error {
	anchors := sync.OnceValue(s.anchors)
	return walk(s.root, place{part: partDocument}, func(n *tree.Node, at place) error {
		if at.nesting > maxNesting {
			return tree.Invalid(int(n.Line), int(n.Column), "schemas are nested over %d levels deep; move the inner ones to components", maxNesting)
		}
		if p := n.Get("pattern"); at.part == partSchema && p.Is(tree.KindString) {
			if _, err := regexp.Compile(p.Text); err != nil {
				s.warn(at.pointer+"/pattern", "The pattern uses what our engine lacks: it is shown but not checked.")
			}
		}
		ref := n.Get("$ref")
		if !ref.Is(tree.KindString) {
			return nil
		}
		anchor, inside := strings.CutPrefix(ref.Text, "#")
		if !inside {
			return tree.Invalid(int(ref.Line), int(ref.Column),
				"the $ref %.80q at %s leads outside the document; bring what it names into components and refer to #/components/…", ref.Text, at.pointer)
		}
		if s.root.Target(ref.Text) == nil && !anchors()[anchor] {
			s.warn(at.pointer, "The $ref %.80q has no target. It accepts any value.", ref.Text)
		}
		return nil
	})
}

// anchors lists the names that schemas give themselves with $anchor and
// $dynamicAnchor.
func (s *source) anchors() map[string]bool {
	names := map[string]bool{}
	_ = walk(s.root, place{part: partDocument}, func(n *tree.Node, at place) error { // visit never fails
		if at.part == partSchema {
			names[n.Str("$anchor")], names[n.Str("$dynamicAnchor")] = true, true
		}
		return nil
	})
	delete(names, "")
	return names
}

// coerce turns numbers into strings where the schema asks for strings: version:
// 1.0 in YAML.
func (s *source) coerce() {
	for _, pointer := range []string{"/openapi", "/info/version"} {
		if n := s.root.At(pointer); n.Is(tree.KindNumber) {
			n.Kind = tree.KindString
			s.warn(pointer, "The version is a number; it is read as text. Put it in quotes.")
		}
	}
}

// checkStructure checks the document against an official schema. Unknown
// members, and keywords of a Schema Object that break it, are left out with a
// warning. All other problems are faults.
func (s *source) checkStructure(id string) error {
	for range 5 { // leaving a member out can uncover another problem
		problems, err := structureOf(s.root, id)
		if err != nil {
			return fmt.Errorf("checking the structure: %w", err)
		}
		if len(problems) == 0 {
			return nil
		}
		schemas := s.schemaPointers()
		var fields fault.Fields
		var drop []problem
		for _, p := range problems {
			if keyword := keywordOf(p.pointer, schemas); keyword != "" {
				drop = append(drop, problem{keyword, p.reason, true})
				continue
			}
			if p.extra {
				drop = append(drop, p)
				continue
			}
			line, _ := s.position(p.pointer)
			fields.Add(p.pointer, fmt.Sprintf("Line %d: %s.", line, p.reason))
		}
		if len(fields) > 0 || len(drop) == 0 {
			return structureFault(fields)
		}
		for _, p := range drop {
			s.warn(p.pointer, leftOut+": %s.", p.reason)
			s.drop(p.pointer)
		}
	}
	return fault.New(fault.Invalid, "The document has too many structural faults. Check it with an OpenAPI validator first.")
}

func structureFault(fields []fault.Field) error {
	f := fault.InvalidFields(fields[:min(len(fields), maxProblems)]...)
	f.Message = fmt.Sprintf("The document is not valid OpenAPI. %d places must change; the first is %s: %s",
		len(fields), fields[0].Name, fields[0].Message)
	if len(fields) == 1 {
		f.Message = fmt.Sprintf("The document is not valid OpenAPI at %s: %s", fields[0].Name, fields[0].Message)
	}
	return f
}

// schemaPointers lists the pointers of Schema Objects.
func (s *source) schemaPointers() map[string]bool {
	m := map[string]bool{}
	_ = walk(s.root, place{part: partDocument}, func(_ *tree.Node, at place) error { // visit never fails
		if at.part == partSchema {
			m[at.pointer] = true
		}
		return nil
	})
	return m
}

// keywordOf returns the pointer of the keyword of a Schema Object that a
// pointer lies in, "" when it lies in none.
func keywordOf(pointer string, schemas map[string]bool) string {
	for p := pointer; p != ""; p = tree.Parent(p) {
		if schemas[tree.Parent(p)] {
			return p
		}
	}
	return ""
}

// drop removes the member that a pointer names.
func (s *source) drop(pointer string) {
	list := tree.Tokens(pointer)
	if n := s.root.At(tree.Parent(pointer)); n.Is(tree.KindObject) && len(list) > 0 {
		n.Remove(list[len(list)-1])
	}
}
