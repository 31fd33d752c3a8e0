package models

import "time"

// AdminUser is somebody who may sign in to the administration area.
type AdminUser struct {
	ID           int64
	Name         string
	Email        string // lower case
	Role         string // super_admin, editor or viewer
	PasswordHash string // Argon2id in PHC form; empty where it was not asked for
	Active       bool
	Invited      bool // has no password yet
	LastSignInAt *time.Time
	CreatedAt    time.Time
	Products     []int64 // that an Editor is assigned to
}

// AdminLink lets an administrator set a password. The token in it is a secret.
type AdminLink struct {
	Hash        []byte // SHA-256 of the token
	AdminUserID int64
	Purpose     string // invitation or reset
	ExpiresAt   time.Time
}

// UserLink is a link that sets a new password for a user of an organisation.
type UserLink struct {
	Hash      []byte // SHA-256 of the token
	UserID    int64
	ExpiresAt time.Time
}

// ProductName is a product by name, whether or not it is published.
type ProductName struct {
	ID   int64
	Slug string
	Name string
}

// User is somebody who signs in: an administrator, or a user of an
// organisation.
type User struct {
	ID             int64
	Name           string
	Email          string // lower case
	Role           string
	PasswordHash   string // Argon2id in PHC form; empty where it was not asked for
	SessionVersion int    // moves when every earlier session must end
	Active         bool   // the user and, if there is one, the organisation
	Dismissed      bool   // the user is not active, whatever the organisation is
	Pending        bool   // registered, and no code was entered yet
	FailedSignIns  int    // in a row
	OrganisationID int64  // 0 for administrators
	Organisation   string // its name
}

// Session is a session as it is stored.
type Session struct {
	IDHash         []byte // SHA-256 of the id in the cookie
	Surface        string // account or admin
	UserID         int64
	SessionVersion int
	UserAgent      string
	ExpiresAt      time.Time
}

// Organisation is a partner with programs that call the APIs.
type Organisation struct {
	ID      int64
	Name    string
	Status  string // inactive, active or suspended
	Sandbox bool
}

// OrganisationUser is somebody who may sign in to an organisation's account.
type OrganisationUser struct {
	OrganisationID int64
	Name           string
	Email          string // lower case
	Mobile         string // E.164, or empty
	PasswordHash   string
	Role           string // owner, developer or viewer
	Active         bool
}

// APIKey is a key of an organisation, without the key itself.
type APIKey struct {
	ID                 int64
	OrganisationID     int64
	OrganisationStatus string // set by APIKeyGet
	Slot               int    // 1 or 2
	Name               string
	Prefix             string   // the first characters, to tell keys apart
	Hash               []byte   // SHA-256 of the key
	Channels           []string // messaging, sms, rcs
}
