package checks

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"

	"heliograph/app/documentation/content"
	"heliograph/app/documentation/openapi/tree"
	"heliograph/db/models"
)

// parts are the parts of a version as they are read.
type parts struct {
	frame   *tree.Node            // nil where it cannot be read
	schemas map[string]*tree.Node // by name
	items   []models.LiveItem     // the version and its schemas
}

// read reads the parts of the version once for all its items.
func (w *World) read() *parts {
	if w.parts != nil {
		return w.parts
	}
	w.parts = &parts{schemas: map[string]*tree.Node{}}
	for _, item := range w.Parts {
		switch item.Kind {
		case content.KindVersion:
			var v content.Version
			if json.Unmarshal(item.Content, &v) == nil {
				w.parts.frame, _ = tree.Read(v.Frame) // nil where it is broken, which other rules refuse
			}
		case content.KindSchema:
			var s content.Schema
			if json.Unmarshal(item.Content, &s) != nil {
				continue
			}
			raw, err := tree.Read(s.Raw)
			if err != nil {
				raw = tree.Null()
			}
			w.parts.schemas[s.Name] = raw
		default:
			continue
		}
		w.parts.items = append(w.parts.items, item)
	}
	return w.parts
}

// Hash returns a hash of what all items of the world depend on, without its pages.
func (w *World) Hash() string {
	if w.hash == "" {
		sum := sha256.New()
		for _, p := range w.Parts {
			fmt.Fprintf(sum, "%d %s %s\n", p.ID, p.Kind, p.Content)
		}
		for _, o := range w.Operations {
			fmt.Fprintf(sum, "%d %s %q %q %q %q\n", o.ID, o.Kind, o.Slug, o.OperationID, o.Method, o.Path)
		}
		w.hash = hex.EncodeToString(sum.Sum(nil))
	}
	return w.hash
}
