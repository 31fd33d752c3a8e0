// Package bundle reads the files of a zip archive that make one API description. It
// moves what other files describe into the components of the document. It is pure:
// references reach the files of the archive and nothing else.
package bundle

import (
	"archive/zip"
	"bytes"
	"io"
	"path"
	"slices"
	"strings"

	"heliograph/app/documentation/importing/finding"
	"heliograph/app/documentation/openapi/naming"
	"heliograph/app/documentation/openapi/tree"
	"heliograph/app/fault"
)

const (
	maxFiles = 2000
	maxNodes = tree.MaxNodes // of the bundled document
)

// Read reads an archive. Its root document is the one file that is an API description.
func Read(data []byte, found *finding.List) (*tree.Node, error) {
	archive, err := zip.NewReader(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		return nil, fault.New(fault.Invalid, "The zip archive is damaged: %s. Make it again.", err)
	}
	b := &bundler{files: map[string]*tree.Node{}, texts: map[string][]byte{}, found: found, made: map[string]string{}, taken: map[string]map[string]bool{}, inlining: map[string]bool{}}
	if err := b.unpack(archive); err != nil {
		return nil, err
	}
	root, err := b.findRoot()
	if err != nil {
		return nil, err
	}
	b.root = b.files[root]
	if b.root.Get("swagger") == nil && b.root.Get("openapi") == nil {
		return b.root, nil // a collection has no references
	}
	b.isSwagger = b.root.Get("swagger") != nil
	if err := b.resolve(b.root, place{file: root, home: "document"}); err != nil {
		return nil, err
	}
	if b.nodes > maxNodes {
		return nil, fault.New(fault.TooLarge, "The files of the archive make a document of over %d values. Split it into smaller documents.", maxNodes)
	}
	return b.root, nil
}

// bundler joins files.
type bundler struct {
	texts     map[string][]byte
	files     map[string]*tree.Node
	found     *finding.List
	root      *tree.Node
	isSwagger bool
	made      map[string]string          // reference within the root, by file, pointer and kind
	taken     map[string]map[string]bool // names of components by kind
	inlining  map[string]bool
	nodes     int
}

// unpack reads the texts of an archive within the limits of one document.
func (b *bundler) unpack(archive *zip.Reader) error {
	if len(archive.File) > maxFiles {
		return fault.New(fault.TooLarge, "The archive has over %d files. Leave out those that do not describe the API.", maxFiles)
	}
	left := int64(tree.MaxBytes)
	for _, f := range archive.File {
		name := path.Clean("/" + strings.ReplaceAll(f.Name, "\\", "/"))[1:]
		switch ext := strings.ToLower(path.Ext(name)); {
		case f.FileInfo().IsDir(), !f.Mode().IsRegular(), strings.HasPrefix(name, "__MACOSX/"), strings.HasPrefix(path.Base(name), "."):
			continue
		case ext != ".json" && ext != ".yaml" && ext != ".yml":
			continue
		}
		r, err := f.Open()
		if err != nil {
			return fault.New(fault.Invalid, "The file %.80s of the archive cannot be read: %s.", name, err)
		}
		text, err := io.ReadAll(io.LimitReader(r, left+1))
		r.Close()
		if err != nil {
			return fault.New(fault.Invalid, "The file %.80s of the archive cannot be read: %s.", name, err)
		}
		if left -= int64(len(text)); left < 0 {
			return fault.New(fault.TooLarge, "The files of the archive are over %d MiB together. Split the document into smaller ones.", tree.MaxBytes>>20)
		}
		b.texts[name] = text
	}
	if len(b.texts) == 0 {
		return fault.New(fault.Invalid, "The archive has no JSON or YAML file.")
	}
	return nil
}

// file decodes a file once.
func (b *bundler) file(name string) (*tree.Node, error) {
	if n := b.files[name]; n != nil {
		return n, nil
	}
	text, ok := b.texts[name]
	if !ok {
		return nil, nil
	}
	n, err := tree.Read(text)
	if err != nil {
		return nil, within(name, err)
	}
	b.files[name] = n
	return n, nil
}

// within names the file of an error.
func within(name string, err error) error {
	f := fault.As(err)
	if f == nil {
		return err
	}
	return fault.New(f.Kind, "%.80s: %s", name, f.Message)
}

