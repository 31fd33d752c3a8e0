// Package webhooks serves the webhooks of an organisation: of its numbers, its bots and
// its delivery reports. The pages are the same for every channel. What differs is said by
// the webhook that a channel finds.
package webhooks

import (
	"context"
	"fmt"
	"time"

	"github.com/labstack/echo/v4"

	"heliograph/app/channels/messaging"
	"heliograph/app/channels/rcs"
	"heliograph/app/channels/relay"
	"heliograph/app/channels/sms"
	"heliograph/app/web/listing"
	"heliograph/app/web/page"
	"heliograph/db"
	"heliograph/db/models"
	logsview "heliograph/views/channels/logs"
	"heliograph/views/ui"
)

// Deps holds the dependencies of the handlers.
type Deps struct {
	DB          db.Querier // read only
	Webhooks    *messaging.Webhooks
	SMSRegistry *sms.Registry
	RCS         *rcs.Service
}

// Handlers answers the routes of the webhooks of one channel.
type Handlers struct {
	db   db.Querier
	Find finder
}

// finder finds the webhook of the request, if it belongs to the organisation.
type finder func(c echo.Context) (webhook, error)

// webhook is a webhook of a channel, and what can be done with it.
type webhook interface {
	about() about
	set(ctx context.Context, s setting) error
	enable(ctx context.Context) error
	reveal(ctx context.Context) (relay.Secrets, error)
	// rotate makes a new secret. It returns nil where the secret is shown on request only.
	rotate(ctx context.Context) (*relay.Secrets, error)
	retire(ctx context.Context) error
	test(ctx context.Context) (deliveryID int64, err error)
	count(ctx context.Context, r relay.ReplayRange) (int, error)
	replay(ctx context.Context, r relay.ReplayRange) (models.Replay, error)
	// sample is a callback as it is posted, without a text where the page shows none.
	sample() (ui.Code, error)
}

// setting is what the form of a webhook sets.
type setting struct {
	url     string
	headers map[string]string
	form    string // of the events of a bot
}

// about describes a webhook to its pages.
type about struct {
	stored  models.Webhook
	set     setting
	path    string
	subject string // in the log of callbacks; empty for none
	section string // of the navigation
	up      ui.Link
	title   string    // of the page
	name    string    // in headings of questions
	facts   []ui.Pair // on the page and in questions

	hasSecret     bool
	previous      []byte // secret; nil for none
	previousUntil *time.Time

	words words
}

// words are the texts that differ by channel.
type words struct {
	region       ui.Region // of the form
	heading      string    // of the form
	save, saved  string    // the button, and the word of the notice
	placeholder  string
	hint         string
	headers      string
	headersHint  string
	isRequired   bool   // the address, which else is emptied for no callbacks
	missing      string // address
	removal      string // what removing does; empty where saving an empty address does it
	unset        string // what it means that there is no address
	unreplayable string // why nothing is replayed without one
	callbacks    string // link to the log
	enable, test string
	secret       string // what it is for
	signature    string // header that can hold only one, beside webhook-signature; empty where it stands alone
	forms        []ui.Option
}

// link leads to the page of a webhook.
func (a about) link() ui.Link { return ui.Link{Label: a.title, Href: a.path} }

// state puts the health of a webhook into words.
func (a about) state() logsview.State {
	s := webhookState(a.stored)
	if a.stored.URL == "" && a.stored.DisabledAt == nil {
		s.Note = a.words.unset
	}
	return s
}

// webhookState puts the health of a stored webhook into words.
func webhookState(w models.Webhook) logsview.State {
	switch {
	case w.DisabledAt != nil:
		return logsview.State{
			Tone: ui.Bad, Label: "Disabled",
			Note: "Callbacks are not posted since " + listing.Clock(*w.DisabledAt) + ": " + w.DisabledReason + ". When your endpoint works again, enable the webhook and replay the failed callbacks.",
		}
	case w.URL == "":
		return logsview.State{Label: "Not set"}
	case w.OpenUntil != nil:
		return logsview.State{
			Tone: ui.Warn, Label: "Failing",
			Note: fmt.Sprintf("%d attempts in a row failed since %s. At least one callback a minute is tried until one succeeds. The others wait.", w.Failures, listing.Clock(*w.FailingSince)),
		}
	case w.Failures > 0:
		return logsview.State{Tone: ui.Warn, Label: "Failing", Note: fmt.Sprintf("%d attempts in a row failed. The first was at %s.", w.Failures, listing.Clock(*w.FailingSince))}
	}
	if slow := 1 - relay.Pace(w, time.Now()); slow > 0.1 {
		return logsview.State{
			Tone: ui.Warn, Label: "Failing",
			Note: fmt.Sprintf("%.0f %% of recent attempts failed. Callbacks are posted more slowly until fewer fail.", 100*w.RecentFailures/w.RecentAttempts),
		}
	}
	return logsview.State{Tone: ui.Good, Label: "Healthy", Note: "The last callback was delivered, or none was posted yet."}
}

// act does an action without a form. Do returns where to go on and the word of the notice.
func (h *Handlers) act(c echo.Context, do func(ctx context.Context, w webhook) (address, word string, err error)) error {
	w, err := h.Find(c)
	if err != nil {
		return err
	}
	address, word, err := do(c.Request().Context(), w)
	if err != nil {
		return h.again(c, w, shown{}, err)
	}
	return page.Done(c, address, word)
}

// again shows the page of a webhook with what went wrong.
func (h *Handlers) again(c echo.Context, w webhook, s shown, err error) error {
	return page.Again(c, err, func(status int, problems *page.Problems) error {
		s.status, s.problems = status, problems
		return h.render(c, w, s)
	})
}
