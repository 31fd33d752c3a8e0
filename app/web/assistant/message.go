package assistant

import (
	"bytes"
	"encoding/json"
	"io"
	"slices"
	"strings"
)

// message is what the guard reads of a JSON-RPC message.
type message struct {
	ID json.RawMessage
	// methods are the values of every member that any reader could take for the
	// method: JSON allows a name twice, and some readers ignore case.
	methods []string
}

// isFree reports whether the message does not count, however it is read.
func (m message) isFree() bool {
	return len(m.methods) > 0 && !slices.ContainsFunc(m.methods, func(method string) bool { return !slices.Contains(free, method) })
}

// readMessages reads a message or a batch. What is neither is one message that counts.
func readMessages(body []byte) []message {
	var batch []json.RawMessage
	if body = bytes.TrimSpace(body); len(body) > 0 && body[0] == '[' && json.Unmarshal(body, &batch) == nil && len(batch) > 0 {
		list := make([]message, len(batch))
		for i, raw := range batch {
			list[i] = readMessage(raw)
		}
		return list
	}
	return []message{readMessage(body)}
}

// readMessage reads one message. One that cannot be read has no methods.
func readMessage(raw []byte) (m message) {
	decoder := json.NewDecoder(bytes.NewReader(raw))
	if start, err := decoder.Token(); err != nil || start != json.Delim('{') {
		return message{}
	}
	for decoder.More() {
		name, err := decoder.Token()
		if err != nil {
			return message{}
		}
		var value json.RawMessage
		if err := decoder.Decode(&value); err != nil {
			return message{}
		}
		switch text, _ := name.(string); {
		case text == "id":
			m.ID = value
		case strings.EqualFold(text, "method"):
			var method string
			_ = json.Unmarshal(value, &method) // another type is no free method
			m.methods = append(m.methods, method)
		}
	}
	if _, err := decoder.Token(); err != nil { // it is cut off
		return message{}
	}
	if _, err := decoder.Token(); err != io.EOF { // something follows
		return message{}
	}
	return m
}
