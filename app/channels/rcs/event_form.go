package rcs

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net/http"
	"strconv"

	"heliograph/app/channels/relay"
	"heliograph/db/models"
)

// The forms of relayed events.
const (
	formDefault = "DEFAULT"
	formGoogle  = "GOOGLE_RBM"
	formMaap    = "MAAP"
)

// render returns the request for an event in the form of its webhook.
func render(d models.Delivery) (relay.Request, error) {
	var e event
	if err := json.Unmarshal(d.Body, &e); err != nil {
		return relay.Request{}, fmt.Errorf("reading event %d: %w", d.ID, err)
	}
	var body any
	switch d.Webhook.Format {
	case formGoogle:
		body = e.wrapped(strconv.FormatInt(d.ID, 10))
	case formMaap:
		body = e.maap()
	default:
		e.Context = nil
		body = e
	}
	text, err := json.Marshal(body)
	if err != nil {
		return relay.Request{}, fmt.Errorf("writing event %d: %w", d.ID, err)
	}
	return relay.Request{Method: http.MethodPost, URL: d.Webhook.URL, Body: text}, nil
}

// jsonObject is a JSON object that is written only.
type jsonObject map[string]any

// wrapped returns an event as RCS Business Messaging posts it.
func (e event) wrapped(id string) jsonObject {
	inner, kind := e.google()
	data, err := json.Marshal(inner)
	if err != nil {
		data = []byte("{}") // strings and numbers only: cannot fail
	}
	return jsonObject{
		"message": jsonObject{
			"data": base64.StdEncoding.EncodeToString(data), "messageId": id, "publishTime": e.Timestamp,
			"attributes": jsonObject{"message_type": kind, "product": "RBM", "type": map[bool]string{true: "message", false: "event"}[kind != "EVENT"]},
		},
		"subscription": "bots/" + e.BotID,
	}
}

// google returns an event in the shapes of RCS Business Messaging, and the type of
// its message.
func (e event) google() (inner any, kind string) {
	user := jsonObject{"senderPhoneNumber": e.UserContact, "agentId": e.BotID, "sendTime": e.Timestamp}
	if e.MessageID != "" {
		user["messageId"] = e.MessageID
	}
	switch e.Type {
	case typeMessageStatus:
		if e.Status == statusDelivered || e.Status == statusRead {
			user["eventType"], user["eventId"] = e.Status, e.EventID
			return user, "EVENT"
		}
		status := e.Status
		if status == statusExpired {
			status = "TTL_EXPIRATION_REVOKED"
		}
		server := jsonObject{
			"phoneNumber": e.UserContact, "messageId": e.MessageID, "agentId": e.BotID, "eventType": status, "eventId": e.EventID, "sendTime": e.Timestamp,
		}
		if e.Error != nil {
			server["error"] = e.Error
		}
		return server, "EVENT"
	case typeTyping:
		user["eventType"], user["eventId"] = "IS_TYPING", e.EventID
		return user, "EVENT"
	case typeUserMessage:
		return e.googleContent(user)
	case typeSuggestion:
		kind := "REPLY"
		if e.Context != nil && e.Context.Action {
			kind = "ACTION"
		}
		user["suggestionResponse"] = jsonObject{"postbackData": e.SuggestionResponse.PostbackData, "text": e.SuggestionResponse.DisplayText, "type": kind}
		return user, "SUGGESTION_RESPONSE"
	case typeBotStatus:
		return jsonObject{
			"eventId": e.EventID, "agentId": e.BotID, "botDisplayName": e.Context.BotName, "brandDisplayName": e.Context.BrandName,
			"oldLaunchState": "LAUNCH_STATE_" + e.Context.OldLaunch, "newLaunchState": "LAUNCH_STATE_" + e.LaunchStatus, "sendTime": e.Timestamp,
			"verificationStatus": e.VerificationStatus, "reason": e.Reason,
		}, "EVENT"
	}
	e.Context = nil
	return e, "EVENT"
}

func (e event) googleContent(user jsonObject) (any, string) {
	switch {
	case e.Location != nil:
		user["location"] = e.Location
		return user, "LOCATION"
	case e.UserFile != nil:
		user["userFile"] = jsonObject{"payload": e.UserFile}
		return user, "USER_FILE"
	}
	user["text"] = e.Text
	return user, "TEXT"
}

// maap returns an event in the shapes of the GSMA's chatbot interface. Those
// about bots and templates have none, and stay as they are.
func (e event) maap() any {
	event := jsonObject{"messageFrom": jsonObject{"userContact": e.UserContact}, "timestamp": e.Timestamp}
	if e.MessageID != "" {
		event["messageId"] = e.MessageID
	}
	switch e.Type {
	case typeMessageStatus:
		status := jsonObject{"status": e.Status, "timestamp": e.Timestamp, "messageId": e.MessageID}
		if e.Error != nil {
			status["error"] = e.Error
		}
		return jsonObject{"messageStatusEvent": status}
	case typeTyping:
		event["isTyping"] = "active"
	case typeSuggestion:
		event["suggestionResponse"] = jsonObject{"displayText": e.SuggestionResponse.DisplayText, "postback": jsonObject{"data": e.SuggestionResponse.PostbackData}}
	case typeUserMessage:
		switch {
		case e.Location != nil:
			event["location"] = e.Location
		case e.UserFile != nil:
			event["file"] = e.UserFile
		default:
			event["text"] = jsonObject{"body": e.Text}
		}
	default:
		e.Context = nil
		return e
	}
	return jsonObject{"messageEvent": event}
}
