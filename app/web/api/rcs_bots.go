package api

import (
	"context"
	"errors"
	"io"
	"mime"
	"mime/multipart"
	"net/http"
	"regexp"
	"strconv"

	"heliograph/app/channels/rcs"
	"heliograph/app/channels/rcs/lifecycle"
	"heliograph/app/fault"
	"heliograph/app/input"
)

var (
	botSegment    = regexp.MustCompile(`^[A-Za-z0-9_=-]{1,64}$`)
	clientSegment = regexp.MustCompile(`^[A-Za-z0-9._-]{1,100}$`)
)

// botOf returns the bot that a path names. One that cannot exist is not looked
// for.
func (c *call) botOf() (string, error) {
	id := c.params["bot_id"]
	if !botSegment.MatchString(id) {
		return "", fault.New(fault.NotFound, "This bot does not exist")
	}
	return id, c.agreeOnBot(id)
}

// rcsBots answers the operations on bots.
type rcsBots struct{ bots *rcs.Bots }

// createBot creates a bot.
func (r rcsBots) createBot(ctx context.Context, c *call, in input.Object) (any, error) {
	made, err := r.bots.CreateBot(ctx, c.by(), in)
	if err != nil {
		return nil, err
	}
	return rcsAnswer(http.StatusCreated, struct {
		BotID    string          `json:"botId"`
		BotName  string          `json:"botName"`
		Message  string          `json:"message"`
		Warnings []rcsFieldError `json:"warnings,omitempty"`
	}{made.ID, made.Name, "Bot created successfully", rcsFields(made.Warnings)}, nil)
}

// updateBot changes fields of a bot, which the header names.
func (r rcsBots) updateBot(ctx context.Context, c *call, in input.Object) (any, error) {
	id := c.request.Header.Get("botId")
	if named, ok := in["botId"].(string); ok {
		if err := c.agreeOnBot(named); err != nil {
			return nil, err
		}
	}
	if id == "" {
		return nil, &fault.Error{Kind: fault.Invalid, Message: "Validation failed", Fields: []fault.Field{{Name: "botId", Code: "required", Message: "is missing: send it as a header"}}}
	}
	if !botSegment.MatchString(id) {
		return nil, fault.New(fault.NotFound, "This bot does not exist")
	}
	delete(in, "botId")
	return rcsOK("Bot updated successfully", r.bots.UpdateBot(ctx, c.by(), id, in))
}

// submitBot puts a bot forward for verification. The body is JSON, or a form with
// images.
func (r rcsBots) submitBot(ctx context.Context, c *call, _ none) (any, error) {
	in, err := readSubmissionOfBot(c)
	if err != nil {
		return nil, err
	}
	if named, ok := in.Details["botId"].(string); ok {
		if err := c.agreeOnBot(named); err != nil {
			return nil, err
		}
	}
	id, err := r.bots.SubmitBot(ctx, c.by(), in)
	return rcsOK(map[string]string{"botId": id, "verificationStatus": lifecycle.Pending}, err)
}

func readSubmissionOfBot(c *call) (in rcs.Submission, err error) {
	kind, params, _ := mime.ParseMediaType(c.request.Header.Get("Content-Type"))
	if kind != "multipart/form-data" {
		if kind != "" && kind != "application/json" {
			return in, fault.New(fault.Unsupported, "Send the body as application/json or multipart/form-data")
		}
		body, err := readBody(c.writer, c.request, rcs.MaxBody, rcsValues)
		if err != nil {
			return in, err
		}
		return in, readRCSObject(body, &in.Details)
	}
	in.Form = true
	form := multipart.NewReader(http.MaxBytesReader(c.writer, c.request.Body, rcs.MaxForm), params["boundary"])
	for {
		part, err := form.NextPart()
		if errors.Is(err, io.EOF) {
			return in, nil
		}
		if err != nil {
			return in, unreadableForm(err)
		}
		if err := readPartOfBot(&in, part); err != nil {
			return in, err
		}
	}
}

// The most that a form may have.
const (
	maxPartsOfBot = 12 // data, ten screens and a logo
	maxImageOfBot = 2 << 20
)

// readPartOfBot reads one part of a form.
func readPartOfBot(in *rcs.Submission, part *multipart.Part) error {
	content, err := io.ReadAll(io.LimitReader(part, maxImageOfBot+1))
	if err != nil {
		return unreadableForm(err)
	}
	switch name := part.FormName(); name {
	case "data":
		if len(content) > rcs.MaxBody {
			return tooLarge(rcs.MaxBody)
		}
		if err := boundBody(content, rcsValues); err != nil {
			return err
		}
		return readRCSObject(content, &in.Details)
	case "screenImages":
		if in.Screens = append(in.Screens, content); len(in.Screens) > maxPartsOfBot {
			return wrongPart(name, "max_items", "must have at most 10 pictures")
		}
	case "brandLogoImage":
		in.Brand = content
	default:
		return wrongPart(name, "unknown", "is not a field of this request")
	}
	return nil
}

