package theme

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"

	"heliograph/app/fault"
	"heliograph/app/operation/audit"
	"heliograph/db"
	"heliograph/db/models"
	queries "heliograph/db/queries/operation"
	"heliograph/db/queries/operation/writes"
)

// Author is the administrator who changes a theme.
type Author struct {
	ID    int64
	Actor string // name in the audit
}

// Load returns the draft of a surface, or the theme that is shown as a draft of version
// zero.
func (t *Themes) Load(ctx context.Context, s Surface) (Draft, error) {
	drafts, err := queries.ThemeDraftList(ctx, t.db)
	if err != nil {
		return Draft{}, fmt.Errorf("reading the draft of a theme: %w", err)
	}
	for _, row := range drafts {
		if row.Surface == string(s) {
			d, err := decode(row.Document)
			return Draft{row, d}, err
		}
	}
	revisions, err := t.History(ctx, s, 1)
	if err != nil || len(revisions) == 0 {
		return Draft{ThemeDraft: models.ThemeDraft{Surface: string(s)}}, err
	}
	newest := revisions[0]
	return Draft{models.ThemeDraft{Surface: string(s), Stylesheet: newest.Stylesheet, Hash: newest.Hash}, newest.Document}, nil
}

// Preview returns what pages show with a draft.
func (t *Themes) Preview(d Draft) *Shown {
	return t.shownWith(Surface(d.Surface), d.Document, d.Hash, 0)
}

// Save stores the draft of a surface over the version that it was based on. A document
// that is not valid names its fields. One that cannot be read is Unreadable. A version
// that is no longer the newest is a Conflict. version is the version of the saved draft.
func (t *Themes) Save(ctx context.Context, s Surface, d Document, base int, by Author) (version int, err error) {
	if d, err = d.normal(); err != nil {
		return 0, err
	}
	if problems := d.Check(); len(problems) > 0 {
		return 0, unreadable(problems)
	}
	text, hash := d.stylesheet()
	err = db.InTx(ctx, t.db, func(tx pgx.Tx) error {
		if err := t.checkPictures(ctx, tx, d.Brand); err != nil {
			return err
		}
		version, err = writes.ThemeDraftUpsert(ctx, tx, models.ThemeDraft{
			Surface: string(s), Document: d.encode(), Stylesheet: text, Hash: hash, AuthorID: by.ID, Version: base,
		})
		if db.IsNoRows(err) {
			return fault.New(fault.Conflict, "This draft was changed or published meanwhile, by somebody else or in another tab. Load the page again and repeat your change.")
		}
		return err
	})
	return version, err
}

// unreadable is the error for a document with problems. It names their fields.
func unreadable(problems []Problem) error {
	var fields []fault.Field
	for _, p := range problems {
		fields = append(fields, fault.Field{Name: p.Field(), Message: p.Message(), Code: "contrast"})
	}
	return fault.InvalidFields(fields...)
}

func (t *Themes) checkPictures(ctx context.Context, q db.Querier, b Brand) error {
	for _, p := range []struct{ field, name string }{{"logo", b.Logo}, {"logo_dark", b.LogoDark}, {"icon", b.Icon}, {"icon_dark", b.IconDark}} {
		if p.name == "" {
			continue
		}
		if _, err := queries.ThemePictureGet(ctx, q, p.name); db.IsNoRows(err) {
			return fault.InvalidFields(fault.Field{Name: p.field, Message: "This picture is not stored here. Upload it again."})
		} else if err != nil {
			return err
		}
	}
	return nil
}

// Discard removes the draft of a surface.
func (t *Themes) Discard(ctx context.Context, s Surface) error {
	if err := writes.ThemeDraftDelete(ctx, t.db, string(s)); err != nil {
		return fmt.Errorf("discarding the draft of a theme: %w", err)
	}
	return nil
}

// Publish shows the draft of a surface to everybody. version is the version of the draft that
// the administrator has seen.
func (t *Themes) Publish(ctx context.Context, s Surface, version int, by Author) error {
	return t.publish(ctx, s, by, func(tx pgx.Tx) (r models.ThemeRevision, err error) {
		draft, err := writes.ThemeDraftLock(ctx, tx, string(s))
		if db.IsNoRows(err) {
			return r, fault.New(fault.Conflict, "There is no draft to publish. Save one first.")
		}
		if err != nil {
			return r, err
		}
		if draft.Version != version {
			return r, fault.New(fault.Conflict, "The draft was changed meanwhile. Look at it again before you publish it.")
		}
		return models.ThemeRevision{Document: draft.Document, Stylesheet: draft.Stylesheet, Hash: draft.Hash}, writes.ThemeDraftDelete(ctx, tx, string(s))
	})
}

// Restore shows an earlier revision again, with the same style sheet byte for byte.
func (t *Themes) Restore(ctx context.Context, s Surface, number int, by Author) error {
	return t.publish(ctx, s, by, func(tx pgx.Tx) (r models.ThemeRevision, err error) {
		old, err := queries.ThemeRevisionGet(ctx, tx, string(s), number)
		if db.IsNoRows(err) {
			return r, fault.New(fault.NotFound, "There is no revision %d of this theme.", number)
		}
		old.Origin = fmt.Sprintf("Restored from revision %d", number)
		return old, err
	})
}

// Reset shows the default theme.
func (t *Themes) Reset(ctx context.Context, s Surface, by Author) error {
	return t.publish(ctx, s, by, func(pgx.Tx) (models.ThemeRevision, error) {
		return models.ThemeRevision{Document: Document{}.encode(), Origin: "Reset to the default"}, nil
	})
}

// publish stores a revision with its audit entry, and shows it.
func (t *Themes) publish(ctx context.Context, s Surface, by Author, make func(tx pgx.Tx) (models.ThemeRevision, error)) error {
	err := db.InTx(ctx, t.db, func(tx pgx.Tx) error {
		r, err := make(tx)
		if err != nil {
			return err
		}
		r.Surface, r.AuthorID = string(s), by.ID
		number, err := writes.ThemeRevisionInsert(ctx, tx, r)
		if err != nil {
			return fmt.Errorf("publishing a theme: %w", err)
		}
		details := map[string]any{"revision": number, "stylesheet": r.Hash}
		if r.Origin != "" {
			details["origin"] = r.Origin
		}
		return audit.Record(ctx, tx, audit.Entry{Actor: by.Actor, Action: "theme.publish", Target: "theme:" + string(s), Details: details})
	})
	if err != nil {
		return err
	}
	return t.Refresh(ctx)
}

// Revision is a published theme.
type Revision struct {
	models.ThemeRevision
	Document Document
}

// History returns the newest revisions of a surface, the newest first.
func (t *Themes) History(ctx context.Context, s Surface, limit int) (list []Revision, err error) {
	rows, err := queries.ThemeRevisionList(ctx, t.db, string(s), limit)
	if err != nil {
		return nil, fmt.Errorf("reading the history of a theme: %w", err)
	}
	for _, row := range rows {
		d, err := decode(row.Document)
		if err != nil {
			return nil, fmt.Errorf("reading revision %d of a theme: %w", row.Number, err)
		}
		list = append(list, Revision{row, d})
	}
	return list, nil
}
