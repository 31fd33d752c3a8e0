package overview

import (
	"context"
	"strconv"
	"time"

	"github.com/labstack/echo/v4"

	"heliograph/app/documentation/editorial"
	"heliograph/app/people/identity"
	"heliograph/app/web/documentation/desk"
	"heliograph/app/web/listing"
	"heliograph/app/web/operation/insight"
	"heliograph/app/web/page"
	"heliograph/db/models"
	documentationqueries "heliograph/db/queries/documentation"
	view "heliograph/views/operation/overview"
	"heliograph/views/ui"
)

// mostWork is the number of entries that each list of the overview shows.
const mostWork = 5

// workList is a list of change sets on the overview.
type workList struct {
	title, empty string
	filter       models.ChangeSetFilter
	all          string // its address
	checked      bool   // whether findings that block are counted
}

// releases lists what was published last.
var releases = workList{"Latest releases", "Nothing was published yet.", models.ChangeSetFilter{State: editorial.StatePublished}, page.DraftsPath + "?state=" + editorial.StatePublished, false}

// workLists are the lists of a user: what somebody who writes has open and has to review,
// and for those who read what is new and what is coming.
func workLists(user *identity.User) []workList {
	if user.Role == identity.Viewer {
		return []workList{
			releases,
			{"Drafts to read", "Nobody is changing the documentation.", models.ChangeSetFilter{State: "open"}, page.DraftsPath, false},
		}
	}
	list := []workList{
		{"My drafts", "You have no open changes. Edit an item of a product to begin.", models.ChangeSetFilter{State: "open", Author: user.ID}, page.DraftsPath + "?whose=mine", true},
		{"Waiting for my review", "Nobody waits for you.", models.ChangeSetFilter{State: "open", Reviewer: user.ID}, page.DraftsPath + "?whose=review", false},
	}
	if user.Role == identity.SuperAdmin {
		list = append(list, releases)
	}
	return list
}

// work fills the lists of a user, and unless it is a Viewer what readers read and said.
func (h *Handlers) work(c echo.Context, user *identity.User, now time.Time) (list []view.Work, err error) {
	ctx := c.Request().Context()
	for _, l := range workLists(user) {
		l.filter.Limit, l.filter.Viewer = mostWork+1, user.ID
		found, err := documentationqueries.ChangeSetEntryList(ctx, h.DB, l.filter)
		if err != nil {
			return nil, err
		}
		w := view.Work{Title: l.title, Empty: l.empty}
		if len(found) > mostWork {
			w.All = ui.Link{Label: "All of them", Href: l.all}
		}
		for _, set := range found[:min(len(found), mostWork)] {
			entry := view.WorkEntry{
				Link: ui.Link{Label: listing.Clip(set.Summary, listing.LongestValue), Href: desk.DraftPath(set.ID)},
				Mark: desk.StateMark(set.State), Note: set.Product + ", changed " + listing.Ago(set.UpdatedAt, now),
			}
			if set.Summary == "" {
				entry.Label = "Change set " + listing.Plain(set.ID)
			}
			if l.checked {
				if entry.Blocked, err = h.blocked(ctx, set.ChangeSet); err != nil {
					return nil, err
				}
			}
			w.Entries = append(w.Entries, entry)
		}
		list = append(list, w)
	}
	if user.Role == identity.Viewer {
		return list, nil
	}
	said, err := documentationqueries.FeedbackListCommented(ctx, h.DB, mostWork)
	if err != nil {
		return nil, err
	}
	w := view.Work{Title: "What readers said", Empty: "No reader has left a comment.", All: ui.Link{Label: "All feedback", Href: "/admin/feedback"}}
	for _, f := range said {
		w.Entries = append(w.Entries, view.WorkEntry{Link: ui.Link{Label: f.Page, Href: f.Page}, Note: "“" + listing.Clip(f.Comment, listing.LongestValue) + "”, " + listing.Ago(f.CreatedAt, now)})
	}
	read, err := h.read(c)
	return append(list, read, w), err
}

// read lists the pages that were read most this week.
func (h *Handlers) read(c echo.Context) (view.Work, error) {
	rows, all, err := insight.Read(c, h.DB, h.Zone, mostWork)
	w := view.Work{Title: "Read this week", Empty: "Nothing was read this week.", All: all}
	for _, r := range rows {
		w.Entries = append(w.Entries, view.WorkEntry{Link: ui.Link{Label: r.Page, Href: r.Page}, Note: listing.Some(r.Count, "view", "views") + ", " + listing.Number(int(r.EarlierCount)) + " in the week before"})
	}
	return w, err
}

// blocked says how many findings keep a change set from review, empty for none.
func (h *Handlers) blocked(ctx context.Context, set models.ChangeSet) (string, error) {
	changes, err := documentationqueries.ChangeSetItemList(ctx, h.DB, set.ID)
	if err != nil {
		return "", err
	}
	found, err := editorial.ReadQuality(ctx, h.DB, set, changes)
	switch n := len(found.Blocking()); {
	case err != nil || n == 0:
		return "", err
	case n == 1:
		return "1 finding blocks it", nil
	default:
		return strconv.Itoa(n) + " findings block it", nil
	}
}
