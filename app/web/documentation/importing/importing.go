// Package importing serves the pages on which API descriptions are brought in.
package importing

import (
	"strconv"
	"time"

	"github.com/labstack/echo/v4"

	rule "heliograph/app/documentation/importing"
	"heliograph/app/operation/limit"
	"heliograph/app/people/identity"
	"heliograph/app/web/page"
	"heliograph/db"
	"heliograph/db/models"
	"heliograph/views/layout"
	"heliograph/views/ui"
)

// Handlers answers the routes under /admin/imports.
type Handlers struct {
	Rule *rule.Service
	DB   db.Querier // read only
	Gate *page.Gate // keeps a new token for the page that shows it
	// Limiter counts what programs do.
	Limiter *limit.Limiter
	// PublicURL is the address of the portal without a slash at its end.
	PublicURL string
}

const (
	// Path is the address of the list of imports.
	Path = "/admin/imports"
	// BodyLimit is the largest form of a new import, in bytes.
	BodyLimit = rule.MaxBytes + 256<<10
	// ChoiceLimit is the largest form that accepts an import, in bytes.
	ChoiceLimit = 2 << 20
)

func frame(c echo.Context, title string) layout.Frame {
	return page.AdministrationFrame(c, title, Path)
}

// mayImport reports whether a user may bring documents in.
func mayImport(c echo.Context) bool { return page.User(c).Role != identity.Viewer }

func importPath(id int64) string { return Path + "/" + strconv.FormatInt(id, 10) }

func when(t time.Time) ui.Cell {
	return ui.Minute(t)
}

// states holds the words and tones of the states of an import.
var states = map[string]struct {
	word string
	tone ui.Tone
	note string
}{
	models.ImportQueued:    {"Queued", ui.Info, "A worker reads it as soon as one is free."},
	models.ImportReading:   {"Reading", ui.Info, "A worker reads the document."},
	models.ImportReady:     {"Ready", ui.Warn, "Choose what to take. Nothing is public before it is reviewed and published."},
	models.ImportUnchanged: {"Unchanged", ui.Good, "The version has all of this already. There is nothing to do."},
	models.ImportFailed:    {"Failed", ui.Bad, "Nothing was changed. Correct the document and import it again."},
	models.ImportCancelled: {"Cancelled", "", "Somebody cancelled it. Nothing was changed."},
	models.ImportAccepted:  {"Accepted", ui.Good, "It is in a change set, which is reviewed like all others."},
	models.ImportDiscarded: {"Discarded", "", "Nothing was changed."},
}

func badge(i models.Import) ui.Cell {
	s := states[i.State]
	return ui.Cell{Text: s.word, Badge: true, Tone: s.tone}
}

// nameOf is how people know an import.
func nameOf(i models.Import) string {
	switch {
	case i.Title != "":
		return i.Title
	case i.Name != "":
		return i.Name
	case i.Address != "":
		return rule.Masked(i.Address)
	}
	return "Pasted text"
}
