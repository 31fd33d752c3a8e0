package simulate

import (
	"context"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"heliograph/app/channels/messaging"
	"heliograph/app/channels/rcs"
	"heliograph/app/channels/rcs/lifecycle"
	"heliograph/app/fault"
	"heliograph/db"
	"heliograph/db/models"
	queries "heliograph/db/queries/channels"
)

// Account is what a text names of the account of an organisation. The zero Account is
// the one of a visitor: texts have what every sandbox has.
type Account struct {
	Templates    []models.Template // of the messaging channel
	Bot          models.RCSBot     // empty for a text from another bot
	BotTemplates []models.RCSTemplate
}

// Accounts reads templates and bots of organisations, for the simulators.
type Accounts struct {
	DB db.Querier
	// Word is the name of the messaging channel.
	Word string
	// Now returns the time.
	Now func() time.Time
}

// The names of own examples: the kind, the id, and for a template of a bot its name.
const (
	ownTemplate = "template"
	ownBot      = "bot"
)

// TemplateExample returns the name of the example with a template of an account.
func TemplateExample(id int64) string { return ownTemplate + "." + strconv.FormatInt(id, 10) }

// BotExample returns the name of the example with a bot. template is one of its
// templates, or empty.
func BotExample(id, template string) string {
	if template == "" {
		return ownBot + "." + id
	}
	return ownBot + "." + id + "." + template
}

// IsOwn reports whether an example is one of an organisation.
func IsOwn(name string) bool {
	kind, _, found := strings.Cut(name, ".")
	return found && (kind == ownTemplate || kind == ownBot)
}

// maxNames is how many different templates of an account one text may name.
const maxNames = 100

// Named returns what a text names of the account of an organisation. example is the own
// example that the text began with, or empty: of several templates with one name in one
// language, the one of the example counts.
func (a *Accounts) Named(ctx context.Context, channel string, organisationID int64, text, example string) (found Account, err error) {
	if a == nil || organisationID == 0 {
		return found, nil
	}
	root, problems := read(text)
	if problems != nil {
		return found, nil
	}
	if names := root.named("template", "name"); len(names) > 0 {
		var first int64
		if kind, id, _ := strings.Cut(example, "."); kind == ownTemplate {
			first, _ = strconv.ParseInt(id, 10, 64) // 0 is nobody's
		}
		if found.Templates, err = queries.TemplateListNamed(ctx, a.DB, organisationID, names, first); err != nil {
			return found, fmt.Errorf("reading templates of organisation %d: %w", organisationID, err)
		}
	}
	id := root.get("botId")
	if channel != rcs.Channel || id == nil || !storable(id.text) {
		return found, nil
	}
	bot, err := a.bot(ctx, organisationID, id.text)
	if fault.Is(err, fault.NotFound) {
		return found, nil // the sandbox in memory has it
	}
	if err != nil {
		return found, err
	}
	found.Bot = bot
	if names := root.named("", "templateCode"); len(names) > 0 {
		if found.BotTemplates, err = queries.RCSTemplateListNamed(ctx, a.DB, bot.ID, names); err != nil {
			return found, fmt.Errorf("reading templates of bot %s: %w", bot.ID, err)
		}
	}
	return found, nil
}

// storable reports whether the database can compare a text with others.
func storable(text string) bool {
	return text != "" && len(text) <= 512 && utf8.ValidString(text) && !strings.ContainsRune(text, 0)
}

// named returns the different texts of the members with a name, in the objects that are
// the member parent of another; in all objects for an empty parent.
func (n *node) named(parent, name string) (texts []string) {
	seen := map[string]bool{}
	var walk func(n *node, within string)
	walk = func(n *node, within string) {
		for _, m := range n.members {
			isNamed := strings.EqualFold(m.name, name) && (parent == "" || strings.EqualFold(within, parent))
			if isNamed && storable(m.value.text) && !seen[m.value.text] && len(texts) < maxNames {
				seen[m.value.text] = true
				texts = append(texts, m.value.text)
			}
			walk(m.value, m.name)
		}
		for _, item := range n.items {
			walk(item, within)
		}
	}
	walk(n, "")
	return texts
}

// bot returns a bot of an organisation.
func (a *Accounts) bot(ctx context.Context, organisationID int64, id string) (models.RCSBot, error) {
	b, err := queries.RCSBotGet(ctx, a.DB, id)
	if err != nil && !db.IsNoRows(err) {
		return b, fmt.Errorf("reading bot %s: %w", id, err)
	}
	if err != nil || b.OrganisationID != organisationID {
		return models.RCSBot{}, fault.New(fault.NotFound, "This bot does not exist.")
	}
	return b, nil
}

