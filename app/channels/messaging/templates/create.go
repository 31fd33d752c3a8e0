package templates

import (
	"context"
	"encoding/json"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/riverqueue/river"
	bcp47 "golang.org/x/text/language"

	"heliograph/app/channels/messaging/refusal"
	"heliograph/app/channels/messaging/registry"
	"heliograph/app/channels/pipeline"
	"heliograph/app/input"
	"heliograph/db/models"
	queries "heliograph/db/queries/channels"
	"heliograph/db/queries/channels/writes"
	"heliograph/jobs/args"
)

// Input is the body of a request that creates or edits a template.
type Input struct {
	Name                input.Text      `json:"name"`
	Language            input.Text      `json:"language"`
	Category            input.Text      `json:"category"`
	ParameterFormat     input.Text      `json:"parameter_format"`
	Components          json.RawMessage `json:"components"`
	TTL                 *input.Integer  `json:"message_send_ttl_seconds"`
	AllowCategoryChange input.Flag      `json:"allow_category_change"`
}

// Created is the response to a created template.
type Created struct {
	ID       string `json:"id"`
	Status   string `json:"status"`
	Category string `json:"category"`
}

// Maximum number of templates of an account.
const (
	maxSandboxTemplates = 250
	maxTemplates        = 6000
)

var (
	templateName = regexp.MustCompile(`^[a-z0-9_]{1,512}$`)
	localeCode   = regexp.MustCompile(`^[a-z]{2,3}(_[A-Z]{2,3})?$`)
)

// CreateTemplate adds a template to an account and submits it for review. A
// template with a copy-code button is reviewed at once if reviews have no delay.
// key is the caller's Idempotency-Key, or empty.
func (s *Service) CreateTemplate(ctx context.Context, account models.BusinessAccount, in Input, key string) (pipeline.Reply, error) {
	body, err := json.Marshal(in)
	if err != nil {
		return pipeline.Reply{}, fmt.Errorf("writing the template: %w", err)
	}
	r := pipeline.Key{OrganisationID: account.OrganisationID, Route: "message_templates/" + strconv.FormatInt(account.ID, 10), Body: body, Value: key}
	return s.DoOnce(ctx, r, func(tx pgx.Tx) (any, error) {
		t, atOnce, err := in.template(account, s.fileType(ctx, account.OrganisationID))
		if err != nil {
			return nil, err
		}
		if err := reserveName(ctx, tx, t); err != nil {
			return nil, err
		}
		if t.ID, err = registry.Add(ctx, tx, "template", t.OrganisationID); err != nil {
			return nil, err
		}
		if err := writes.TemplateInsert(ctx, tx, t); err != nil {
			return nil, fmt.Errorf("adding a template: %w", err)
		}
		if err := s.sendToReview(ctx, tx, t, atOnce); err != nil {
			return nil, err
		}
		if t, err = queries.TemplateGetByID(ctx, tx, t.ID); err != nil {
			return nil, fmt.Errorf("reading the new template: %w", err)
		}
		return Created{strconv.FormatInt(t.ID, 10), t.Status, t.Category}, nil
	})
}

// template validates the input and returns the row to insert. copies reports
// whether it is an authentication template with a copy-code button.
func (in Input) template(account models.BusinessAccount, file fileTypeFunc) (t models.Template, copies bool, err error) {
	t = models.Template{
		OrganisationID: account.OrganisationID, BusinessAccountID: account.ID, Name: string(in.Name), Language: string(in.Language),
		Category: strings.ToUpper(string(in.Category)), Status: "PENDING", AllowCategoryChange: bool(in.AllowCategoryChange),
	}
	switch {
	case in.Name == "" || in.Language == "" || in.Category == "" || in.Components == nil:
		return t, false, refusal.New(refusal.Invalid, "", "name, language, category and components are required")
	case !templateName.MatchString(t.Name):
		return t, false, refusal.New(refusal.Invalid, "name", "name can have up to 512 lower-case letters, digits and underscores")
	case !localeCode.MatchString(t.Language) || !isLanguage(t.Language):
		return t, false, refusal.New(refusal.Invalid, "language", "language must be a locale code such as en_US or hi")
	}
	if t.Category, err = in.category(); err != nil {
		return t, false, err
	}
	if t.ParameterFormat, err = in.format(); err != nil {
		return t, false, err
	}
	if t.TTL, err = in.ttl(t.Category); err != nil {
		return t, false, err
	}
	components, err := readComponents(in.Components)
	if err != nil {
		return t, false, err
	}
	copies = copiesCode(components)
	t.Components, err = checkedComponents(t, components, file)
	return t, copies && t.Category == "AUTHENTICATION", err
}

