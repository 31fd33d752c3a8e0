package messaging

import (
	"context"
	"encoding/json"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"unicode/utf8"

	"heliograph/db"
	"heliograph/db/models"
	"heliograph/db/queries"
)

type templateKey struct {
	account        int64
	name, language string
}

// part is a component of a stored template.
type part struct {
	Type    string `json:"type"`
	Format  string `json:"format"`
	Text    string `json:"text"`
	Buttons []struct {
		Type string `json:"type"`
		URL  string `json:"url"`
	} `json:"buttons"`
}

const (
	maxFilledBody = 1024 // characters of a template body with its parameters
	maxAuthCode   = 15
)

var variable = regexp.MustCompile(`\{\{\s*([A-Za-z0-9_]+)\s*\}\}`)

// checkTemplate finds the template and holds the parameters against it.
func (s *Service) checkTemplate(ctx context.Context, number models.PhoneNumber, m *TemplateMessage) error {
	key := templateKey{number.BusinessAccountID, string(m.Name), string(m.Language.Code)}
	t, err := s.templates.Get(ctx, key, func(ctx context.Context, k templateKey) (models.Template, error) {
		return queries.TemplateGet(ctx, s.pool, k.account, k.name, k.language)
	})
	switch {
	case db.IsNoRows(err):
		return reject(codeTemplateMissing, "template.name", "template %s has no translation %s in this account", m.Name, m.Language.Code)
	case err != nil:
		return fmt.Errorf("looking a template up: %w", err)
	case t.Status == "PAUSED":
		return reject(codeTemplatePaused, "template.name", "template %s is paused for low quality: wait or edit it", m.Name)
	case t.Status == "DISABLED":
		return reject(codeTemplateDisabled, "template.name", "template %s is disabled: create another", m.Name)
	case t.Status != "APPROVED":
		return reject(codeTemplateMissing, "template.name", "template %s is %s: only an approved template can be sent", m.Name, t.Status)
	}
	var parts []part
	if err := json.Unmarshal(t.Components, &parts); err != nil {
		return fmt.Errorf("reading template %d: %w", t.ID, err)
	}
	return checkParameters(t, parts, m.Components)
}

// checkParameters compares what a template asks for with what was sent.
func checkParameters(t models.Template, parts []part, sent []Component) error {
	given := map[string][]Parameter{}
	for i, c := range sent {
		name, err := c.place(i)
		if err != nil {
			return err
		}
		if _, twice := given[name]; twice {
			return reject(codeParameterFormat, fmt.Sprintf("template.components[%d]", i), "%s is given twice", name)
		}
		given[name] = c.Parameters
	}
	for _, p := range parts {
		if err := p.check(given); err != nil {
			return err
		}
	}
	for name := range given {
		if len(given[name]) > 0 {
			return reject(codeParameterCount, "template.components", "%s: %d parameters sent, the template takes none", name, len(given[name]))
		}
	}
	if t.Category == "AUTHENTICATION" {
		return checkCode(sent)
	}
	return nil
}

// place names the part of the template that a component fills.
func (c *Component) place(i int) (string, error) {
	switch kind := strings.ToLower(string(c.Type)); kind {
	case "header", "body":
		return kind, nil
	case "button":
		index, err := strconv.Atoi(string(c.Index))
		if err != nil || index < 0 || index > 9 {
			return "", reject(codeParameterFormat, fmt.Sprintf("template.components[%d].index", i), "index takes \"0\" to \"9\"")
		}
		return fmt.Sprintf("button %d", index), nil
	}
	return "", reject(codeParameterFormat, fmt.Sprintf("template.components[%d].type", i), "type takes header, body or button")
}

