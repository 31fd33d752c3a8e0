// Package reading reads API descriptions of all formats that can be imported: OpenAPI
// 3.0, 3.1 and 3.2, Swagger 2.0, and Postman collections 2.0 and 2.1, as JSON, YAML,
// or split into the files of a zip archive. It is pure, and it tells the formats
// apart by the content alone.
package reading

import (
	"bytes"
	"cmp"
	"strings"

	"heliograph/app/documentation/importing/bundle"
	"heliograph/app/documentation/importing/finding"
	"heliograph/app/documentation/importing/postman"
	"heliograph/app/documentation/importing/swagger"
	"heliograph/app/documentation/openapi"
	"heliograph/app/documentation/openapi/tree"
	"heliograph/app/fault"
)

// The formats of documents.
const (
	formatOpenAPI = "OpenAPI"
	formatSwagger = "Swagger"
	formatPostman = "Postman"
)

// Reading is a document that was read.
type Reading struct {
	Format   string // OpenAPI, Swagger or Postman
	Version  string // of the format
	Document *openapi.Document
	Found    *finding.List
	// Operations is the number of operations of the source: methods of paths and
	// webhooks, or requests of a collection.
	Operations int
}

// Read reads a document. Errors are Invalid or TooLarge faults that name the place
// and what to change.
func Read(data []byte) (*Reading, error) {
	found := &finding.List{}
	root, err := decode(data, found)
	if err != nil {
		return nil, err
	}
	r := &Reading{}
	if r.Format, r.Version, root, err = identify(root); err != nil {
		return nil, err
	}
	switch {
	case r.Format == formatSwagger:
		r.Operations = count(root)
		root, err = swagger.Convert(root, found)
	case r.Format == formatPostman:
		r.Operations = requests(root.Get("item"))
		root, err = postman.Convert(root, found)
	default:
		r.Operations = count(root)
		if strings.HasPrefix(r.Version, "3.2") {
			downgrade(root, found)
		}
	}
	if err != nil {
		return nil, err
	}
	if r.Document, err = openapi.ReadTree(root); err != nil {
		return nil, err
	}
	for _, w := range r.Document.Warnings {
		action := finding.Repaired
		if w.Dropped {
			action = finding.Dropped
		}
		found.Put(finding.Finding{Line: w.Line, Column: w.Column, Place: w.Place, Action: action, Message: w.Message})
	}
	r.Found = found
	return r, nil
}

// decode reads a file: an archive, or one document.
func decode(data []byte, found *finding.List) (*tree.Node, error) {
	if bytes.HasPrefix(data, []byte("PK\x03\x04")) || bytes.HasPrefix(data, []byte("PK\x05\x06")) {
		return bundle.Read(data, found)
	}
	if len(data) > 0 && bytes.IndexByte(data[:min(len(data), 512)], 0) >= 0 {
		return nil, fault.New(fault.Invalid, "This is not text. Choose a JSON or YAML file, or a zip archive of them.")
	}
	return tree.Read(data)
}

// identify returns the format of a document and its version by the keys of its root,
// and the document itself without an envelope.
func identify(root *tree.Node) (format, version string, inner *tree.Node, err error) {
	if !root.Is(tree.KindObject) {
		return "", "", nil, fault.New(fault.Invalid, "This is no API description: the document is not an object. Choose an OpenAPI, Swagger or Postman file.")
	}
	if c := root.Get("collection"); c.Get("info") != nil && c.Get("item") != nil { // as Postman's API answers
		root = c
	}
	switch v := root.Get("openapi").Display(); {
	case strings.HasPrefix(v, "3.0"), strings.HasPrefix(v, "3.1"), strings.HasPrefix(v, "3.2"):
		return formatOpenAPI, v, root, nil
	case v != "":
		return "", "", nil, fault.New(fault.Invalid, "Line %d: this is OpenAPI %.20s. OpenAPI 3.0, 3.1 and 3.2 can be imported.", root.Get("openapi").Line, v)
	}
	if v := root.Get("swagger"); v != nil {
		if text := v.Display(); text != "2.0" && text != "2" {
			return "", "", nil, fault.New(fault.Invalid, "Line %d: this is Swagger %.20s. Swagger 2.0 can be imported.", v.Line, text)
		}
		return formatSwagger, "2.0", root, nil
	}
	if root.Get("info").Is(tree.KindObject) && root.Get("item").Is(tree.KindArray) {
		version = "2.1"
		if strings.Contains(root.Get("info").Str("schema"), "v2.0") {
			version = "2.0"
		}
		return formatPostman, version, root, nil
	}
	if root.Get("requests") != nil && (root.Get("order") != nil || root.Get("folders") != nil) {
		return "", "", nil, fault.New(fault.Invalid, "This is a Postman collection of format 1. Export it from Postman as a collection 2.1.")
	}
	if root.Get("asyncapi") != nil {
		return "", "", nil, fault.New(fault.Invalid, "This is an AsyncAPI document. OpenAPI, Swagger 2.0 and Postman collections can be imported.")
	}
	return "", "", nil, fault.New(fault.Invalid, "This is no API description: its first level has no openapi, swagger, or info with item, but %.80s. Choose an OpenAPI, Swagger or Postman file.", keysOf(root))
}

func keysOf(root *tree.Node) string {
	var keys []string
	for _, m := range root.Members {
		keys = append(keys, m.Key)
		if len(keys) == 4 {
			break
		}
	}
	return cmp.Or(strings.Join(keys, ", "), "nothing")
}

// counted are the members of a Path Item that are counted as operations.
var counted = map[string]bool{"get": true, "put": true, "post": true, "delete": true, "options": true, "head": true, "patch": true, "trace": true, "query": true}

// count counts the operations of an OpenAPI or Swagger document.
func count(root *tree.Node) (n int) {
	for _, key := range []string{"paths", "webhooks"} {
		for _, m := range root.Entries(key) {
			item := root.Follow(m.Value)
			if item == nil || !item.Is(tree.KindObject) {
				continue
			}
			for _, o := range item.Members {
				if counted[o.Key] && o.Value.Is(tree.KindObject) {
					n++
				}
			}
			n += len(item.Entries("additionalOperations"))
		}
	}
	return n
}

// requests counts the requests of a collection.
func requests(items *tree.Node) (n int) {
	for _, item := range items.Elements() {
		if item.Get("item") != nil {
			n += requests(item.Get("item"))
		} else if item.Get("request") != nil {
			n++
		}
	}
	return n
}
