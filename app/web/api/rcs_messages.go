package api

import (
	"context"
	"net/http"

	"heliograph/app/channels/rcs"
	"heliograph/app/input"
)

// rcsMessages answers the operations that send messages and follow them.
type rcsMessages struct{ sender *rcs.Sender }

// sendMessage accepts messages in one of four shapes.
func (r rcsMessages) sendMessage(ctx context.Context, c *call, in input.Object) (any, error) {
	if err := c.agreeInBody(in); err != nil {
		return nil, err
	}
	return c.sent(r.sender.Send(ctx, c.rcsRequest(in)))
}

// sendFreeflow accepts a message without a template.
func (r rcsMessages) sendFreeflow(ctx context.Context, c *call, in input.Object) (any, error) {
	if err := c.agreeInBody(in); err != nil {
		return nil, err
	}
	return c.sent(r.sender.SendFreeflow(ctx, c.rcsRequest(in)))
}

// rcsRequest returns the request to send.
func (c *call) rcsRequest(in input.Object) rcs.Request {
	return rcs.Request{OrganisationID: c.caller.OrganisationID, Input: in, Body: c.body, Key: c.key()}
}

// sent makes the answer to a request to send, and says so if it was given before.
func (c *call) sent(sent []rcs.Sent, replayed bool, err error) (any, error) {
	if err == nil && replayed {
		c.markReplayed()
	}
	return rcsAnswer(http.StatusAccepted, sent, err)
}

// getMessageStatus returns the status of a message and its history.
func (r rcsMessages) getMessageStatus(ctx context.Context, c *call, _ input.Object) (any, error) {
	id, err := c.botOf()
	if err != nil {
		return nil, err
	}
	return asRCS(r.sender.MessageStatus(ctx, c.caller.OrganisationID, id, c.params["message_id"]))
}
