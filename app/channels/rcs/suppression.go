package rcs

import (
	"context"

	"heliograph/app/channels/blocklist"
	"heliograph/app/channels/pipeline"
	"heliograph/app/fault"
	"heliograph/db/models"
)

// suppressedCode returns the error of a recipient who must not be contacted: 410
// for one who wrote STOP, 423 for a number on a list.
func suppressedCode(reason blocklist.Reason) int {
	if reason == blocklist.Stopped {
		return codeOptedOut
	}
	return codeDoNotDisturb
}

// suppressed returns the failure of a message to a recipient that must not be contacted.
func suppressed(_ models.Message, reason blocklist.Reason) (state string, f pipeline.Failure, ok bool) {
	code := suppressedCode(reason)
	return pipeline.Failed, pipeline.Failure{Code: code, Title: errorNames[code]}, true
}

// refuseSuppressed refuses the recipients who must not be contacted.
func (s *Sender) refuseSuppressed(ctx context.Context, b *batch) error {
	var numbers []string
	for _, r := range b.recipients {
		if r.isOpen() {
			numbers = append(numbers, digits(r.to))
		}
	}
	if len(numbers) == 0 {
		return nil
	}
	found, err := blocklist.Find(ctx, s.pool, b.bot.OrganisationID, Channel, numbers...)
	if err != nil {
		return err
	}
	for _, r := range b.recipients {
		reason := found[digits(r.to)]
		if reason == "" {
			continue
		}
		code := suppressedCode(reason)
		r.reject(refusal{messageError{Code: code, Message: errorNames[code]}, fault.Invalid, []fault.Field{{Name: r.numberAt, Code: errorNames[code], Message: "must not be contacted"}}})
	}
	return nil
}
