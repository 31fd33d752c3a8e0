package theme

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"strings"
	"sync/atomic"
	"time"

	"heliograph/app/fault"
	"heliograph/db"
	"heliograph/db/models"
	queries "heliograph/db/queries/operation"
	"heliograph/storage"
)

// Themes reads and changes the themes. Use New.
type Themes struct {
	db      db.Beginner
	store   storage.Store
	changed chan struct{}
	current atomic.Pointer[map[Surface]*Shown]
}

// Shown is what the pages of a surface show.
type Shown struct {
	Surface Surface
	// Stylesheet is the address of the style sheet, empty for the default theme.
	Stylesheet string
	// Number is the number of the revision, zero without one.
	Number int
	Brand  Brand
}

// New returns the themes of a database. A nil store takes no pictures. Call it before
// listener.Run.
func New(database db.Beginner, store storage.Store, listener *db.Listener) *Themes {
	t := &Themes{db: database, store: store, changed: make(chan struct{}, 1)}
	if listener != nil {
		listener.Subscribe(func(payload string) {
			if payload == "" || payload == "changed:theme_revisions" {
				select {
				case t.changed <- struct{}{}:
				default:
				}
			}
		})
	}
	t.current.Store(&map[Surface]*Shown{})
	return t
}

// pollPause is how often revisions are looked for without a notification.
const pollPause = 30 * time.Second

// Run follows the revisions that other processes publish until ctx ends.
func (t *Themes) Run(ctx context.Context) {
	poll := time.NewTicker(pollPause)
	defer poll.Stop()
	for {
		if err := t.Refresh(ctx); err != nil && ctx.Err() == nil {
			slog.WarnContext(ctx, "the themes could not be read", "error", err)
		}
		select {
		case <-ctx.Done():
			return
		case <-t.changed:
		case <-poll.C:
		}
	}
}

// Refresh reads the newest revisions.
func (t *Themes) Refresh(ctx context.Context) error {
	revisions, err := queries.ThemeCurrentList(ctx, t.db)
	if err != nil {
		return fmt.Errorf("reading the themes: %w", err)
	}
	shown := map[Surface]*Shown{}
	for _, r := range revisions {
		d, err := decode(r.Document)
		if err != nil {
			return fmt.Errorf("reading the theme of %s: %w", r.Surface, err)
		}
		s := Surface(r.Surface)
		shown[s] = &Shown{Surface: s, Stylesheet: address(s, r.Hash), Number: r.Number, Brand: d.Brand}
	}
	for _, s := range Surfaces {
		if shown[s] == nil {
			shown[s] = &Shown{Surface: s}
		}
		shown[s].Brand = shown[s].Brand.over(shown[Public].Brand)
	}
	t.current.Store(&shown)
	return nil
}

// over returns the brand with what it lacks from another one. The footer and its links
// go together.
func (b Brand) over(other Brand) Brand {
	b.Name = cmp.Or(b.Name, other.Name)
	if b.Logo == "" && b.LogoDark == "" {
		b.Logo, b.LogoDark = other.Logo, other.LogoDark
	}
	if b.Icon == "" && b.IconDark == "" {
		b.Icon, b.IconDark = other.Icon, other.IconDark
	}
	if len(b.Links) == 0 {
		b.Links = other.Links
	}
	if b.Footer == "" && len(b.FooterLinks) == 0 {
		b.Footer, b.FooterLinks = other.Footer, other.FooterLinks
	}
	return b
}

// Current returns what the pages of a surface show. It asks nobody. The result is
// shared and the same until it changes.
func (t *Themes) Current(s Surface) *Shown {
	if t != nil {
		if shown := (*t.current.Load())[s]; shown != nil {
			return shown
		}
	}
	return defaults[s]
}

// defaults are what surfaces show before anything was published.
var defaults = map[Surface]*Shown{
	Public: {Surface: Public}, Organisation: {Surface: Organisation}, Administration: {Surface: Administration},
}

// Name returns the name of the public portal, empty for the default one.
func Name(ctx context.Context, q db.Querier) (string, error) {
	name, err := queries.ThemeNameGet(ctx, q)
	if err != nil {
		return "", fmt.Errorf("reading the name of the portal: %w", err)
	}
	return name, nil
}

// Stylesheet returns the style sheet of a surface with a hash.
func (t *Themes) Stylesheet(ctx context.Context, s Surface, hash string) (string, error) {
	text, err := queries.ThemeStylesheetGet(ctx, t.db, string(s), hash)
	if err != nil {
		return "", db.Absent(err, fault.New(fault.NotFound, "There is no style sheet at this address."), "reading a style sheet")
	}
	return text, nil
}

func decode(text []byte) (d Document, err error) {
	reader := json.NewDecoder(strings.NewReader(string(text)))
	err = reader.Decode(&d)
	return d, err
}

// Draft is a theme that is prepared.
type Draft struct {
	models.ThemeDraft
	Document Document
}

// Shown returns what the pages of the surface would show.
func (t *Themes) shownWith(s Surface, d Document, hash string, number int) *Shown {
	brand := d.Brand
	if s != Public {
		brand = brand.over(t.Current(Public).Brand)
	}
	return &Shown{Surface: s, Stylesheet: address(s, hash), Number: number, Brand: brand}
}
