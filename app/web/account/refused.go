package account

import (
	"heliograph/app/web/channels/refused"
	"heliograph/db"
)

// Refused serves the log of the requests of an organisation that were refused.
func Refused(q db.Querier) *refused.Handlers {
	return refused.New(refused.Options{
		DB: q, Path: refusedPath, Frame: frame,
		Lead: "API requests with your keys that were answered with an error.",
	})
}
