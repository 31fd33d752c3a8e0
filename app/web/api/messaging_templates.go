package api

import (
	"context"
	"encoding/json"
	"strconv"
	"strings"

	"heliograph/app/channels/messaging/templates"
	"heliograph/app/input"
	"heliograph/db/models"
)

// messageTemplate is a template in responses.
type messageTemplate struct {
	ID               string          `json:"id"`
	Name             string          `json:"name"`
	Language         string          `json:"language"`
	Status           string          `json:"status"`
	Category         string          `json:"category"`
	PreviousCategory *string         `json:"previous_category,omitempty"`
	ParameterFormat  string          `json:"parameter_format"`
	Components       json.RawMessage `json:"components"`
	TTL              *int            `json:"message_send_ttl_seconds,omitempty"`
	RejectedReason   string          `json:"rejected_reason"`
	Quality          qualityScore    `json:"quality_score"`
}

type qualityScore struct {
	Score string `json:"score"`
	Date  int64  `json:"date,omitempty"` // Unix seconds
}

func newTemplate(t models.Template) messageTemplate {
	shown := messageTemplate{
		ID: strconv.FormatInt(t.ID, 10), Name: t.Name, Language: t.Language, Status: t.Status, Category: t.Category,
		PreviousCategory: t.PreviousCategory, ParameterFormat: t.ParameterFormat, Components: t.Components, TTL: t.TTL,
		RejectedReason: t.RejectedReason, Quality: qualityScore{Score: t.Quality},
	}
	if t.QualityAt != nil {
		shown.Quality.Date = t.QualityAt.Unix()
	}
	return shown
}

// messagingTemplates answers the operations on templates.
type messagingTemplates struct {
	templates *templates.Service
}

// createTemplate serves POST /{wabaid}/message_templates.
func (m messagingTemplates) createTemplate(ctx context.Context, c *call, account models.BusinessAccount, in templates.Input) (raw, error) {
	return c.replied(m.templates.CreateTemplate(ctx, account, in, c.key()))
}

type templateListInput struct {
	listInput
	Name          input.Text `json:"name"`
	Content       input.Text `json:"content"`
	NameOrContent input.Text `json:"name_or_content"`
	Status        input.Text `json:"status"`
	Category      input.Text `json:"category"`
	Language      input.Text `json:"language"`
	Quality       input.Text `json:"quality_score"`
}

func (in templateListInput) filter() models.TemplateFilter {
	return models.TemplateFilter{
		Name: string(in.Name), Content: string(in.Content), NameOrContent: string(in.NameOrContent),
		Statuses: words(strings.ToUpper(string(in.Status))), Categories: words(strings.ToUpper(string(in.Category))),
		Languages: words(string(in.Language)), Qualities: words(strings.ToUpper(string(in.Quality))),
	}
}

// words splits a comma-separated list. It returns nil for "".
func words(list string) (found []string) {
	for word := range strings.SplitSeq(list, ",") {
		if word = strings.TrimSpace(word); word != "" {
			found = append(found, word)
		}
	}
	return found
}

type templateList struct {
	Data    []any          `json:"data"`
	Paging  *paging        `json:"paging,omitempty"`
	Summary map[string]any `json:"summary,omitempty"`
}

// listTemplates serves GET /{wabaid}/message_templates.
func (m messagingTemplates) listTemplates(ctx context.Context, c *call, account models.BusinessAccount, in templateListInput) (templateList, error) {
	ids, err := in.ids(c)
	if err != nil {
		return templateList{}, err
	}
	filter := in.filter()
	found, err := m.templates.Templates(ctx, account, filter, ids)
	if err != nil {
		return templateList{}, err
	}
	shown, err := list(c, in.listInput, found, func(t models.Template) (string, any) {
		return strconv.FormatInt(t.Seq, 10), newTemplate(t)
	})
	if err != nil {
		return templateList{}, err
	}
	answer := templateList{Data: shown.Data, Paging: shown.Paging}
	if in.Summary != "" {
		s, err := m.templates.CountTemplates(ctx, account, filter)
		if err != nil {
			return templateList{}, err
		}
		answer.Summary = summarise(s, words(string(in.Summary)))
	}
	return answer, nil
}

// summarise returns the counts that the request asks for. The value true asks for
// the total.
func summarise(s templates.Summary, asked []string) map[string]any {
	counts := map[string]any{
		"total_count": s.Matching, "message_template_count": s.All, "message_template_limit": s.Limit,
		"are_translations_complete": s.Translated,
	}
	chosen := map[string]any{}
	for _, name := range asked {
		if name == "true" || name == "1" {
			name = "total_count"
		}
		if value, ok := counts[name]; ok {
			chosen[name] = value
		}
	}
	return chosen
}

// deleteTemplate serves DELETE /{wabaid}/message_templates.
func (m messagingTemplates) deleteTemplate(ctx context.Context, c *call, account models.BusinessAccount, in templates.Choice) (success, error) {
	return success{true}, m.templates.DeleteTemplates(ctx, account, in)
}

type templateGetInput struct {
	Fields input.Text `json:"fields"`
}

// getTemplate serves GET /{msgtemplateid}.
func (m messagingTemplates) getTemplate(ctx context.Context, c *call, in templateGetInput) (any, error) {
	t, err := m.templates.Template(ctx, c.caller.OrganisationID, c.params["msgtemplateid"])
	if err != nil {
		return nil, err
	}
	return trim(newTemplate(t), in.Fields, "id")
}

// editTemplate serves POST /{msgtemplateid}.
func (m messagingTemplates) editTemplate(ctx context.Context, c *call, in templates.Input) (success, error) {
	return success{true}, m.templates.EditTemplate(ctx, c.caller.OrganisationID, c.params["msgtemplateid"], in)
}
