package api

import (
	"context"
	"net/http"

	"heliograph/app/input"
)

// sendMessage accepts messages in one of four shapes.
func (r *RCS) sendMessage(ctx context.Context, c *call, in input.Object) (any, error) {
	if err := c.agreeInBody(in); err != nil {
		return nil, err
	}
	sent, err := r.service.Send(ctx, c.caller.OrganisationID, in)
	return rcsAnswer(http.StatusAccepted, sent, err)
}

// sendFreeflow accepts a message without a template.
func (r *RCS) sendFreeflow(ctx context.Context, c *call, in input.Object) (any, error) {
	if err := c.agreeInBody(in); err != nil {
		return nil, err
	}
	sent, err := r.service.SendFreeflow(ctx, c.caller.OrganisationID, in)
	return rcsAnswer(http.StatusAccepted, sent, err)
}

// getMessageStatus returns the status of a message and its history.
func (r *RCS) getMessageStatus(ctx context.Context, c *call, _ input.Object) (any, error) {
	id, err := c.botOf()
	if err != nil {
		return nil, err
	}
	return asRCS(r.service.MessageStatus(ctx, c.caller.OrganisationID, id, c.params["message_id"]))
}