// Open returns the own example with a name. What another organisation has does not exist.
func (a *Accounts) Open(ctx context.Context, channel string, organisationID int64, name string) (Example, error) {
	missing := fault.New(fault.NotFound, "Your account has no such template or bot.")
	if a == nil || organisationID == 0 || !storable(name) {
		return Example{}, missing
	}
	kind, id, _ := strings.Cut(name, ".")
	if kind == ownTemplate != (channel == messaging.Channel) || kind == ownBot != (channel == rcs.Channel) {
		return Example{}, missing
	}
	if kind == ownTemplate {
		n, err := strconv.ParseInt(id, 10, 64)
		if err != nil {
			return Example{}, missing
		}
		t, err := queries.TemplateGetByID(ctx, a.DB, n)
		if err != nil && !db.IsNoRows(err) {
			return Example{}, fmt.Errorf("reading template %d: %w", n, err)
		}
		if err != nil || t.OrganisationID != organisationID {
			return Example{}, missing
		}
		text, err := messaging.SampleSend(a.Word, t, a.Now())
		return Example{Name: name, Title: templateTitle(t), Text: pretty(json.RawMessage(text))}, err
	}
	id, template, _ := strings.Cut(id, ".")
	bot, err := a.bot(ctx, organisationID, id)
	if fault.Is(err, fault.NotFound) {
		return Example{}, missing
	}
	if err != nil {
		return Example{}, err
	}
	if template == "" {
		text, err := rcs.SampleText(bot.ID)
		return Example{Name: name, Title: "Your bot " + bot.Name, Text: pretty(json.RawMessage(text))}, err
	}
	found, err := queries.RCSTemplateListNamed(ctx, a.DB, bot.ID, []string{template})
	if err != nil {
		return Example{}, fmt.Errorf("reading a template of bot %s: %w", bot.ID, err)
	}
	if len(found) == 0 {
		return Example{}, missing
	}
	text, err := rcs.SampleSend(found[0])
	return Example{Name: name, Title: "Your template " + template + " of " + bot.Name, Text: pretty(json.RawMessage(text))}, err
}

func templateTitle(t models.Template) string { return "Your template " + t.Name + ", " + t.Language }

// maxListed is how many templates or bots of an organisation a simulator offers.
const maxListed = 30

// List returns the own examples of an organisation without their texts, the newest first.
func (a *Accounts) List(ctx context.Context, channel string, organisationID int64) (list []Example, err error) {
	if a == nil || organisationID == 0 {
		return nil, nil
	}
	switch channel {
	case messaging.Channel:
		found, err := queries.TemplateListNewest(ctx, a.DB, organisationID, maxListed)
		if err != nil {
			return nil, fmt.Errorf("listing templates of organisation %d: %w", organisationID, err)
		}
		for _, t := range found {
			list = append(list, Example{Name: TemplateExample(t.ID), Title: templateTitle(t)})
		}
	case rcs.Channel:
		bots, err := queries.RCSBotList(ctx, a.DB, organisationID, "", queries.RCSPage{Limit: maxListed})
		if err != nil {
			return nil, fmt.Errorf("listing bots of organisation %d: %w", organisationID, err)
		}
		named := map[string]string{}
		for _, b := range bots {
			named[b.ID] = b.Name
			list = append(list, Example{Name: BotExample(b.ID, ""), Title: "Your bot " + b.Name})
		}
		found, err := queries.RCSTemplateList(ctx, a.DB, queries.RCSTemplateFilter{OrganisationID: organisationID}, queries.RCSPage{Limit: maxListed})
		if err != nil {
			return nil, fmt.Errorf("listing templates of bots of organisation %d: %w", organisationID, err)
		}
		for _, t := range found {
			if named[t.BotID] != "" {
				list = append(list, Example{Name: BotExample(t.BotID, t.Name), Title: "Your template " + t.Name + " of " + named[t.BotID]})
			}
		}
	}
	return list, nil
}

// remarks says what keeps the API from sending with the account as it is.
func (a Account) remarks() (notes []string) {
	if a.Bot.ID != "" && a.Bot.Launch != lifecycle.Launched {
		notes = append(notes, fmt.Sprintf("Your bot is %s. Until it is launched, the API sends to its test devices alone.", a.Bot.Launch))
	}
	for _, t := range a.BotTemplates {
		if t.State != "APPROVED" {
			notes = append(notes, templateRemark(t.Name, t.State))
		}
	}
	return notes
}

func templateRemark(name, state string) string {
	return fmt.Sprintf("Your template %s is %s. The API refuses it until it is approved.", name, state)
}
