// Package templates holds the templates of message accounts: how they are checked,
// reviewed, changed and deleted, and what an upstream says about them.
package templates

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"

	"heliograph/app/channels/messaging/media"
	"heliograph/app/channels/messaging/refusal"
	"heliograph/app/channels/messaging/registry"
	"heliograph/app/channels/messaging/request"
	"heliograph/app/input"
	"heliograph/db"
	"heliograph/db/models"
	queries "heliograph/db/queries/channels"
	"heliograph/jobs/args"
)

// Service manages the templates of message accounts.
type Service struct {
	request.Once
	request.Names
	pool    *pgxpool.Pool
	jobs    args.Inserter
	delay   time.Duration // of reviews
	uploads *media.Uploads
}

// New returns the templates of accounts. delay is the time until one is
// reviewed.
func New(keys request.Once, words request.Names, pool *pgxpool.Pool, jobs args.Inserter, delay time.Duration, uploads *media.Uploads) *Service {
	return &Service{Once: keys, Names: words, pool: pool, jobs: jobs, delay: delay, uploads: uploads}
}

// Template returns a template of the organisation. A deleted one is NotFound.
func (s *Service) Template(ctx context.Context, organisationID int64, id string) (models.Template, error) {
	n, err := registry.Owned(ctx, s.pool, organisationID, id, "template")
	if err != nil {
		return models.Template{}, err
	}
	t, err := queries.TemplateGetByID(ctx, s.pool, n)
	if err != nil {
		return t, db.Absent(err, refusal.NotFound(id), "reading template %d", n)
	}
	return t, nil
}

// Templates lists the templates of an account, newest first. It returns one more
// than the page size if there are more.
func (s *Service) Templates(ctx context.Context, account models.BusinessAccount, f models.TemplateFilter, p models.Page) ([]models.Template, error) {
	for _, set := range []struct {
		name  string
		given *[]string
		known []string
	}{
		{"status", &f.Statuses, append([]string{"PENDING_DELETION", "DELETED"}, liveStatuses...)},
		{"category", &f.Categories, []string{"AUTHENTICATION", "UTILITY", "MARKETING"}},
		{"quality_score", &f.Qualities, []string{"GREEN", "YELLOW", "RED", "UNKNOWN"}},
	} {
		for _, value := range *set.given {
			if !slices.Contains(set.known, value) {
				return nil, refusal.New(refusal.Invalid, set.name, "%s cannot be %q: use %s", set.name, truncate(input.Text(value)), strings.Join(set.known, ", "))
			}
		}
	}
	found, err := queries.TemplateList(ctx, s.pool, account.ID, f, p)
	if err != nil {
		return nil, fmt.Errorf("listing the templates of account %d: %w", account.ID, err)
	}
	return found, nil
}

// Summary holds the template counts of an account.
type Summary struct {
	models.TemplateCounts
	Limit int // maximum number of templates of the account
}

// CountTemplates counts the templates of an account and those that match a
// filter.
func (s *Service) CountTemplates(ctx context.Context, account models.BusinessAccount, f models.TemplateFilter) (Summary, error) {
	counts, err := queries.TemplateCount(ctx, s.pool, account.ID, f)
	if err != nil {
		return Summary{}, fmt.Errorf("counting the templates of account %d: %w", account.ID, err)
	}
	return Summary{counts, templateLimit(counts.Sandbox)}, nil
}
