package rcs

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"sync"

	"github.com/jackc/pgx/v5"

	"heliograph/app/fault"
	"heliograph/app/input"
	"heliograph/app/operation/audit"
	"heliograph/db"
	"heliograph/db/models"
	"heliograph/db/queries/channels/writes"
	"heliograph/jobs/args"
)

// Templates manages the templates of bots.
type Templates struct {
	pool      db.Beginner
	fetcher   fetcher // of media
	jobs      args.Inserter
	reviewAll bool // not only templates of sandboxes
}

// TemplateRef is a template and its state.
type TemplateRef struct {
	ID     string `json:"templateId"`
	Name   string `json:"templateName"`
	Status string `json:"status"`
	Reason string `json:"reason,omitempty"`
}

func refer(t models.RCSTemplate) TemplateRef {
	return TemplateRef{ID: t.ID, Name: t.Name, Status: t.State, Reason: t.Reason}
}

// CreateTemplate adds a template to a bot and has it reviewed. Its media is
// fetched and checked first.
func (s *Templates) CreateTemplate(ctx context.Context, by By, in input.Object) (TemplateRef, error) {
	if err := checkTemplate(in, fields{"botId": opaqueID, "templateName": templateName}, "botId", "templateName"); err != nil {
		return TemplateRef{}, err
	}
	b, err := findBot(ctx, s.pool, by.OrganisationID, stringOf(in["botId"]))
	if err != nil {
		return TemplateRef{}, err
	}
	t := models.RCSTemplate{
		ID: newID(), BotID: b.ID, OrganisationID: by.OrganisationID, Name: stringOf(in["templateName"]), Type: stringOf(in["templateType"]), State: pending, Revision: 1,
	}
	if _, err := findNamedTemplate(ctx, s.pool, b.ID, t.Name); err == nil {
		return TemplateRef{}, templateTaken(t.Name)
	}
	if err := s.checkMedia(ctx, by.OrganisationID, in); err != nil {
		return TemplateRef{}, err
	}
	if t.Content, err = json.Marshal(without(in, "botId", "templateName")); err != nil {
		return TemplateRef{}, fmt.Errorf("writing a template: %w", err)
	}
	return refer(t), db.InTx(ctx, s.pool, func(tx pgx.Tx) error {
		added, err := writes.RCSTemplateInsert(ctx, tx, t)
		if err != nil {
			return fmt.Errorf("adding a template: %w", err)
		}
		if !added {
			return templateTaken(t.Name)
		}
		return s.awaitReview(ctx, tx, by, b, t)
	})
}

func templateTaken(name string) error {
	return conflict("templateName", "duplicate", "The bot has a template named "+name, "must be unique within the bot")
}

// awaitReview records a new content of a template, and inserts the job that
// reviews it where that is automatic.
func (s *Templates) awaitReview(ctx context.Context, tx pgx.Tx, by By, b models.RCSBot, t models.RCSTemplate) error {
	if b.Sandbox || s.reviewAll {
		if _, err := s.jobs.InsertTx(ctx, tx, args.ReviewRCSTemplate{TemplateID: t.ID, Revision: t.Revision}, nil); err != nil {
			return fmt.Errorf("inserting the review of template %s: %w", t.ID, err)
		}
	}
	return audit.Record(ctx, tx, audit.Entry{
		Actor: by.Actor, Action: "rcs_template.submit", Target: "rcs_template:" + t.ID, Details: map[string]any{"name": t.Name, "revision": t.Revision},
	})
}

