package rcs

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"regexp"
	"strings"
	"time"

	"heliograph/app/fault"
	"heliograph/db/models"
)

// loadTemplates reads the templates that a request names. All must be approved.
func (s *Service) loadTemplates(ctx context.Context, b *batch) error {
	b.templates = map[string]map[string]any{}
	for _, r := range b.recipients {
		if r.template == "" || b.templates[r.template] != nil {
			continue
		}
		field := "templateCode"
		if strings.HasPrefix(r.path, "messages") {
			field = r.path + ".templateCode"
		}
		t, err := s.namedTemplate(ctx, s.Pool, b.bot.ID, r.template)
		if f := fault.As(err); f != nil {
			f.Fields = []fault.Field{{Name: field, Code: "not_found", Message: "does not exist"}}
			return f
		}
		if err != nil {
			return err
		}
		if t.State != approved {
			return conflict(field, "invalid_template", fmt.Sprintf("The template %s is %s", t.Name, t.State), "must be APPROVED")
		}
		if b.templates[r.template], err = readTemplate(t); err != nil {
			return err
		}
	}
	return nil
}

var usableNumber = regexp.MustCompile(`^\+[1-9][0-9]{6,14}$`)

// fill makes the messages. A variable without a value refuses the whole request,
// a number that cannot be used only its recipient.
func (b *batch) fill() error {
	c := &check{}
	life, err := b.life()
	if err != nil {
		return err
	}
	for _, r := range b.recipients {
		if r.replayed {
			continue
		}
		if !usableNumber.MatchString(r.to) {
			r.refusal = &messageError{Code: 400, Message: "The number must be in E.164 with a plus sign, such as +919812345678"}
		}
		if r.template != "" {
			r.render(c, b.templates[r.template])
		}
		if r.refusal == nil {
			if err := r.build(b, life); err != nil {
				return err
			}
		}
	}
	return c.err()
}

// life returns how long the messages are tried, in seconds; 0 for the channel's
// own.
func (b *batch) life() (int, error) {
	if v, ok := b.options["ttl"]; ok {
		return int(math.Ceil(readLife(v).Seconds())), nil
	}
	v, ok := b.options["expireTime"]
	if !ok {
		return 0, nil
	}
	end, err := time.Parse(time.RFC3339, stringOf(v))
	if err != nil {
		return 0, invalid("expireTime", "date_time", "must be a time such as 2026-01-31T09:00:00Z")
	}
	life := end.Sub(b.now)
	if life < leastLife || life > mostLife {
		return 0, invalid("expireTime", "range", "must be in the future and at most 15 days ahead")
	}
	return int(math.Ceil(life.Seconds())), nil
}

// render fills the template of a message.
func (r *recipient) render(c *check, template map[string]any) {
	missing := false
	for _, name := range variables(templateTexts(template)...) {
		if _, ok := r.params[name]; !ok {
			missing = true
			c.add(join(r.path, "customParams."+name), "required", "has no value")
		}
	}
	if missing {
		return
	}
	r.content = renderTemplate(template, r.params)
	filled := &check{}
	contentMessage(filled, "", toAny(r.content))
	if len(filled.fields) > 0 && r.refusal == nil {
		r.refusal = &messageError{Code: 400, Message: "With these values, " + filled.fields[0].Name + " " + filled.fields[0].Message}
	}
}

// toAny returns an object as it would be decoded from JSON, with numbers as the
// rules expect them.
func toAny(m map[string]any) any {
	var out map[string]any
	text, err := json.Marshal(m)
	if err != nil {
		return m
	}
	return decodeNumbers(text, out)
}

// build makes the row of a message.
func (r *recipient) build(b *batch, life int) error {
	content, err := json.Marshal(r.content)
	if err != nil {
		return fmt.Errorf("writing a message: %w", err)
	}
	p := payload{Content: content, Traffic: stringOf(b.options["messageTrafficType"]), ClientRef: stringOf(b.options["clientRef"]), Template: r.template}
	if fallback, ok := b.options["fallback"].(map[string]any); ok && fallback["enabled"] == true {
		p.After = stringOf(fallback["after"])
	}
	payload, err := json.Marshal(p)
	if err != nil {
		return fmt.Errorf("writing a message: %w", err)
	}
	id := r.message.ID
	r.message = models.Message{
		ID: id, OrganisationID: b.bot.OrganisationID, Channel: Channel, Sender: b.bot.ID, Recipient: digits(r.to), Kind: kindOfContent(r.content),
		Payload: payload, Reference: r.publicID(), TTL: life, CreatedAt: b.now,
	}
	return nil
}

// checkAnyAccepted refuses a request whose recipients are all refused.
func (b *batch) checkAnyAccepted() error {
	c := &check{}
	for _, r := range b.recipients {
		if r.refusal == nil {
			return nil
		}
		code := errorNames[r.refusal.Code]
		if code == "" {
			code = "invalid"
		}
		c.add(r.numberAt, code, "%s", r.refusal.Message)
	}
	err := c.err()
	if f := fault.As(err); f != nil {
		f.Message = "Every recipient was rejected"
	}
	return err
}
