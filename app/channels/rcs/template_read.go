package rcs

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"

	"heliograph/app/fault"
	"heliograph/db"
	"heliograph/db/models"
	queries "heliograph/db/queries/channels"
)

// TemplateView is a template as the API shows it.
type TemplateView map[string]any

func viewTemplate(t models.RCSTemplate) (TemplateView, error) {
	view, err := readTemplate(t)
	if err != nil {
		return nil, err
	}
	view["templateId"], view["botId"], view["templateName"], view["status"] = t.ID, t.BotID, t.Name, t.State
	view["createdAt"], view["updatedAt"] = timestamp(t.CreatedAt), timestamp(t.UpdatedAt)
	if t.Reason != "" {
		view["reason"] = t.Reason
	}
	return view, nil
}

// findTemplate returns a template of an organisation.
func findTemplate(ctx context.Context, q db.Querier, organisationID int64, id string) (models.RCSTemplate, error) {
	t, err := queries.RCSTemplateGet(ctx, q, id)
	if err != nil && !db.IsNoRows(err) {
		return t, fmt.Errorf("reading template %s: %w", id, err)
	}
	if err != nil || t.OrganisationID != organisationID {
		return t, fault.New(fault.NotFound, "This template does not exist")
	}
	return t, nil
}

// findNamedTemplate returns the template of a bot with a name.
func findNamedTemplate(ctx context.Context, q db.Querier, botID, name string) (models.RCSTemplate, error) {
	t, err := queries.RCSTemplateGetByName(ctx, q, botID, name)
	if err != nil {
		return t, db.Absent(err, fault.New(fault.NotFound, "The bot has no template named %s", name), "reading a template of bot %s", botID)
	}
	return t, nil
}

// ownTemplate returns the template of a bot of an organisation with a name.
func (s *Templates) ownTemplate(ctx context.Context, organisationID int64, botID, name string) (models.RCSTemplate, error) {
	if _, err := findBot(ctx, s.pool, organisationID, botID); err != nil {
		return models.RCSTemplate{}, err
	}
	return findNamedTemplate(ctx, s.pool, botID, name)
}

// Template returns a template of an organisation.
func (s *Templates) Template(ctx context.Context, organisationID int64, id string) (TemplateView, error) {
	t, err := findTemplate(ctx, s.pool, organisationID, id)
	if err != nil {
		return nil, err
	}
	return viewTemplate(t)
}

// TemplateID returns the id of the template of a bot with a name.
func (s *Templates) TemplateID(ctx context.Context, organisationID int64, botID, name string) (string, error) {
	t, err := s.ownTemplate(ctx, organisationID, botID, name)
	return t.ID, err
}

// TemplateStatus returns the state of the template of a bot that a segment of a
// path names: by id, by name, or by name in base64url, tried in this order.
func (s *Templates) TemplateStatus(ctx context.Context, organisationID int64, botID, segment string) (TemplateRef, error) {
	if _, err := findBot(ctx, s.pool, organisationID, botID); err != nil {
		return TemplateRef{}, err
	}
	if t, err := findTemplate(ctx, s.pool, organisationID, segment); err == nil && t.BotID == botID {
		return refer(t), nil
	} else if err != nil && !fault.Is(err, fault.NotFound) {
		return TemplateRef{}, err
	}
	t, err := findNamedTemplate(ctx, s.pool, botID, segment)
	if !fault.Is(err, fault.NotFound) {
		return refer(t), err
	}
	name, undecodable := base64.RawURLEncoding.DecodeString(strings.TrimRight(segment, "="))
	if undecodable != nil || strings.ContainsRune(string(name), 0) || !json.Valid([]byte(strconv.Quote(string(name)))) {
		return TemplateRef{}, err
	}
	if t, found := findNamedTemplate(ctx, s.pool, botID, string(name)); found == nil {
		return refer(t), nil
	} else if !fault.Is(found, fault.NotFound) {
		return TemplateRef{}, found
	}
	return TemplateRef{}, err
}

// TemplateQuery selects templates of an organisation. Empty fields select all.
type TemplateQuery struct{ BotID, Status, Type string }

// Templates returns a page of templates, newest first, and how many there are.
func (s *Templates) Templates(ctx context.Context, organisationID int64, query TemplateQuery, p Page) ([]TemplateView, int, error) {
	if query.BotID != "" {
		if _, err := findBot(ctx, s.pool, organisationID, query.BotID); err != nil {
			return nil, 0, err
		}
	}
	filter := queries.RCSTemplateFilter{OrganisationID: organisationID, BotID: query.BotID, State: query.Status, Type: query.Type}
	n, err := queries.RCSTemplateCount(ctx, s.pool, filter)
	if err != nil {
		return nil, 0, fmt.Errorf("counting templates: %w", err)
	}
	found, err := queries.RCSTemplateList(ctx, s.pool, filter, p.rows())
	if err != nil {
		return nil, 0, fmt.Errorf("listing templates: %w", err)
	}
	views := make([]TemplateView, len(found))
	for i, t := range found {
		if views[i], err = viewTemplate(t); err != nil {
			return nil, 0, err
		}
	}
	return views, n, nil
}

// fallbackTemplate is a template of the messaging channel that a message may fall
// back to.
type fallbackTemplate struct {
	Name       string          `json:"name"`
	Language   string          `json:"language"`
	Category   string          `json:"category"`
	Status     string          `json:"status"`
	Components json.RawMessage `json:"components"`
	AccountID  string          `json:"wabaId"`
}

// FallbackTemplates returns a page of the templates that messages of a bot may
// fall back to, and how many there are.
func (s *Templates) FallbackTemplates(ctx context.Context, organisationID int64, botID string, p Page) ([]fallbackTemplate, int, error) {
	if _, err := findBot(ctx, s.pool, organisationID, botID); err != nil {
		return nil, 0, err
	}
	n, err := queries.ApprovedTemplateCount(ctx, s.pool, organisationID)
	if err != nil {
		return nil, 0, fmt.Errorf("counting approved templates: %w", err)
	}
	found, err := queries.ApprovedTemplateList(ctx, s.pool, organisationID, p.rows())
	if err != nil {
		return nil, 0, fmt.Errorf("listing approved templates: %w", err)
	}
	templates := make([]fallbackTemplate, len(found))
	for i, t := range found {
		templates[i] = fallbackTemplate{
			Name: t.Name, Language: t.Language, Category: t.Category, Status: t.Status, Components: t.Components, AccountID: strconv.FormatInt(t.BusinessAccountID, 10),
		}
	}
	return templates, n, nil
}

// Preview is a template as the message that it becomes.
type Preview struct {
	Name      string         `json:"templateName"`
	Type      string         `json:"templateType"`
	Content   map[string]any `json:"contentMessage"`
	Variables []string       `json:"variables"`
}

// PreviewTemplate returns the message that a template becomes. The value of each
// variable is its name.
func (s *Templates) PreviewTemplate(ctx context.Context, organisationID int64, botID, name string) (Preview, error) {
	t, err := s.ownTemplate(ctx, organisationID, botID, name)
	if err != nil {
		return Preview{}, err
	}
	return newPreview(t)
}

// newPreview returns the message that a template becomes, with the name of each
// variable as its value.
func newPreview(t models.RCSTemplate) (Preview, error) {
	content, err := readTemplate(t)
	if err != nil {
		return Preview{}, err
	}
	names := variables(templateTexts(content)...)
	values := map[string]string{}
	for _, name := range names {
		values[name] = name
	}
	return Preview{Name: t.Name, Type: t.Type, Content: renderTemplate(content, values), Variables: names}, nil
}
