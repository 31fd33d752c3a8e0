package models

import "time"

// OrganisationFilter picks organisations, the newest first. Zero fields pick
// all.
type OrganisationFilter struct {
	Text     string // within the name, the id, or the address of a user
	Status   string // inactive, active or suspended
	Verified string // yes or no
	Activity string // recent: a sign-in or a key used within 30 days; idle: neither
	Webhooks string // failing: one fails now; disabled: one was, after days of it
	After    int64  // the id that the page follows, in the order of the list
	Limit    int
	// OldestFirst lists the organisations in the order of registration.
	OldestFirst bool
}

// OrganisationEntry is an organisation as administrators see it.
type OrganisationEntry struct {
	Organisation
	VerifiedAt   *time.Time
	CreatedAt    time.Time
	Users        int
	LastSignInAt *time.Time // of any of its users
	LastKeyAt    *time.Time // when one of its keys was used last
}

// OrganisationChoice is an organisation that a form offers.
type OrganisationChoice struct {
	ID   int64
	Name string
}

// OrganisationWebhook is a webhook of an organisation as administrators see it:
// its address may hold a secret, and stays with its owner.
type OrganisationWebhook struct {
	Channel      string
	Subject      string // messaging: the phone number id
	URL          string
	Failures     int // in a row
	FailingSince *time.Time
	DisabledAt   *time.Time
	Answer       string // the last one: a status or an error; empty if nothing was posted lately
}

// OrganisationMember is a user of an organisation as administrators see it.
type OrganisationMember struct {
	ID           int64
	Name         string
	Email        string
	Mobile       string // E.164, or empty
	Role         string
	Active       bool
	LastSignInAt *time.Time
}

// OrganisationKey is an API key as administrators see it.
type OrganisationKey struct {
	Name       string
	Prefix     string
	Channels   []string
	CreatedAt  time.Time
	LastUsedAt *time.Time
	RevokedAt  *time.Time
}

// SynonymEntry is a synonym as administrators see it.
type SynonymEntry struct {
	ID int64
	Synonym
}
