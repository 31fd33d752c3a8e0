// Package admin answers the pages of the administration area.
package admin

import (
	"net/http"
	"time"

	"heliograph/app/channels/blocklist"
	"heliograph/app/documentation/editorial"
	"heliograph/app/documentation/published"
	"heliograph/app/operation/limit"
	"heliograph/app/operation/setting"
	"heliograph/app/people/notification"
	"heliograph/app/web/page"
	"heliograph/db"
)

// Deps holds the dependencies of the handlers.
type Deps struct {
	DB      db.Querier // read only
	Gate    *page.Gate
	Limiter *limit.Limiter
	// Settings configures how Notifications sends SMS and emails.
	Settings      *setting.Settings
	Notifications *notification.Service
	PublicURL     string
	Production    bool // whether virtual delivery is a concern
	Suppressions  *blocklist.Lists
	Signals       *db.Signals // notifies open pages; may be nil
	// Storage is the health of the file storage; may be nil.
	Storage interface{ Available() bool }
	// Zone is the time zone of analytics; nil is UTC.
	Zone *time.Location
	// Drawings are the drawings of the gallery that can be icons; may be nil.
	Drawings drawings
	// Documentation is where the rules of editing write.
	Documentation db.Beginner
	Scheduler     *editorial.Scheduler
	Catalogue     *published.Catalogue
	// Reader makes the page at a path as readers would get it from a snapshot that
	// is not published.
	Reader func(r *http.Request, now *published.Snapshot, path string) (page.View, error)
}

// Handlers answers the routes under /admin.
type Handlers struct{ Deps }

// New makes the handlers.
func New(deps Deps) *Handlers { return &Handlers{deps} }
