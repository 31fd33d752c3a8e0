package messaging

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/google/uuid"

	"heliograph/app/channels/messaging/refusal"
	"heliograph/app/channels/pipeline"
	"heliograph/app/input"
	"heliograph/db/models"
)

// carrierTitles are the titles of failures that carriers report.
var carrierTitles = map[int]string{
	131016: "Service unavailable",
	131026: "Message undeliverable",
	131049: "Message not delivered to keep the channel healthy",
}

// Follows lists what can happen to the message, each with the callback about it. A read
// receipt is followed by nothing.
func (r Rehearsal) Follows(now time.Time) (list []pipeline.Following, err error) {
	if r.Message.ID == uuid.Nil {
		return nil, nil
	}
	moved := models.Moved{Message: r.Message, At: now}
	for _, state := range []string{"sent", "delivered", "read"} {
		body := statusCallback(moved, r.number, pipeline.Step{State: state}, r.recipient())
		list = append(list, pipeline.Following{ID: state, Label: strings.ToUpper(state[:1]) + state[1:], Kind: pipeline.FollowsState, Events: []any{body}})
	}
	for _, code := range slices.Sorted(maps.Keys(remedies)) {
		title := refusal.Titles[code]
		title = cmp.Or(title, carrierTitles[code])
		body := statusCallback(moved, r.number, pipeline.Step{State: pipeline.Failed, Failure: &pipeline.Failure{Code: code, Title: title}}, r.recipient())
		list = append(list, pipeline.Following{
			ID: "failed-" + strconv.Itoa(code), Label: fmt.Sprintf("%d: %s", code, title), Kind: pipeline.FollowsFailure, Events: []any{body},
		})
	}
	answers, err := r.answers()
	if err != nil {
		return nil, err
	}
	for i, a := range answers {
		in := inbound{PhoneNumberID: r.number.ID, Product: productOf(r.Message), Person: r.recipient(), Name: virtualName, Type: a.kind, Context: &r.Message.ID, Content: a.content}
		id := MessageID(uuid.NewSHA1(r.Message.ID, []byte(a.label)))
		list = append(list, pipeline.Following{
			ID: "answer-" + strconv.Itoa(i), Label: a.label, Kind: pipeline.FollowsAnswer, Events: []any{in.callback(r.number, id, now)},
		})
	}
	return list, nil
}

// answer is something that the recipient of a message can send back.
type answer struct {
	label, kind string
	content     inboundContent
}

// answers lists what the recipient can send back: a text, and what can be tapped.
func (r Rehearsal) answers() ([]answer, error) {
	var sent sendRequest
	if err := json.Unmarshal(r.Message.Payload, &sent); err != nil {
		return nil, fmt.Errorf("reading a rehearsed message: %w", err)
	}
	list := []answer{{"Writes \"Thank you.\"", "text", inboundContent{Text: &inboundText{Body: "Thank you."}}}}
	if sent.Interactive != nil {
		list = append(list, sent.Interactive.answers()...)
	}
	if sent.Template != nil {
		parts, err := readParts(r.Template.Components)
		if err != nil {
			return nil, fmt.Errorf("reading a rehearsed template: %w", err)
		}
		list = append(list, templateAnswers(parts, sent.Template.Components)...)
	}
	return list, nil
}

// answers lists what can be tapped in an interactive message and reaches the sender.
func (m *interactive) answers() (list []answer) {
	if m.Action == nil {
		return nil
	}
	for _, b := range m.Action.Buttons {
		list = append(list, answer{"Taps " + string(b.Reply.Title), "interactive", inboundContent{
			Interactive: &chosenReply{Type: "button_reply", ButtonReply: &choice{ID: b.Reply.ID, Title: b.Reply.Title}},
		}})
	}
	for _, s := range m.Action.Sections {
		for _, row := range s.Rows {
			list = append(list, answer{"Chooses " + string(row.Title), "interactive", inboundContent{
				Interactive: &chosenReply{Type: "list_reply", ListReply: &choice{ID: row.ID, Title: row.Title, Description: row.Description}},
			}})
		}
	}
	switch m.Type {
	case "flow":
		token := ""
		if m.Action.Parameters != nil {
			token = string(m.Action.Parameters.FlowToken)
		}
		response, err := json.Marshal(map[string]string{"flow_token": token})
		if err != nil {
			response = []byte("{}") // strings only: cannot fail
		}
		list = append(list, answer{"Completes the flow", "interactive", inboundContent{
			Interactive: &chosenReply{Type: "nfm_reply", FlowReply: &flowData{Name: "flow", Body: "Sent", ResponseJSON: input.Text(response)}},
		}})
	case "location_request_message":
		latitude, longitude := input.Decimal(18.52), input.Decimal(73.85)
		list = append(list, answer{"Sends a location", "location", inboundContent{Location: &location{Latitude: &latitude, Longitude: &longitude}}})
	}
	return list
}

// templateAnswers lists the quick replies of a template, with its cards last.
func templateAnswers(parts []part, sent []component) (list []answer) {
	for _, p := range parts {
		for i, b := range p.Buttons {
			if strings.EqualFold(b.Type, "REQUEST_CONTACT_INFO") {
				card := contactCard{Name: contactName{FormattedName: virtualName, FirstName: "Virtual"}, Phones: []contactPhone{{Phone: "+919812345678", WaID: "919812345678", Type: "CELL"}}, Origin: originAsked}
				list = append(list, answer{"Shares the number", "contacts", inboundContent{Contacts: []contactCard{card}}})
			}
			if !strings.EqualFold(b.Type, "QUICK_REPLY") {
				continue
			}
			pressed := &pressedButton{Payload: input.Text(b.Text), Text: input.Text(b.Text)}
			for _, c := range sent {
				if c.Type == "button" && string(c.Index) == strconv.Itoa(i) && len(c.Parameters) > 0 && c.Parameters[0].Payload != "" {
					pressed.Payload = c.Parameters[0].Payload
				}
			}
			list = append(list, answer{"Taps " + b.Text, "button", inboundContent{Button: pressed}})
		}
		for i, card := range p.Cards {
			for _, a := range templateAnswers(card.Components, componentsOfCard(sent, i)) {
				a.label += fmt.Sprintf(" on card %d", i+1)
				list = append(list, a)
			}
		}
	}
	return list
}

// componentsOfCard returns the components that were sent for a card.
func componentsOfCard(sent []component, index int) []component {
	for _, c := range sent {
		for _, card := range c.Cards {
			if card.CardIndex != nil && int(*card.CardIndex) == index {
				return card.Components
			}
		}
	}
	return nil
}
