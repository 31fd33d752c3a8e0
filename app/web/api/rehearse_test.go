package api_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"heliograph/app/channels/rcs"
	"heliograph/app/channels/simulate"
	"heliograph/app/channels/sms"
	"heliograph/app/fault"
	"heliograph/app/input"
	"heliograph/app/input/inputtest"
)

// rehearsals is how many texts of a channel are compared.
var rehearsals = 120

// texts returns the examples of a simulator and changed ones of them, as many as are
// compared.
func texts(t *testing.T, channel string, fit func(string) string) (list []string) {
	t.Helper()
	random := rand.New(rand.NewPCG(47, 2))
	var whole []string
	for _, e := range simulate.Examples(channel) {
		if !e.Freeflow {
			whole = append(whole, fit(e.Text))
		}
	}
	for i := range rehearsals {
		text := whole[i%len(whole)]
		if i >= len(whole) {
			text = inputtest.Change(t, random, text, 3200, "919812340007", "+919812345678", "TEMPLATE", "a\tb")
		}
		list = append(list, text)
	}
	return list
}

// rcsVerdict is the code, the fields and the outcomes of a request.
func rcsVerdict(outcomes any, err error) string {
	if f := fault.As(err); f != nil {
		var fields []string
		for _, field := range f.Fields {
			fields = append(fields, field.Name+" "+field.Code)
		}
		return fmt.Sprint("refused ", f.Kind, fields)
	}
	if err != nil {
		return err.Error()
	}
	text, err := json.Marshal(outcomes)
	if err != nil {
		return err.Error()
	}
	var list []struct {
		Status string
		Error  any
	}
	if err := json.Unmarshal(text, &list); err != nil {
		return err.Error()
	}
	return fmt.Sprint(list)
}

// The RCS simulator has the verdict of the API, with the same fields and outcomes, for
// its examples and for changed ones.
func TestRCSSimulatorHasTheVerdictOfTheAPI(t *testing.T) {
	t.Parallel()
	p, _ := setupRCS(t)
	refused := 0
	for _, text := range texts(t, "rcs", func(text string) string {
		var in map[string]any
		if err := json.Unmarshal([]byte(text), &in); err != nil {
			t.Fatal(err)
		}
		in["botId"] = p.sandbox.BotID
		made, _ := json.Marshal(in)
		return string(made)
	}) {
		var in input.Object
		if err := json.Unmarshal([]byte(text), &in); err != nil {
			t.Fatal(err)
		}
		if in["botId"] != p.sandbox.BotID {
			continue // the simulator takes every id for one of a bot of its sandbox
		}
		sent, _, err := p.service.Sender.Send(t.Context(), rcs.Request{OrganisationID: p.id, Input: in, Body: []byte(text)})
		h := rcs.Rehearser{Words: []string{"msgapp", "whatsapp"}}
		made, checked := h.Send(t.Context(), []byte(text), time.Now())
		want, got := rcsVerdict(sent, err), rcsVerdict(made.Reply, checked)
		if strings.HasPrefix(want, "refused") {
			refused++
		}
		if got != want {
			t.Errorf("%.600s\nsent:      %.300s\nrehearsed: %.300s", text, want, got)
		}
	}
	if refused < rehearsals/6 {
		t.Errorf("%d of %d were refused", refused, rehearsals)
	}
}

// smsVerdict is the codes of a submission.
func smsVerdict(r sms.Response, err error) string {
	var refusal *sms.Refusal
	if errors.As(err, &refusal) {
		return fmt.Sprint("refused ", refusal.Code)
	}
	if err != nil {
		return err.Error()
	}
	if r.Status.Code != sms.CodeAccepted && len(r.Messages) == 0 {
		return fmt.Sprint("refused ", r.Status.Code)
	}
	text := fmt.Sprint(r.Status.Code)
	for _, m := range r.Messages {
		text += fmt.Sprint(" ", m.Code, "/", m.Parts)
	}
	return text
}

// The SMS simulator has the verdict of the API, with the same codes and parts, for its
// examples and for changed ones.
func TestSMSSimulatorHasTheVerdictOfTheAPI(t *testing.T) {
	t.Parallel()
	p := setupSMS(t)
	refused := 0
	for _, text := range texts(t, "sms", func(text string) string {
		return strings.NewReplacer(`"PARCEL"`, `"HELIOG"`, `"Parcels"`, `"Heliograph"`).Replace(text)
	}) {
		submission, unusable := sms.ReadJSON([]byte(text))
		var response sms.Response
		err := unusable
		if submission != nil {
			response, err = p.service.Submit(t.Context(), sms.SubmitRequest{OrganisationID: p.id, Submission: submission, Unusable: unusable, Body: []byte(text)})
		}
		made, checked := sms.Rehearse([]byte(text), time.Now())
		want, got := smsVerdict(response, err), smsVerdict(made.Response, checked)
		if strings.HasPrefix(want, "refused") {
			refused++
		}
		if got != want {
			t.Errorf("%.600s\nsent:      %.300s\nrehearsed: %.300s", text, want, got)
		}
	}
	if refused < rehearsals/8 {
		t.Errorf("%d of %d were refused", refused, rehearsals)
	}
}
