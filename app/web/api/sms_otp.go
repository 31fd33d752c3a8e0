package api

import (
	"context"
	"errors"
	"net/http"
	"strings"

	"heliograph/app/channels/sms"
	"heliograph/app/fault"
	"heliograph/app/input"
)

// smsSuccess is the answer of one-time passwords and lookups.
type smsSuccess struct {
	Code   int    `json:"code"`
	Status string `json:"status"`
	Data   any    `json:"data"`
}

// otpNames replaces the names of fields of a submission by the names that one-time passwords use.
var otpNames = strings.NewReplacer("dlt_template_id", "dlttempid", "dlt_entity_id", "dltentityid", "header", "sender", "dest", "numbers", "msg", "message")

// outcome answers a request that could be read. What the client can change, and a
// challenge that is not open, are outcomes too: the code in the body says so,
// with HTTP 200.
func (s *SMS) outcome(data any, err error) (any, error) {
	var refusal *sms.Refusal
	f := fault.As(err)
	switch {
	case err == nil:
		return smsSuccess{Code: http.StatusOK, Status: "success", Data: data}, nil
	case errors.As(err, &refusal):
		return s.failed(http.StatusBadRequest, otpNames.Replace(refusal.Error())), nil
	case f != nil && f.Kind == fault.Invalid:
		return s.failed(http.StatusBadRequest, explain(f)), nil
	case f != nil && f.Kind == fault.NotFound:
		return s.failed(http.StatusNotFound, f.Message), nil
	}
	return nil, err
}

type generateInput struct {
	Sender     input.Text `json:"sender"`
	Numbers    input.Text `json:"numbers"`
	Message    input.Text `json:"message"`
	EntityID   input.Text `json:"dltentityid"`
	TemplateID input.Text `json:"dlttempid"`
	Length     input.Text `json:"otplength"`
	Expiry     input.Text `json:"otpexpiry"`
	Return     input.Text `json:"returnotp"`
}

// generateOTP sends a code to one phone.
func (s *SMS) generateOTP(ctx context.Context, c *call, in generateInput) (any, error) {
	sent, err := s.otps.Generate(ctx, c.caller.OrganisationID, sms.OTPRequest{
		Sender: string(in.Sender), Numbers: string(in.Numbers), Message: string(in.Message), EntityID: string(in.EntityID), TemplateID: string(in.TemplateID),
		Length: string(in.Length), Expiry: string(in.Expiry), Return: string(in.Return),
	})
	return s.outcome([]sms.OTPSent{sent}, err)
}

type resendInput struct {
	ID      input.Text `json:"uniqueid"`
	Sender  input.Text `json:"sender"`
	Numbers input.Text `json:"numbers"`
}

// resendOTP sends a new code for an open challenge.
func (s *SMS) resendOTP(ctx context.Context, c *call, in resendInput) (any, error) {
	sent, err := s.otps.Resend(ctx, c.caller.OrganisationID, string(in.ID), string(in.Sender), string(in.Numbers))
	return s.outcome([]sms.OTPSent{sent}, err)
}

type verifyInput struct {
	ID      input.Text `json:"uniqueid"`
	Sender  input.Text `json:"sender"`
	Numbers input.Text `json:"numbers"`
	Code    input.Text `json:"otp"`
}

// verifyOTP checks a code that a person entered.
func (s *SMS) verifyOTP(ctx context.Context, c *call, in verifyInput) (any, error) {
	met, err := s.otps.Verify(ctx, c.caller.OrganisationID, sms.OTPGuess{
		ID: string(in.ID), Sender: string(in.Sender), Numbers: string(in.Numbers), Code: string(in.Code),
	})
	return s.outcome([]sms.OTPVerified{met}, err)
}