func wrongPart(name, code, message string) error {
	return &fault.Error{Kind: fault.Invalid, Message: "Validation failed", Fields: []fault.Field{{Name: name, Code: code, Message: message}}}
}

func unreadableForm(err error) error {
	var large *http.MaxBytesError
	if errors.As(err, &large) {
		return tooLarge(rcs.MaxForm)
	}
	return &fault.Error{Kind: fault.Invalid, Message: "The form cannot be read: send it as multipart/form-data with its boundary", Err: err}
}

// listBots lists the bots of the caller.
func (r rcsBots) listBots(ctx context.Context, c *call, _ input.Object) (any, error) {
	_, page, err := c.pageOf()
	if err != nil {
		return nil, err
	}
	return rcsList(r.bots.Bots(ctx, c.caller.OrganisationID, "", page))
}

// listLaunchedBots lists the launched bots of the caller.
func (r rcsBots) listLaunchedBots(ctx context.Context, c *call, _ input.Object) (any, error) {
	values, page, err := c.pageOf(orgParameter)
	if err != nil {
		return nil, err
	}
	if err := c.checkOrganisation(values["orgId"]); err != nil {
		return nil, err
	}
	return rcsList(r.bots.Bots(ctx, c.caller.OrganisationID, lifecycle.Launched, page))
}

// checkOrganisation refuses another organisation than the caller's.
func (c *call) checkOrganisation(id string) error {
	if id != strconv.FormatInt(c.caller.OrganisationID, 10) {
		return fault.New(fault.Forbidden, "This does not belong to your organisation")
	}
	return nil
}

// getBot returns a bot.
func (r rcsBots) getBot(ctx context.Context, c *call, _ input.Object) (any, error) {
	id, err := c.botOf()
	if err != nil {
		return nil, err
	}
	return asRCS(r.bots.Bot(ctx, c.caller.OrganisationID, id))
}

// asRCS answers with what a rule returned.
func asRCS[T any](data T, err error) (any, error) { return rcsOK(data, err) }

// getBotByClientID returns the bot with a client id.
func (r rcsBots) getBotByClientID(ctx context.Context, c *call, _ input.Object) (any, error) {
	id := c.params["client_id"]
	if !clientSegment.MatchString(id) {
		return nil, fault.New(fault.NotFound, "This bot does not exist")
	}
	return asRCS(r.bots.BotByClientID(ctx, c.caller.OrganisationID, id))
}

// getBotID returns the id of the bot with a name.
func (r rcsBots) getBotID(ctx context.Context, c *call, _ input.Object) (any, error) {
	values, err := c.parameters(botNameParam)
	if err != nil {
		return nil, err
	}
	id, err := r.bots.BotID(ctx, c.caller.OrganisationID, values["botName"])
	return rcsOK(map[string]string{"botId": id}, err)
}

// rcsDevices answers the operations on test devices.
type rcsDevices struct{ devices *rcs.Devices }

// addTestDevice invites a phone to test a bot.
func (r rcsDevices) addTestDevice(ctx context.Context, c *call, in input.Object) (any, error) {
	if err := c.agreeInBody(in); err != nil {
		return nil, err
	}
	device, err := r.devices.AddDevice(ctx, c.by(), in)
	return rcsAnswer(http.StatusCreated, device, err)
}

// agreeInBody is agreeOnBot for the bot in a body.
func (c *call) agreeInBody(in input.Object) error {
	named, _ := in["botId"].(string)
	return c.agreeOnBot(named)
}

// rcsWebhooks answers the operations on where callbacks go.
type rcsWebhooks struct{ webhooks *rcs.Webhooks }

// setRelayWebhook sets where the events of a bot go.
func (r rcsWebhooks) setRelayWebhook(ctx context.Context, c *call, in input.Object) (any, error) {
	if err := c.agreeInBody(in); err != nil {
		return nil, err
	}
	set, err := rcs.ReadWebhook(in)
	if err != nil {
		return nil, err
	}
	return rcsOK(map[string]string{"botId": set.BotID, "relayWebhookUrl": set.URL}, r.webhooks.SetWebhook(ctx, c.by(), set))
}

// getRelayWebhook returns where the events of a bot go.
func (r rcsWebhooks) getRelayWebhook(ctx context.Context, c *call, _ input.Object) (any, error) {
	values, err := c.parameters(botParameter)
	if err != nil {
		return nil, err
	}
	if err := c.agreeOnBot(values["botId"]); err != nil {
		return nil, err
	}
	url, err := r.webhooks.WebhookURL(ctx, c.caller.OrganisationID, values["botId"])
	return rcsOK(map[string]string{"botId": values["botId"], "relayWebhookUrl": url}, err)
}

// setTransform sets the form of the events of a bot.
func (r rcsWebhooks) setTransform(ctx context.Context, c *call, in input.Object) (any, error) {
	if err := c.agreeInBody(in); err != nil {
		return nil, err
	}
	botID, form, err := rcs.ReadTransform(in)
	if err != nil {
		return nil, err
	}
	return rcsOK(map[string]string{"botId": botID, "payloadTransformType": form}, r.webhooks.SetTransform(ctx, c.by(), botID, form))
}