// findRoot returns the name of the root document.
func (b *bundler) findRoot() (string, error) {
	var roots []string
	var broken error
	for name := range b.texts {
		n, err := b.file(name)
		if err != nil {
			broken = err
			continue
		}
		if n.Get("openapi") != nil || n.Get("swagger") != nil || n.Get("info") != nil && n.Get("item") != nil {
			roots = append(roots, name)
		}
	}
	slices.SortFunc(roots, func(a, b string) int {
		if d := strings.Count(a, "/") - strings.Count(b, "/"); d != 0 {
			return d
		}
		return strings.Compare(a, b)
	})
	switch {
	case len(roots) == 0 && broken != nil:
		return "", broken
	case len(roots) == 0:
		return "", fault.New(fault.Invalid, "No file of the archive is an API description. One of them must have openapi, swagger, or info with item on its first level.")
	case len(roots) > 1 && strings.Count(roots[0], "/") == strings.Count(roots[1], "/"):
		return "", fault.New(fault.Invalid, "The archive has %d API descriptions, such as %.80s and %.80s. Put each in an archive of its own.", len(roots), roots[0], roots[1])
	}
	return roots[0], nil
}

// place is where a node is used.
type place struct {
	file string // that the references of the node start from
	home string // what the node is: schema, parameter, response, pathItem …
}

// next returns what a member of an object is.
func (p place) next(key string) place {
	home := p.home
	if kind, ok := kinds[key]; ok && p.home != "names" {
		home = kind
	} else if p.home == "names" || strings.HasSuffix(p.home, "s") && p.home != "paths" {
		home = strings.TrimSuffix(p.home, "s")
	}
	return place{p.file, home}
}

// kinds says what the members of a description hold. A plural holds them by name.
var kinds = map[string]string{
	"schema": "schema", "schemas": "schemas", "definitions": "schemas", "properties": "schemas", "patternProperties": "schemas", "$defs": "schemas",
	"items": "schema", "prefixItems": "schema", "allOf": "schema", "anyOf": "schema", "oneOf": "schema", "not": "schema", "additionalProperties": "schema",
	"if": "schema", "then": "schema", "else": "schema", "contains": "schema", "propertyNames": "schema",
	"parameters": "parameter", "responses": "responses", "headers": "headers", "requestBody": "requestBody", "requestBodies": "requestBodys",
	"links": "links", "callbacks": "callbacks", "securitySchemes": "securitySchemes", "paths": "pathItems", "webhooks": "pathItems", "pathItems": "pathItems",
	"content": "media", "examples": "examples", "get": "operation", "put": "operation", "post": "operation", "delete": "operation", "options": "operation", "head": "operation", "patch": "operation", "trace": "operation",
}

// data are members with values that are not descriptions.
var data = []string{"example", "default", "enum", "const", "value", "mapping", "scopes"}

// resolve follows the references of a node to other files. It changes the node.
func (b *bundler) resolve(n *tree.Node, at place) error {
	if b.nodes++; b.nodes > maxNodes {
		return nil
	}
	for _, item := range n.Items {
		if err := b.resolve(item, at); err != nil {
			return err
		}
	}
	if !n.Is(tree.KindObject) {
		return nil
	}
	isNames := strings.HasSuffix(at.home, "s")
	if ref := n.Get("$ref"); ref.Is(tree.KindString) && !isNames {
		if done, err := b.follow(n, ref, at); err != nil || done {
			return err
		}
	}
	for _, m := range n.Members {
		next := at.next(m.Key)
		if isNames {
			next = place{at.file, strings.TrimSuffix(at.home, "s")}
			if m.Key == "parameters" && at.home == "document" {
				next.home = "parameters"
			}
		} else if slices.Contains(data, m.Key) || strings.HasPrefix(m.Key, "x-") || m.Key == "$ref" {
			continue
		}
		if err := b.resolve(m.Value, next); err != nil {
			return err
		}
	}
	return nil
}

// follow replaces a reference to another file. It reports whether the node is done.
func (b *bundler) follow(n, ref *tree.Node, at place) (bool, error) {
	file, pointer, _ := strings.Cut(ref.Text, "#")
	if file == "" && b.files[at.file] == b.root {
		return true, nil
	}
	target := at.file
	if file != "" {
		if strings.Contains(file, "://") || strings.HasPrefix(file, "//") || strings.HasPrefix(file, "/") {
			return false, within(at.file, tree.Invalid(int(ref.Line), int(ref.Column), "the $ref %.80q leads outside the archive; add the file to it and refer to it by a relative path", ref.Text))
		}
		target = path.Clean(path.Join(path.Dir(at.file), tree.Unescape(file)))
	}
	source, err := b.file(target)
	if err != nil {
		return false, err
	}
	var to *tree.Node
	if source != nil {
		to = source.At(tree.Unescape(pointer))
	}
	if to == nil {
		return false, within(at.file, tree.Invalid(int(ref.Line), int(ref.Column), "the $ref %.80q has no target in the archive; add the file, or correct the path", ref.Text))
	}
	if source == b.root && pointer != "" {
		n.Set("$ref", located(ref, "#"+pointer))
		return true, nil
	}
	return true, b.bring(n, ref, to, origin{target, pointer, at.home})
}

