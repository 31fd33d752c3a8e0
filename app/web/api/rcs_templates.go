package api

import (
	"context"
	"net/http"
	"regexp"

	"heliograph/app/channels/rcs"
	"heliograph/app/fault"
	"heliograph/app/input"
)

var templateSegment = regexp.MustCompile(`^[A-Za-z0-9_=-]{1,100}$`)

// rcsTemplates answers the operations on templates.
type rcsTemplates struct{ templates *rcs.Templates }

// createTemplate adds a template to a bot.
func (r rcsTemplates) createTemplate(ctx context.Context, c *call, in input.Object) (any, error) {
	if err := c.agreeInBody(in); err != nil {
		return nil, err
	}
	made, err := r.templates.CreateTemplate(ctx, c.by(), in)
	return rcsAnswer(http.StatusCreated, made, err)
}

// updateTemplate replaces the content of a template.
func (r rcsTemplates) updateTemplate(ctx context.Context, c *call, in input.Object) (any, error) {
	if err := c.agreeInBody(in); err != nil {
		return nil, err
	}
	return asRCS(r.templates.UpdateTemplate(ctx, c.by(), in))
}

// getTemplate returns a template.
func (r rcsTemplates) getTemplate(ctx context.Context, c *call, _ input.Object) (any, error) {
	values, err := c.parameters(templateIDParam)
	if err != nil {
		return nil, err
	}
	return asRCS(r.templates.Template(ctx, c.caller.OrganisationID, values["templateId"]))
}

// getTemplateID returns the id of the template of a bot with a name.
func (r rcsTemplates) getTemplateID(ctx context.Context, c *call, _ input.Object) (any, error) {
	values, err := c.templateOf()
	if err != nil {
		return nil, err
	}
	id, err := r.templates.TemplateID(ctx, c.caller.OrganisationID, values["botId"], values["templateName"])
	return rcsOK(map[string]string{"templateId": id}, err)
}

// templateOf reads the parameters that name a template of a bot.
func (c *call) templateOf() (map[string]string, error) {
	values, err := c.parameters(templateParam, botParameter)
	if err != nil {
		return nil, err
	}
	return values, c.agreeOnBot(values["botId"])
}

// previewTemplate returns the message that a template becomes.
func (r rcsTemplates) previewTemplate(ctx context.Context, c *call, _ input.Object) (any, error) {
	values, err := c.templateOf()
	if err != nil {
		return nil, err
	}
	return asRCS(r.templates.PreviewTemplate(ctx, c.caller.OrganisationID, values["botId"], values["templateName"]))
}

// getTemplateStatus returns the state of a template.
func (r rcsTemplates) getTemplateStatus(ctx context.Context, c *call, _ input.Object) (any, error) {
	id, err := c.botOf()
	if err != nil {
		return nil, err
	}
	if !templateSegment.MatchString(c.params["template"]) {
		return nil, fault.New(fault.NotFound, "The bot has no such template")
	}
	return asRCS(r.templates.TemplateStatus(ctx, c.caller.OrganisationID, id, c.params["template"]))
}

// listBotTemplates lists the templates of a bot.
func (r rcsTemplates) listBotTemplates(ctx context.Context, c *call, _ input.Object) (any, error) {
	values, page, err := c.pageOf(botParameter, statusParam, typeParam)
	if err != nil {
		return nil, err
	}
	if err := c.agreeOnBot(values["botId"]); err != nil {
		return nil, err
	}
	query := rcs.TemplateQuery{BotID: values["botId"], Status: values["status"], Type: values["type"]}
	return rcsList(r.templates.Templates(ctx, c.caller.OrganisationID, query, page))
}

// listOrganisationTemplates lists the templates of the caller.
func (r rcsTemplates) listOrganisationTemplates(ctx context.Context, c *call, _ input.Object) (any, error) {
	values, page, err := c.pageOf(orgParameter)
	if err != nil {
		return nil, err
	}
	if err := c.checkOrganisation(values["orgId"]); err != nil {
		return nil, err
	}
	return rcsList(r.templates.Templates(ctx, c.caller.OrganisationID, rcs.TemplateQuery{}, page))
}

// listFallbackTemplates lists the templates of the messaging channel that messages
// of a bot may fall back to.
func (r rcsTemplates) listFallbackTemplates(ctx context.Context, c *call, _ input.Object) (any, error) {
	id, err := c.botOf()
	if err != nil {
		return nil, err
	}
	_, page, err := c.pageOf()
	if err != nil {
		return nil, err
	}
	return rcsList(r.templates.FallbackTemplates(ctx, c.caller.OrganisationID, id, page))
}
