package rcs

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"go.yaml.in/yaml/v4"

	"heliograph/db/models"
	"heliograph/db/seed"
)

// schemas are the schemas of the RCS contract.
type schemas map[string]map[string]any

func readSchemas(t *testing.T) schemas {
	t.Helper()
	document, err := seed.Files.ReadFile("rcs.yaml")
	if err != nil {
		t.Fatal(err)
	}
	var contract struct {
		Components struct{ Schemas schemas }
	}
	if err := yaml.Unmarshal(document, &contract); err != nil {
		t.Fatal(err)
	}
	return contract.Components.Schemas
}

// members returns the documented members of a schema with their schemas. A name
// that several alternatives have keeps all of them.
func (s schemas) members(schema map[string]any) map[string][]any {
	all := map[string][]any{}
	if ref, ok := schema["$ref"].(string); ok {
		return s.members(s[ref[strings.LastIndexByte(ref, '/')+1:]])
	}
	properties, _ := schema["properties"].(map[string]any)
	for name, member := range properties {
		all[name] = append(all[name], member)
	}
	for _, keyword := range []string{"allOf", "oneOf", "anyOf"} {
		list, _ := schema[keyword].([]any)
		for _, part := range list {
			for name, found := range s.members(part.(map[string]any)) {
				all[name] = append(all[name], found...)
			}
		}
	}
	return all
}

// undocumented returns the paths of the members of a value that no schema names.
func (s schemas) undocumented(path string, value any, of ...any) (missing []string) {
	object, ok := value.(map[string]any)
	if !ok {
		return nil
	}
	known := map[string][]any{}
	for _, schema := range of {
		if schema.(map[string]any)["additionalProperties"] != nil {
			return nil // any member goes
		}
		for name, found := range s.members(schema.(map[string]any)) {
			known[name] = append(known[name], found...)
		}
	}
	for name, member := range object {
		if known[name] == nil {
			missing = append(missing, join(path, name))
			continue
		}
		missing = append(missing, s.undocumented(join(path, name), member, known[name]...)...)
	}
	return missing
}

// Whatever a bot relays is documented, member by member, in every form.
func TestRelayedEventsAreDocumented(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 1, 31, 12, 0, 0, 0, time.UTC)
	inbound := func(change func(*event)) event {
		e := newInbound("bot", "919812345678", typeUserMessage, now)
		change(&e)
		return e
	}
	status := func(word string) event {
		e := newEvent("bot", typeMessageStatus, now)
		e.MessageID, e.UserContact, e.Status, e.Channel = "m", "+919812345678", word, "RCS"
		return e
	}
	failed := status("FAILED")
	failed.Error = &messageError{Code: 404, Message: "rcs_disabled"}
	bot := newEvent("bot", typeBotStatus, now)
	bot.VerificationStatus, bot.LaunchStatus, bot.Reason, bot.Context = "VERIFIED", "REJECTED", "No logo.", &eventContext{BotName: "Parcels", BrandName: "Parcel", OldLaunch: "PENDING"}
	template := newEvent("bot", typeTemplateStatus, now)
	template.TemplateID, template.TemplateName, template.Status, template.Reason = "t", "parcel", "REJECTED", "Too long."
	events := map[string]event{
		"text":       inbound(func(e *event) { e.Text = "Hello" }),
		"location":   inbound(func(e *event) { e.Location = &location{12.9, 77.5} }),
		"file":       inbound(func(e *event) { e.UserFile = &userFile{"image/png", 12, "a.png", "https://example.com/a.png"} }),
		"suggestion": inbound(func(e *event) { e.tap(tap{tappedSuggestion{"yes", "Yes"}, true}) }),
		"typing":     newInbound("bot", "919812345678", typeTyping, now),
		"failed":     failed, "bot": bot, "template": template,
	}
	for _, word := range []string{"SENT", "DELIVERED", "READ", "EXPIRED", "REVOKED", "FALLBACK_SENT"} {
		events[word] = status(word)
	}
	documented := readSchemas(t)
	for form, names := range map[string][]string{
		formDefault: {"MessageStatusEvent", "UserMessageEvent", "SuggestionEvent", "TypingEvent", "TemplateStatusEvent", "BotStatusEvent"},
		formGoogle:  {"GoogleRbmEnvelope"},
		formMaap:    {"MaapEvent"},
	} {
		var of []any
		for _, name := range names {
			if documented[name] == nil {
				t.Fatalf("the contract has no schema %s", name)
			}
			of = append(of, documented[name])
		}
		for name, e := range events {
			body, err := json.Marshal(e)
			if err != nil {
				t.Fatal(err)
			}
			r, err := render(models.Delivery{Body: body, Webhook: models.Webhook{Format: form}})
			if err != nil {
				t.Fatal(err)
			}
			var sent map[string]any
			if err := json.Unmarshal(r.Body, &sent); err != nil {
				t.Fatal(err)
			}
			missing := documented.undocumented("", sent, of...)
			if form == formGoogle {
				missing = append(missing, documented.inside(t, sent)...)
			}
			if len(missing) > 0 {
				slices.Sort(missing)
				t.Errorf("%s, %s: not documented: %s", form, name, strings.Join(missing, ", "))
			}
		}
	}
}

// inside returns the undocumented members of the event within a wrapped one, and
// its type if the contract does not list it.
func (s schemas) inside(t *testing.T, sent map[string]any) []string {
	t.Helper()
	data, err := base64.StdEncoding.DecodeString(fmt.Sprint(sent["message"].(map[string]any)["data"]))
	if err != nil {
		t.Fatal(err)
	}
	var inner map[string]any
	if err := json.Unmarshal(data, &inner); err != nil {
		t.Fatal(err)
	}
	var of []any
	for _, name := range []string{"GoogleRbmUserEvent", "GoogleRbmServerEvent", "GoogleRbmUserMessage", "GoogleRbmLaunchEvent", "TemplateStatusEvent"} {
		of = append(of, s[name])
	}
	missing := s.undocumented("data", inner, of...)
	if kind := inner["eventType"]; kind != nil {
		listed := func(name string) []any {
			values, _ := s.members(s[name])["eventType"][0].(map[string]any)["enum"].([]any)
			return values
		}
		if !slices.Contains(listed("GoogleRbmUserEvent"), kind) && !slices.Contains(listed("GoogleRbmServerEvent"), kind) {
			missing = append(missing, fmt.Sprintf("eventType %v", kind))
		}
	}
	return missing
}
