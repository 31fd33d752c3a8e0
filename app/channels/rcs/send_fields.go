package rcs

import (
	"encoding/json"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"heliograph/app/fault"
)

// shape is one of the forms of a request to send.
type shape struct {
	name string // in errors
	rule rule
}

const (
	leastLife = time.Second
	mostLife  = 15 * 24 * time.Hour
)

var (
	sendOptions = fields{
		"botId":              opaqueID,
		"messageTrafficType": choice("AUTHENTICATION", "TRANSACTION", "PROMOTION", "SERVICEREQUEST", "ACKNOWLEDGEMENT"),
		"ttl":                timeToLive,
		"expireTime":         dateTime,
		"fallback":           fallbackRule,
		"clientRef":          text(0, 100),
	}

	fallbackRule = all(object(fields{
		"enabled": boolean, "channel": choice(fallbackSMS, fallbackMessaging), "text": text(1, 1600), "after": choice(afterTTL, afterIncapable, afterFailure),
		"sms": object(fields{
			"header": text(1, 15), "dltEntityId": matching(`^[0-9]{6,20}$`, "have 6 to 20 digits"), "dltTemplateId": matching(`^[0-9]{6,20}$`, "have 6 to 20 digits"),
		}, "header"),
		"msgapp": object(fields{
			"phoneNumberId": matching(`^[0-9]{1,20}$`, "have digits only"),
			"template": openObject(fields{
				"name": text(1, 512), "language": openObject(fields{"code": text(2, 15)}, "code"),
				"components": list(0, 20, "components", openObject(fields{})),
			}, "name", "language"),
		}, "phoneNumberId", "template"),
	}, "enabled", "channel"), checkFallback)

	// recipient is the rule of a number in a list. Whether it can be used is decided
	// for each by itself.
	recipientNumber = text(1, 32)

	templateMessage = object(fields{"to": recipientNumber, "templateCode": templateName, "customParams": customParams, "messageId": messageIDRule}, "to", "templateCode")
	templateTarget  = object(fields{"to": recipientNumber, "customParams": customParams, "messageId": messageIDRule}, "to")

	perNumberShape = shape{"a template for each number", object(sendOptions.with(fields{
		"messages": list(1, maxRecipients, "messages", templateMessage),
	}), "botId", "messages")}
	commonShape = shape{"one template for many numbers", object(sendOptions.with(fields{
		"templateCode": templateName, "recipients": list(1, maxRecipients, "recipients", templateTarget),
	}), "botId", "templateCode", "recipients")}
	batchShape = shape{"the same content for many numbers", object(sendOptions.with(fields{
		"recipients": list(1, maxRecipients, "recipients", recipientNumber), "contentMessage": contentMessage,
	}), "botId", "recipients", "contentMessage")}
	singleShape = shape{"content for one number", object(sendOptions.with(fields{
		"to": recipientNumber, "contentMessage": contentMessage, "messageId": messageIDRule,
	}), "botId", "to", "contentMessage")}

	freeflow = all(object(fields{
		"botId": opaqueID, "to": recipientNumber, "messageId": messageIDRule, "type": choice("TEXT", "RICH_CARD", "CAROUSEL"), "contentMessage": contentMessage,
	}, "botId", "to", "type", "contentMessage"), checkFreeflow)
)

// The words of a fallback.
const (
	fallbackSMS       = "SMS"
	fallbackMessaging = "MSGAPP"
	afterTTL          = "TTL"
	afterIncapable    = "NOT_CAPABLE"
	afterFailure      = "FAILED"
)

// shapeOf returns the shape that the fields of a request select.
func shapeOf(in map[string]any) (shape, error) {
	has := func(name string) bool { _, ok := in[name]; return ok }
	switch {
	case has("messages"):
		return perNumberShape, nil
	case has("templateCode"):
		return commonShape, nil
	case has("recipients"):
		return batchShape, nil
	case has("to"), has("contentMessage"):
		return singleShape, nil
	}
	return shape{}, &fault.Error{Kind: fault.Invalid, Message: "The fields select no shape of request. Send messages, templateCode with recipients, recipients with contentMessage, or to with contentMessage.",
		Fields: []fault.Field{{Name: "messages", Code: "required", Message: "is missing, and so are the fields of the other shapes"}}}
}

