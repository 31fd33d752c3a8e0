package simulate

import (
	"strings"
	"time"

	"heliograph/app/channels/sms"
)

// Current returns an example for a simulator as it is accepted at a moment. The examples
// of a contract have fixed days, and the service takes times of the next weeks alone: a
// time that it would refuse moves ahead. The rest of the text stays as it is written.
func Current(channel, text string, now time.Time) string {
	if channel != "sms" {
		return text
	}
	root, err := parse(text)
	if err != nil {
		return text
	}
	values := root.times(nil)
	for i := len(values) - 1; i >= 0; i-- { // from the end, so that offsets before stay true
		v := values[i]
		if quoted := `"` + v.text + `"`; strings.HasPrefix(text[v.start:], quoted) {
			text = text[:v.start] + `"` + sms.Ahead(v.text, now) + `"` + text[v.start+len(quoted):]
		}
	}
	return text
}

// times adds the values for later sending in a submission, in the order of the text.
func (n *node) times(list []*node) []*node {
	for _, m := range n.members {
		if name := strings.ToLower(m.name); name == "schedule_time" || name == "scheduletime" {
			list = append(list, m.value)
		}
		list = m.value.times(list)
	}
	for _, item := range n.items {
		list = item.times(list)
	}
	return list
}
