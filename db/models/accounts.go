package models

import "time"

// BusinessAccount is an account of a business, as partners read it.
type BusinessAccount struct {
	ID                       int64
	OrganisationID           int64
	Name                     string
	Currency                 string // ISO 4217
	TimezoneID               string
	MessageTemplateNamespace string
}

// BusinessProfile is what people see when they open a chat with a number.
// Empty members were never filled in.
type BusinessProfile struct {
	About, Address, Description, Email, Vertical string
	Websites                                     []string
	Picture                                      string // the name of its picture
}

// ProfilePicture is the picture of a number's profile.
type ProfilePicture struct {
	PhoneNumberID int64
	Name          string // in its address
	Object        string // the file in the storage
	Size          int64  // bytes
}

// Page asks for a part of a list in the order of its keys: Limit items after
// one key or before another, or from the beginning when both are zero.
type Page struct {
	Limit         int
	After, Before int64
}

// AssetOwner is an organisation that assets are added to.
type AssetOwner struct {
	OrganisationID int64
	Name           string
	Sandbox        bool
}

// Assets is what an organisation sends messages with, each kind with the oldest
// first.
type Assets struct {
	Businesses []NamedAsset
	Accounts   []NamedAsset
	Numbers    []PhoneNumber
	Catalogues []NamedAsset
	// Shared are own accounts that others may list, and Received are accounts of others.
	Shared, Received []AccountShare
}

// Asset is a number, an account or a catalogue.
type Asset struct {
	ID   int64
	Kind string // phone_number, business_account or catalogue
	Name string // the number itself for a number
}

// AssetUses counts what depends on an asset.
type AssetUses struct {
	Messages  int // that a number has accepted and not handed over
	Callbacks int // of a number that wait to be posted
	Codes     int // QR codes of a number
	Media     int // of a number
	Numbers   int // of an account
	Templates int // of an account
	Shares    int // businesses that an account is shared with
	Products  int // of a catalogue
}

// NamedAsset is an asset with its name.
type NamedAsset struct {
	ID        int64
	Name      string
	CreatedAt time.Time
}

// AccountShare is an account and a business of another organisation that it is
// shared with.
type AccountShare struct {
	AccountID    int64
	Account      string // its name
	BusinessID   int64
	Business     string // its name
	Organisation string // the other one: who has it, or who owns it
	CreatedAt    time.Time
}

// Details returns the ids of a share for the audit.
func (s AccountShare) Details() map[string]any {
	return map[string]any{"account": s.AccountID, "business": s.BusinessID}
}
