package sdk

import (
	"embed"
	"strings"
)

// The texts of licences by their SPDX ids, with {name} for the product.
//
//go:embed licenses/*.txt
var licenses embed.FS

// ownLicense lets partners use the archives to call the API.
const ownLicense = "LicenseRef-API-Client"

// NewLicense returns the licence with an SPDX id. An empty or unknown id lets partners
// use the archives to call the API.
func NewLicense(id, name string) License {
	text, err := licenses.ReadFile("licenses/" + id + ".txt")
	if err != nil {
		id = ownLicense
		text, _ = licenses.ReadFile("licenses/" + ownLicense + ".txt")
	}
	return License{ID: id, Text: strings.ReplaceAll(string(text), "{name}", oneLine(name))}
}
