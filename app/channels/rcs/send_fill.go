package rcs

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"regexp"
	"slices"
	"strings"
	"time"

	"heliograph/app/fault"
	"heliograph/db/models"
)

// loadTemplates reads the templates that a request names. Recipients of a template
// that does not exist or is not approved are rejected.
func (s *Sender) loadTemplates(ctx context.Context, b *batch) error {
	return b.loadTemplates(func(name string) (models.RCSTemplate, error) { return findNamedTemplate(ctx, s.pool, b.bot.ID, name) })
}

// loadTemplates is the same for templates that find returns.
func (b *batch) loadTemplates(find func(name string) (models.RCSTemplate, error)) error {
	b.templates = map[string]map[string]any{}
	unusable := map[string]refusal{}
	for _, r := range b.recipients {
		if r.template == "" || b.templates[r.template] != nil {
			continue
		}
		refused, known := unusable[r.template]
		if !known {
			t, err := find(r.template)
			switch {
			case fault.As(err) != nil:
				refused = refusal{messageError{404, fmt.Sprintf("The template %s does not exist", r.template)}, fault.NotFound, []fault.Field{{Code: "not_found", Message: "does not exist"}}}
			case err != nil:
				return err
			case t.State != approved:
				refused = refusal{messageError{409, fmt.Sprintf("The template %s is %s", t.Name, t.State)}, fault.Conflict, []fault.Field{{Code: "invalid_template", Message: "must be APPROVED"}}}
			default:
				if b.templates[r.template], err = readTemplate(t); err != nil {
					return err
				}
				continue
			}
			unusable[r.template] = refused
		}
		field := refused.fields[0]
		if field.Name = "templateCode"; strings.HasPrefix(r.path, "messages") {
			field.Name = r.path + ".templateCode"
		}
		r.reject(refusal{refused.messageError, refused.kind, []fault.Field{field}})
	}
	return nil
}

var usableNumber = regexp.MustCompile(`^\+[1-9][0-9]{6,14}$`)

// fillContents makes the messages of the recipients that are not rejected.
func fillContents(_ context.Context, b *batch) error {
	life, err := b.life()
	if err != nil {
		return err
	}
	promotional, err := b.isPromotional()
	if err != nil {
		return err
	}
	for _, r := range b.recipients {
		if r.isOpen() && r.template != "" {
			r.render(b.templates[r.template])
		}
		if !r.isOpen() {
			continue
		}
		if err := r.build(b, life, promotional); err != nil {
			return err
		}
	}
	return nil
}

// isPromotional reports whether messages are promotional: by the traffic type of the
// request, or else by the type of the bot.
func (b *batch) isPromotional() (bool, error) {
	if traffic := stringOf(b.options["messageTrafficType"]); traffic != "" {
		return traffic == "PROMOTION", nil
	}
	profile, err := readObject(b.bot.Profile)
	return stringOf(profile["botMessageType"]) == "PROMOTIONAL", err
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

// render fills the template of a message. A recipient without a value for each
// variable is rejected, and so is one with values that do not fit.
func (r *recipient) render(template map[string]any) {
	var missing []fault.Field
	var names []string
	for _, name := range variables(templateTexts(template)...) {
		if _, ok := r.params[name]; !ok {
			missing = append(missing, fault.Field{Name: join(r.path, "customParams."+name), Code: "required", Message: "has no value"})
			names = append(names, "customParams."+name)
		}
	}
	if len(missing) > 0 {
		r.reject(refusal{messageError{400, strings.Join(names, " has no value, ") + " has no value"}, fault.Invalid, missing})
		return
	}
	r.content = renderTemplate(template, r.params)
	filled := &check{}
	if contentMessage(filled, "", toAny(r.content)); len(filled.fields) > 0 {
		f := filled.fields[0]
		detail := "does not fit: with these values, " + f.Name + " " + f.Message
		r.reject(refusal{messageError{400, "customParams " + detail}, fault.Invalid, []fault.Field{{Name: join(r.path, "customParams"), Code: "invalid", Message: detail}}})
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
func (r *recipient) build(b *batch, life int, promotional bool) error {
	content, err := json.Marshal(r.content)
	if err != nil {
		return fmt.Errorf("writing a message: %w", err)
	}
	p := payload{Content: content, Traffic: stringOf(b.options["messageTrafficType"]), ClientRef: stringOf(b.options["clientRef"]), Template: r.template}
	if fallback, ok := b.options["fallback"].(map[string]any); ok && fallback["enabled"] == true {
		p.After, p.Promotional = stringOf(fallback["after"]), promotional
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

// checkAnyAccepted refuses a request when all its recipients are rejected. If all are
// rejected for the same kind of reason, the request is refused with it.
func (b *batch) checkAnyAccepted() error {
	refused := &fault.Error{Kind: b.recipients[0].kindOfRefusal(), Message: "Every recipient was rejected"}
	for _, r := range b.recipients {
		if r.refusal == nil {
			return nil
		}
		if refused.Kind != r.refusal.kind {
			refused.Kind = fault.Invalid
		}
		for _, field := range r.refusal.fields {
			if len(refused.Fields) < maxFields && !slices.Contains(refused.Fields, field) {
				refused.Fields = append(refused.Fields, field)
			}
		}
	}
	if first := b.recipients[0].refusal; len(refused.Fields) == 1 && first.kind != fault.Invalid {
		refused.Message = first.Message
	}
	return refused
}

// kindOfRefusal returns the kind of the reason why a recipient is rejected.
func (r *recipient) kindOfRefusal() fault.Kind {
	if r.refusal == nil {
		return fault.Invalid
	}
	return r.refusal.kind
}