func located(source *tree.Node, text string) *tree.Node {
	n := tree.String(text)
	n.Line, n.Column = source.Line, source.Column
	return n
}

// origin is a part of another file.
type origin struct{ file, pointer, home string }

// containers are where a document has parts of each kind.
var containers = map[string]string{
	"schema": "schemas", "parameter": "parameters", "response": "responses", "header": "headers", "requestBody": "requestBodies", "example": "examples",
	"link": "links", "callback": "callbacks", "securityScheme": "securitySchemes",
}

// bring moves a part of another file into the components, or into the place of the
// reference where there is no container for it.
func (b *bundler) bring(n, ref, to *tree.Node, from origin) error {
	container := containers[from.home]
	if b.isSwagger {
		container = map[string]string{"schemas": "definitions", "parameters": "parameters", "responses": "responses"}[container]
	}
	if container == "" {
		return b.inline(n, ref, to, from)
	}
	key := strings.Join([]string{container, from.file, from.pointer}, "\x00")
	known, ok := b.made[key]
	if !ok {
		known = b.name(container, from)
		b.made[key] = known // before its own references, which may lead back
		home := b.container(container)
		copied := to.Without()
		copied.Kind, copied.Text, copied.Items = to.Kind, to.Text, to.Items
		home.Append(known, copied)
		if err := b.resolve(copied, place{from.file, from.home}); err != nil {
			return err
		}
	}
	prefix := "#/components/"
	if b.isSwagger {
		prefix = "#/"
	}
	n.Set("$ref", located(ref, prefix+container+"/"+tree.Escape(known)))
	return nil
}

// inline puts a copy of a part in the place of the reference.
func (b *bundler) inline(n, ref, to *tree.Node, from origin) error {
	key := from.file + "\x00" + from.pointer
	if b.inlining[key] {
		return within(from.file, tree.Invalid(int(ref.Line), int(ref.Column), "the $ref %.80q leads back to itself; write the value out", ref.Text))
	}
	b.inlining[key] = true
	defer delete(b.inlining, key)
	copied := b.copy(to)
	if err := b.resolve(copied, place{from.file, from.home}); err != nil {
		return err
	}
	if !copied.Is(tree.KindObject) {
		n.Kind, n.Text, n.Items, n.Members = copied.Kind, copied.Text, copied.Items, nil
		return nil
	}
	n.Remove("$ref")
	for _, m := range copied.Members {
		if n.Get(m.Key) == nil {
			n.Append(m.Key, m.Value)
		}
	}
	return nil
}

// copy copies a value within the budget.
func (b *bundler) copy(n *tree.Node) *tree.Node {
	if b.nodes++; b.nodes > maxNodes {
		return tree.Null()
	}
	c := &tree.Node{Kind: n.Kind, Line: n.Line, Column: n.Column, Text: n.Text}
	for _, item := range n.Items {
		c.Items = append(c.Items, b.copy(item))
	}
	for _, m := range n.Members {
		c.Members = append(c.Members, tree.Member{Key: m.Key, Value: b.copy(m.Value)})
	}
	return c
}

// container returns the object that holds parts of a kind.
func (b *bundler) container(name string) *tree.Node {
	home := b.root
	if !b.isSwagger {
		if home = b.root.Get("components"); !home.Is(tree.KindObject) {
			home = tree.Object()
			b.root.Set("components", home)
		}
	}
	list := home.Get(name)
	if !list.Is(tree.KindObject) {
		list = tree.Object()
		home.Set(name, list)
	}
	return list
}

// name finds a free name for a part: the last word of its pointer, or its file.
func (b *bundler) name(container string, from origin) string {
	if b.taken[container] == nil {
		b.taken[container] = map[string]bool{}
		for _, m := range b.container(container).Members {
			b.taken[container][m.Key] = true
		}
	}
	name := strings.TrimSuffix(path.Base(from.file), path.Ext(from.file))
	if tokens := tree.Tokens(from.pointer); len(tokens) > 0 && tokens[len(tokens)-1] != "" {
		name = tokens[len(tokens)-1]
	}
	legal := strings.Map(func(r rune) rune {
		if r < 128 && (r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("._-", r)) {
			return r
		}
		return '_'
	}, name)
	return naming.Unique(b.taken[container], legal, "_")
}
