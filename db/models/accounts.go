package models

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
}

// Page asks for a part of a list in the order of its keys: Limit items after
// one key or before another, or from the beginning when both are zero.
type Page struct {
	Limit         int
	After, Before int64
}