// fileType returns a function that looks up uploaded files of an organisation.
func (s *Service) fileType(ctx context.Context, organisationID int64) fileTypeFunc {
	return func(handle string) (string, error) {
		file, err := s.uploads.OpenHandle(ctx, organisationID, handle)
		return file.MIMEType, err
	}
}

// checkedComponents validates components and returns them as they are stored.
func checkedComponents(t models.Template, components []Component, file fileTypeFunc) (json.RawMessage, error) {
	d := &draft{category: t.Category, language: t.Language, format: t.ParameterFormat, components: components, file: file}
	if err := d.check(); err != nil {
		return nil, err
	}
	stored, err := json.Marshal(d.components)
	if err != nil {
		return nil, fmt.Errorf("writing the components: %w", err)
	}
	return stored, nil
}

func (in Input) category() (string, error) {
	switch c := strings.ToUpper(string(in.Category)); c {
	case "AUTHENTICATION", "UTILITY", "MARKETING":
		return c, nil
	}
	return "", refusal.New(refusal.Invalid, "category", "category must be AUTHENTICATION, UTILITY or MARKETING")
}

func (in Input) format() (string, error) {
	switch f := strings.ToUpper(string(in.ParameterFormat)); f {
	case "":
		return Positional, nil
	case Positional, named:
		return f, nil
	}
	return "", refusal.New(refusal.Invalid, "parameter_format", "parameter_format must be POSITIONAL or NAMED")
}

func (in Input) ttl(category string) (*int, error) {
	if in.TTL == nil {
		return DefaultTTL(category), nil
	}
	seconds := int(*in.TTL)
	return &seconds, checkTTL(category, seconds)
}

// Time to live of an authentication template, in seconds.
const (
	authenticationTTL = 600
	MonthTTL          = -1 // 30 days
)

// DefaultTTL returns the time to live of a category in seconds, nil if it has none of its own.
func DefaultTTL(category string) *int {
	if category != "AUTHENTICATION" {
		return nil
	}
	seconds := authenticationTTL
	return &seconds
}

// checkTTL checks that a time to live, in seconds, is in the range of a
// category.
func checkTTL(category string, seconds int) error {
	r := map[string][2]int{"AUTHENTICATION": {30, 900}, "UTILITY": {30, 43_200}, "MARKETING": {43_200, 2_592_000}}[category]
	if seconds >= r[0] && seconds <= r[1] || category == "AUTHENTICATION" && seconds == MonthTTL {
		return nil
	}
	return refusal.New(refusal.Invalid, "message_send_ttl_seconds", "message_send_ttl_seconds must be from %d to %d for %s", r[0], r[1], category)
}

// reserveName checks that the account can have another template and that the
// name is free, and locks both until the transaction ends.
func reserveName(ctx context.Context, tx pgx.Tx, t models.Template) error {
	room, err := writes.TemplateRoomLock(ctx, tx, t.BusinessAccountID, t.Name, t.Language)
	if err != nil {
		return fmt.Errorf("counting the templates of account %d: %w", t.BusinessAccountID, err)
	}
	switch limit := templateLimit(room.Sandbox); {
	case room.Taken:
		return refuse(subcodeTaken, "name", "template %s already exists in %s or is being deleted: use a different name or language, or edit it", truncate(input.Text(t.Name)), t.Language)
	case room.Blocked:
		return refuse(subcodeTaken, "name", "template %s was deleted less than 30 days ago: use a different name", truncate(input.Text(t.Name)))
	case room.Count >= limit:
		return refuse(subcodeTooMany, "", "the account has %d templates and can have at most %d: delete one first", room.Count, limit)
	}
	return nil
}

func templateLimit(sandbox bool) int {
	if sandbox {
		return maxSandboxTemplates
	}
	return maxTemplates
}

// sendToReview inserts the job that reviews a template. If reviews have no delay
// and atOnce is set, it reviews the template now.
func (s *Service) sendToReview(ctx context.Context, tx pgx.Tx, t models.Template, atOnce bool) error {
	job := args.ReviewTemplate{TemplateID: t.ID, Revision: max(t.Revision, 1)}
	if s.delay == 0 && atOnce {
		return Review(ctx, tx, s.jobs, s.Names[0], job)
	}
	opts := &river.InsertOpts{}
	if s.delay > 0 {
		opts.ScheduledAt = time.Now().Add(s.delay)
	}
	if _, err := s.jobs.InsertTx(ctx, tx, job, opts); err != nil {
		return fmt.Errorf("inserting the review of template %d: %w", t.ID, err)
	}
	return nil
}

// isLanguage reports whether the language and the region of a locale code exist.
func isLanguage(code string) bool {
	_, err := bcp47.Parse(strings.ReplaceAll(code, "_", "-"))
	return err == nil
}