// check takes the parameters of one part out of given.
func (p *part) check(given map[string][]Parameter) error {
	switch p.Type {
	case "HEADER":
		defer delete(given, "header")
		if p.Format != "" && p.Format != "TEXT" {
			return expect("header", given["header"], 1, strings.ToLower(p.Format))
		}
		return expect("header", given["header"], variables(p.Text), "text")
	case "BODY":
		defer delete(given, "body")
		if err := expect("body", given["body"], variables(p.Text), "text"); err != nil {
			return err
		}
		if n := utf8.RuneCountInString(fill(p.Text, given["body"])); n > maxFilledBody {
			return reject(codeTextTooLong, "template.components", "body has %d characters once filled in: use at most %d", n, maxFilledBody)
		}
	case "BUTTONS":
		for i, b := range p.Buttons {
			name := fmt.Sprintf("button %d", i)
			var err error
			switch {
			case b.Type == "URL":
				err = expect(name, given[name], variables(b.URL), "text")
			case b.Type == "COPY_CODE":
				err = expect(name, given[name], 1, "coupon_code")
			case b.Type == "QUICK_REPLY" && len(given[name]) > 0:
				err = expect(name, given[name], 1, "payload")
			}
			if err != nil {
				return err
			}
			delete(given, name)
		}
	}
	return nil
}

func expect(place string, sent []Parameter, want int, kind string) error {
	if len(sent) != want {
		return reject(codeParameterCount, "template.components", "%s: %d parameters sent, the template takes %d", place, len(sent), want)
	}
	for i, p := range sent {
		if value, ok := p.value(); !ok || !fits(strings.ToLower(string(p.Type)), kind) || value == "" {
			return reject(codeParameterFormat, "template.components", "%s: parameter %d must be a non-empty %s", place, i+1, kind)
		}
	}
	return nil
}

// fits reports whether a parameter of one kind may stand where the template
// asks for another: amounts and times are shown as text.
func fits(kind, wanted string) bool {
	return kind == wanted || wanted == "text" && (kind == "currency" || kind == "date_time")
}

// value is the parameter as the text that is shown, and whether the member
// that its type names is there.
func (p *Parameter) value() (string, bool) {
	text := func(t *Text) (string, bool) {
		if t == nil {
			return "", false
		}
		return string(*t), true
	}
	fallback := func(f *FallbackValue) (string, bool) {
		if f == nil {
			return "", false
		}
		return string(f.FallbackValue), true
	}
	media := func(m *MediaParameter) (string, bool) {
		if m == nil {
			return "", false
		}
		return string(m.Link), true
	}
	switch strings.ToLower(string(p.Type)) {
	case "text":
		return text(p.Text)
	case "payload":
		return text(p.Payload)
	case "coupon_code":
		return text(p.CouponCode)
	case "currency":
		return fallback(p.Currency)
	case "date_time":
		return fallback(p.DateTime)
	case "image":
		return media(p.Image)
	case "video":
		return media(p.Video)
	case "document":
		return media(p.Document)
	}
	return "", false
}

// variables counts the distinct variables of a text.
func variables(text string) int {
	seen := map[string]bool{}
	for _, match := range variable.FindAllStringSubmatch(text, -1) {
		seen[match[1]] = true
	}
	return len(seen)
}

// fill puts parameters in the place of variables, by position or by name.
func fill(text string, parameters []Parameter) string {
	return variable.ReplaceAllStringFunc(text, func(found string) string {
		name := variable.FindStringSubmatch(found)[1]
		for i, p := range parameters {
			if string(p.ParameterName) == name || p.ParameterName == "" && strconv.Itoa(i+1) == name {
				value, _ := p.value()
				return value
			}
		}
		return found
	})
}

// checkCode holds an authentication message to its one code: the button copies
// what the body shows.
func checkCode(sent []Component) error {
	var body, button string
	for _, c := range sent {
		if len(c.Parameters) == 0 {
			continue
		}
		value, _ := c.Parameters[0].value()
		if strings.EqualFold(string(c.Type), "body") {
			body = value
		} else {
			button = value
		}
	}
	switch {
	case utf8.RuneCountInString(body) > maxAuthCode:
		return reject(codeParameterFormat, "template.components", "the code has %d characters: use at most %d", utf8.RuneCountInString(body), maxAuthCode)
	case body != button:
		return reject(codeParameterFormat, "template.components", "button value differs from body value: send the same code in both")
	}
	return nil
}
