package console

import (
	"heliograph/db/models"
)

// Mock is the server of an [Entry] that stands for the mock server of the version.
const Mock = "mock"

// Entry is a call as a reader entered it.
type Entry struct {
	// Server is the slug of a server of the endpoint, or Mock. The first one is the
	// default.
	Server string
	// Auth is the index of an alternative among the security schemes.
	Auth int
	// Credentials are by the name of their scheme.
	Credentials map[string]Credential
	// Values are the parameters by place and name, as in "query.limit". A
	// parameter that is missing is not sent.
	Values map[string]string
	// ContentType is the content type of the body, "" for none.
	ContentType string
	// Prefer is what a call of the mock server asks of its answer, as the header has
	// it: one of [Preferences]. Other servers are not asked.
	Prefer string
	// Raw is the body as text. A multipart or binary body has Parts in its place.
	Raw   string
	Parts []Part
}

// Credential is what a reader enters for a security scheme: a key or a token, or a
// name and a password.
type Credential struct {
	User   string
	Secret models.Secret
}

// Part is a part of a multipart body, or the file of a binary one.
type Part struct {
	Name        string
	FileName    string // "" for a text
	ContentType string // "" for the one of the contract
	Data        []byte
}

// key is the name of a parameter among the values.
func key(in, name string) string { return in + "." + name }