// UpdateTemplate replaces the content of a template and has it reviewed again.
func (s *Templates) UpdateTemplate(ctx context.Context, by By, in input.Object) (TemplateRef, error) {
	if err := checkTemplate(in, fields{"templateId": opaqueID, "botId": opaqueID, "templateName": templateName}, "templateId"); err != nil {
		return TemplateRef{}, err
	}
	id := stringOf(in["templateId"])
	t, err := findTemplate(ctx, s.pool, by.OrganisationID, id)
	if err != nil {
		return TemplateRef{}, err
	}
	if err := checkUpdate(t, in); err != nil {
		return TemplateRef{}, err
	}
	if err := s.checkMedia(ctx, by.OrganisationID, in); err != nil {
		return TemplateRef{}, err
	}
	content, err := json.Marshal(without(in, "botId", "templateName", "templateId"))
	if err != nil {
		return TemplateRef{}, fmt.Errorf("writing a template: %w", err)
	}
	err = db.InTx(ctx, s.pool, func(tx pgx.Tx) error {
		if t, err = writes.RCSTemplateLock(ctx, tx, id); err != nil {
			return fmt.Errorf("reading template %s: %w", id, err)
		}
		if err := checkUpdate(t, in); err != nil {
			return err
		}
		b, err := findBot(ctx, tx, by.OrganisationID, t.BotID)
		if err != nil {
			return err
		}
		t.Content, t.State, t.Reason, t.Revision = content, pending, "", t.Revision+1
		if err := writes.RCSTemplateUpdate(ctx, tx, t); err != nil {
			return fmt.Errorf("storing template %s: %w", id, err)
		}
		return s.awaitReview(ctx, tx, by, b, t)
	})
	return refer(t), err
}

// checkUpdate checks that a template may get a new content.
func checkUpdate(t models.RCSTemplate, in map[string]any) error {
	if bot, ok := in["botId"]; ok && bot != t.BotID {
		return invalid("botId", "mismatch", "must be the bot of the template")
	}
	if name, ok := in["templateName"]; ok && name != t.Name {
		return conflict("templateName", "frozen", "The name of a template cannot change", "must stay "+t.Name)
	}
	if in["templateType"] != t.Type {
		return conflict("templateType", "frozen", "The kind of a template cannot change", "must stay "+t.Type)
	}
	if t.State == pending {
		return fault.New(fault.Conflict, "The template is PENDING. Wait for its review to end.")
	}
	return nil
}

// The limits of the media of templates in bytes.
const (
	maxPicture   = 2 << 20
	maxFile      = 100 << 20
	maxThumbnail = 100 << 10
)

// checkMedia fetches the media of a template, all files at the same time, and
// checks their size and type.
func (s *Templates) checkMedia(ctx context.Context, organisationID int64, in map[string]any) error {
	var files []remote
	if pdf, ok := in["pdf"].(map[string]any); ok {
		files = append(files, remote{field: "pdf.mediaUrl", address: stringOf(pdf["mediaUrl"]), limit: maxFile})
	}
	for i, card := range templateCards(in) {
		path := "card"
		if in["carouselList"] != nil {
			path = fmt.Sprintf("carouselList[%d]", i)
		}
		if address, ok := card["mediaUrl"].(string); ok {
			files = append(files, remote{field: path + ".mediaUrl", address: address, limit: maxFile})
		}
		if address, ok := card["thumbnailUrl"].(string); ok {
			files = append(files, remote{field: path + ".thumbnailUrl", address: address, limit: maxThumbnail, whole: true})
		}
	}
	problems := make([]error, len(files))
	var wg sync.WaitGroup
	for i, file := range files {
		wg.Go(func() { problems[i] = s.checkFile(ctx, organisationID, file) })
	}
	wg.Wait()
	var wrong check
	for _, err := range problems {
		if f := fault.As(err); f != nil {
			wrong.fields = append(wrong.fields, f.Fields...)
		} else if err != nil {
			return err
		}
	}
	return wrong.err()
}

// checkFile checks one file of a template.
func (s *Templates) checkFile(ctx context.Context, organisationID int64, r remote) error {
	start, size, err := download(ctx, s.fetcher, fmt.Sprint(organisationID), r)
	if err != nil {
		return err
	}
	kind := http.DetectContentType(start)
	isPicture := strings.HasPrefix(kind, "image/")
	switch {
	case r.field == "pdf.mediaUrl" && kind != "application/pdf":
		return invalid(r.field, "file_format", "must be a PDF")
	case r.whole && !isPicture:
		return invalid(r.field, "image_format", "must be an image")
	case !isPicture && !strings.HasPrefix(kind, "video/") && kind != "application/pdf":
		return invalid(r.field, "file_format", "must be an image, a video or a PDF")
	case isPicture && size > maxPicture:
		return invalid(r.field, "file_size", "must have at most "+sizeText(maxPicture))
	case isPicture && size < 0 && !r.whole:
		r.limit, r.whole = maxPicture, true // the server does not state the size
		_, _, err := download(ctx, s.fetcher, fmt.Sprint(organisationID), r)
		return err
	}
	return nil
}