// check checks a request against its shape.
func (s shape) check(in map[string]any) error {
	c := &check{}
	s.rule(c, "", in)
	checkTimes(c, in)
	err := c.err()
	if f := fault.As(err); f != nil {
		f.Message = fmt.Sprintf("%s. The request was read as %s.", failedCheck, s.name)
	}
	return err
}

// checkTimes checks that a request has one time limit at most.
func checkTimes(c *check, in map[string]any) {
	_, life := in["ttl"]
	if _, end := in["expireTime"]; life && end {
		c.add("expireTime", "combination", "must not be sent together with ttl")
	}
}

// lifePattern matches a duration such as 3600s.
var lifePattern = regexp.MustCompile(`^[0-9]{1,7}(\.[0-9]{1,9})?s$`)

// timeToLive is the rule of a duration such as 3600s.
func timeToLive(c *check, path string, v any) {
	switch life := readLife(v); {
	case !lifePattern.MatchString(stringOf(v)):
		c.add(path, "pattern", "must be seconds with an s, such as 3600s")
	case life < leastLife || life > mostLife:
		c.add(path, "range", "must be from 1s to 1296000s")
	}
}

// readLife returns a duration such as 3600s, and 0 for anything else.
func readLife(v any) time.Duration {
	seconds, err := strconv.ParseFloat(strings.TrimSuffix(stringOf(v), "s"), 64)
	if err != nil || seconds > 1e8 {
		return 0
	}
	return time.Duration(seconds * float64(time.Second))
}

// customParams is the rule of the values of variables: an object, or the same
// object in a string.
func customParams(c *check, path string, v any) {
	if s, ok := v.(string); ok {
		if utf8.RuneCountInString(s) > 10_000 {
			c.add(path, "max_length", "must have at most 10000 characters")
			return
		}
		var decoded map[string]any
		decoder := json.NewDecoder(strings.NewReader(s))
		decoder.UseNumber()
		if err := decoder.Decode(&decoded); err != nil || decoded == nil {
			c.add(path, "type", "must be an object, or an object as JSON")
			return
		}
		v = decoded
	}
	params, ok := asObject(c, path, v)
	if !ok {
		return
	}
	if len(params) > 50 {
		c.add(path, "max_properties", "must have at most 50 values")
	}
	for name, value := range params {
		switch value := value.(type) {
		case string:
			if utf8.RuneCountInString(value) > 2000 || strings.ContainsRune(value, 0) {
				c.add(join(path, name), "max_length", "must have at most 2000 characters and no NUL")
			}
		case json.Number, bool:
		default:
			c.add(join(path, name), "type", "must be a string, a number or a boolean")
		}
	}
}

// readParams returns the values of variables as texts.
func readParams(v any) map[string]string {
	if s, ok := v.(string); ok {
		var decoded map[string]any
		decoder := json.NewDecoder(strings.NewReader(s))
		decoder.UseNumber()
		if decoder.Decode(&decoded) == nil {
			v = decoded
		}
	}
	values := map[string]string{}
	params, _ := v.(map[string]any)
	for name, value := range params {
		values[name] = fmt.Sprint(value)
	}
	return values
}

// checkFallback checks that a fallback has the details of its channel.
func checkFallback(c *check, path string, v any) {
	m, _ := v.(map[string]any)
	details := map[string]string{fallbackSMS: "sms", fallbackMessaging: "msgapp"}[stringOf(m["channel"])]
	if _, has := m[details]; details != "" && !has && m["enabled"] == true {
		c.add(join(path, details), "required", "is needed for %s", m["channel"])
	}
}

// checkFreeflow checks that the content of a message is what its type says.
func checkFreeflow(c *check, path string, v any) {
	m, _ := v.(map[string]any)
	content, _ := m["contentMessage"].(map[string]any)
	want := map[string]string{"TEXT": "text", "RICH_CARD": "card", "CAROUSEL": "carousel"}[stringOf(m["type"])]
	if content != nil && want != "" && kindOfContent(content) != want {
		c.add(join(path, "contentMessage"), "combination", "must have the content of type %s", m["type"])
	}
}
