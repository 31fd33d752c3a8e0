package api

import (
	"strings"
	"sync"

	"heliograph/app/documentation/openapi"
)

// channelTables are the surfaces of all channels for their tables alone.
var channelTables = sync.OnceValue(func() []*surface {
	return []*surface{messagingTable(), &NewSMS(nil, SMSRules{}).surface, rcsTable()}
})

// Serves reports whether a channel API has an operation for a method and a
// documented path, such as "/v3/{phone_number_id}/messages". It covers all
// channels, including those that another process serves.
func Serves(method, path string) bool {
	_, o := served(method, path)
	return o != nil
}

// Accepts returns the channel for which an operation accepts messages, and "" for one
// that accepts none.
func Accepts(method, path string) (channel string) {
	if s, o := served(method, path); o != nil && o.accepts {
		return s.channel
	}
	return ""
}

// served finds the operation of a method and a documented path.
func served(method, path string) (*surface, *operation) {
	for _, s := range channelTables() {
		rest, under := strings.CutPrefix(path, s.prefix)
		for i := range s.table {
			if o := &s.table[i]; under && o.method == method && openapi.SamePath(o.parts, rest) {
				return s, o
			}
		}
	}
	return nil, nil
}
