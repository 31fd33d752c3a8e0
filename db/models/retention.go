package models

// Retention says for how many days an organisation was promised that contents and
// logs of its messages are kept.
type Retention struct {
	OrganisationID int64
	Organisation   string
	Bodies, Logs   int
}
