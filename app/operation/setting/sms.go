package setting

import (
	"context"
	"slices"
	"strconv"
	"strings"

	"github.com/jackc/pgx/v5"

	"heliograph/app/fault"
	"heliograph/app/phone"
	"heliograph/db"
	"heliograph/db/models"
)

// maxBudget is the highest SMS budget of a day.
const maxBudget = 1_000_000

// SMSChange is the form of the SMS settings, as it was entered.
type SMSChange struct {
	Mode       string // virtual or actual
	EntityID   string
	SenderID   string
	TemplateID string
	URL        string
	APIKey     models.Secret // empty keeps the stored one
	ForgetKey  bool          // removes the stored one unless APIKey is set
	Allowed    string        // countries and prefixes, separated by commas or spaces
	Budget     string        // SMS a day
	AlertEmail string
}

// SaveSMS validates and stores the SMS settings. actor is recorded in the audit.
// Invalid input names its fields by their JSON names.
func (s *Settings) SaveSMS(ctx context.Context, c SMSChange, actor string) error {
	return db.InTx(ctx, s.db, func(tx pgx.Tx) error {
		before, err := s.loadSMS(ctx, tx)
		if err != nil {
			return err
		}
		after, err := s.checkSMS(ctx, c, before)
		if err != nil {
			return err
		}
		return s.save(ctx, tx, change{
			name: smsName, before: before, after: after, actor: actor,
			secrets: []secret{{smsAPIKey, c.APIKey, c.ForgetKey}},
		})
	})
}

func (s *Settings) checkSMS(ctx context.Context, c SMSChange, before models.SMSSettings) (models.SMSSettings, error) {
	v := models.SMSSettings{
		Mode: c.Mode, EntityID: strings.TrimSpace(c.EntityID), SenderID: strings.TrimSpace(c.SenderID),
		TemplateID: strings.TrimSpace(c.TemplateID), URL: strings.TrimSpace(c.URL), AlertEmail: strings.TrimSpace(c.AlertEmail),
	}
	actual := v.Mode == models.ModeActual
	var f findings
	f.addIf(!actual && v.Mode != models.ModeVirtual, "mode", "Choose virtual or actual.")
	f.word("entity_id", v.EntityID)
	f.word("sender_id", v.SenderID)
	f.word("template_id", v.TemplateID)
	f.addIf(actual && v.SenderID == "", "sender_id", "Enter the sender that recipients see.")
	if err := f.url(ctx, s.guard, v.URL); err != nil {
		return v, err
	}
	f.addIf(actual && v.URL == "", "url", "Enter the URL of your provider's SMS API.")
	f.secret("api_key", c.APIKey)
	f.addIf(actual && c.APIKey == "" && (c.ForgetKey || before.APIKey == ""), "api_key", "Enter the API key of your provider.")
	f.address("alert_email", v.AlertEmail)
	v.Allowed = f.places(c.Allowed)
	f.addIf(actual && len(v.Allowed) == 0, "allowed", "Enter at least one country. Without a restriction, others can make you pay for SMS to any country.")
	budget, err := strconv.Atoi(strings.TrimSpace(c.Budget))
	f.addIf(err != nil || budget < 0 || budget > maxBudget, "budget", "Enter a whole number from 0 to 1000000.")
	v.Budget = budget
	return v, f.Err()
}

// places parses countries and prefixes and removes duplicates.
func (f *findings) places(text string) []string {
	places := []string{}
	for _, word := range strings.FieldsFunc(text, func(r rune) bool { return r == ',' || r == ';' || r == ' ' || r == '\n' || r == '\r' || r == '\t' }) {
		place, ok := phone.Place(word)
		if !ok {
			f.addIf(true, "allowed", word+" is not a country such as IN or a prefix such as +9198.")
			return nil
		}
		if !slices.Contains(places, place) {
			places = append(places, place)
		}
	}
	f.addIf(len(places) > 300, "allowed", "Enter at most 300 countries and prefixes.")
	return places
}

// findings collects the errors of a form, the first of each field.
type findings struct{ fault.Fields }

func (f *findings) addIf(wrong bool, name, message string) {
	f.AddIf(wrong && !slices.ContainsFunc(f.Fields, func(known fault.Field) bool { return known.Name == name }), name, message)
}
