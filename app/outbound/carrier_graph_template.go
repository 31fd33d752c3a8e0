package outbound

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strconv"
)

// GraphTemplate is a template of an account at an upstream.
type GraphTemplate struct {
	ID              string          `json:"-"`
	Name            string          `json:"name,omitempty"`
	Language        string          `json:"language,omitempty"`
	Category        string          `json:"category,omitempty"`
	ParameterFormat string          `json:"parameter_format,omitempty"`
	Components      json.RawMessage `json:"components,omitempty"`
	TTL             *int            `json:"message_send_ttl_seconds,omitempty"`
	AllowCategory   bool            `json:"allow_category_change,omitempty"`

	Status  string `json:"-"`
	Reason  string `json:"-"` // of a rejection
	Quality string `json:"-"`
}

// graphTemplates are the templates of the accounts of an upstream.
type graphTemplates struct{ *graphClient }

// Create creates a template and returns what the upstream made of it. A
// *CarrierError that is not temporary says that the upstream refuses it.
func (g graphTemplates) Create(ctx context.Context, account string, t GraphTemplate) (made GraphTemplate, err error) {
	body, err := json.Marshal(t)
	if err != nil {
		return made, err
	}
	answer, err := g.call(ctx, graphCall{method: http.MethodPost, path: url.PathEscape(account) + "/message_templates", body: body})
	if err != nil {
		return made, err
	}
	var got listedTemplate
	if err := json.Unmarshal(answer, &got); err != nil || got.ID == "" {
		return made, fmt.Errorf("the carrier %s took a template and gave no id: %s", g.name, printable(string(answer[:min(len(answer), 300)])))
	}
	return got.template(), nil
}

// Edit changes the texts, the category and the time to live of a template.
func (g graphTemplates) Edit(ctx context.Context, id string, t GraphTemplate) error {
	t.Name, t.Language = "", ""
	body, err := json.Marshal(t)
	if err != nil {
		return err
	}
	_, err = g.call(ctx, graphCall{method: http.MethodPost, path: url.PathEscape(id), body: body})
	return err
}

// Delete deletes a template. One that is gone already is no error.
func (g graphTemplates) Delete(ctx context.Context, account, id, name string) error {
	_, err := g.call(ctx, graphCall{method: http.MethodDelete, path: url.PathEscape(account) + "/message_templates", query: url.Values{"hsm_id": {id}, "name": {name}}})
	var refusal *CarrierError
	if errors.As(err, &refusal) && !refusal.Temporary {
		return nil
	}
	return err
}

// listedTemplate is a template as an upstream lists it.
type listedTemplate struct {
	ID         string          `json:"id"`
	Name       string          `json:"name"`
	Language   string          `json:"language"`
	Status     string          `json:"status"`
	Category   string          `json:"category"`
	Reason     string          `json:"rejected_reason"`
	Components json.RawMessage `json:"components"`
	Quality    json.RawMessage `json:"quality_score"`
}

func (l listedTemplate) template() GraphTemplate {
	t := GraphTemplate{ID: l.ID, Name: l.Name, Language: l.Language, Status: l.Status, Category: l.Category, Reason: l.Reason, Components: l.Components}
	var quality struct{ Score string }
	if json.Unmarshal(l.Quality, &quality) == nil {
		t.Quality = quality.Score
	}
	return t
}

// What is read of a list of templates: more pages than an account can have.
const (
	templatesPerPage  = 100
	mostTemplatePages = 100
)

// List calls one for each template of an account, or for the templates with a name if it
// is not empty.
func (g graphTemplates) List(ctx context.Context, account, name string, one func(GraphTemplate) error) error {
	query := url.Values{"limit": {strconv.Itoa(templatesPerPage)}, "fields": {"id,name,language,status,category,rejected_reason,components,quality_score"}}
	if name != "" {
		query.Set("name", name)
	}
	for range mostTemplatePages {
		answer, err := g.call(ctx, graphCall{method: http.MethodGet, path: url.PathEscape(account) + "/message_templates", query: query})
		if err != nil {
			return err
		}
		var page struct {
			Data   []listedTemplate
			Paging struct {
				Cursors struct{ After string }
				Next    string
			}
		}
		if err := json.Unmarshal(answer, &page); err != nil {
			return fmt.Errorf("the carrier %s lists templates in another form: %w", g.name, err)
		}
		for _, t := range page.Data {
			if err := one(t.template()); err != nil {
				return err
			}
		}
		if page.Paging.Next == "" || page.Paging.Cursors.After == "" {
			return nil
		}
		query.Set("after", page.Paging.Cursors.After)
	}
	return nil
}
