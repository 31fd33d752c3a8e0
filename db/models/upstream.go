package models

import (
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"github.com/google/uuid"
)

// UpstreamPost is a request that a carrier posted.
type UpstreamPost struct {
	ID         int64
	Carrier    string // its name
	Body       []byte
	ReceivedAt time.Time
}

// ParkedPart is a part of a message of which nobody knows whether its carrier has it.
type ParkedPart struct {
	MessageID      uuid.UUID
	Leg, Part      int
	Carrier        string
	HandOver       int // that nothing is known of, counted from 1
	ParkedAt       time.Time
	Channel        string // of the leg
	OrganisationID int64
	Organisation   string
	Sender         string
	Recipient      string
	MessageKind    string
	CreatedAt      time.Time // of the message
}

// GraphIDs returns ids of the upstream by ours that a setting of a carrier names: a
// line each, with our id and the id of the upstream.
func GraphIDs(settings json.RawMessage, name string) (map[string]string, error) {
	var s map[string]string
	if err := json.Unmarshal(settings, &s); err != nil {
		return nil, fmt.Errorf("the settings cannot be read: %w", err)
	}
	ids, theirs := map[string]string{}, map[string]bool{}
	for line := range strings.Lines(s[name]) {
		words := strings.Fields(line)
		if len(words) == 0 {
			continue
		}
		if len(words) != 2 || !isNumber(words[0]) || !isNumber(words[1]) {
			return nil, fmt.Errorf("the line %q of %s is not written as our id, a space and the id of the upstream", strings.TrimSpace(line), name)
		}
		if ids[words[0]] != "" || theirs[words[1]] {
			return nil, fmt.Errorf("an id of the line %q of %s is named twice", strings.TrimSpace(line), name)
		}
		ids[words[0]], theirs[words[1]] = words[1], true
	}
	return ids, nil
}

func isNumber(text string) bool {
	return text != "" && len(text) <= 30 && strings.Trim(text, "0123456789") == ""
}

// UpstreamTemplate is what an upstream has of a template.
type UpstreamTemplate struct {
	TemplateID int64
	Carrier    string // its name
	Account    string // id of the account at the upstream
	UpstreamID string // empty until it was created there
	Attempted  bool   // whether a creation was sent and its answer lost
	Revision   int    // that the upstream has; 0 for none
	Status     string // in the words of the upstream
	Reason     string // of a rejection, in the words of the upstream
	Components json.RawMessage
	Error      string // of the last try, empty if it went well
	ObservedAt *time.Time
}

// ListedUpstreamTemplate is a template of an upstream beside our own.
type ListedUpstreamTemplate struct {
	UpstreamTemplate
	Name, Language, Category, OurStatus, Organisation string
}

// UpstreamState is what an upstream says about a number or an account.
type UpstreamState struct {
	Carrier    string // its name
	Kind       string // number or account
	AssetID    int64  // of ours
	UpstreamID string
	State      string // in the words of the upstream
	Quality    string
	Problem    string    // empty if all is well
	Since      time.Time // when the problem came or went
	ReadAt     time.Time
}

// UpstreamAsset is something that was changed of a number or a catalogue that lives at
// an upstream, and how far the change has come.
type UpstreamAsset struct {
	Kind       string // profile, encryption_key, qr_code or product
	AssetID    int64  // of the number or the catalogue
	Item       string // code of a QR code, retailer id of a product
	Carrier    string // that has it
	UpstreamID string // of a QR code, of the picture of a profile, of an open batch
	Attempted  bool   // whether a creation was sent and its answer lost
	Revision   int64  // counts the changes here
	Pushed     int64  // the change that the upstream took or refused
	State      string // in the words of the upstream
	Error      string // of the last try, empty if it went well
	ChangedAt  time.Time
	PushedAt   *time.Time
}

// Waits reports whether the upstream has not answered about the newest change.
func (a UpstreamAsset) Waits() bool { return a.Pushed < a.Revision }

// ListedUpstreamAsset is a change for an upstream with its organisation.
type ListedUpstreamAsset struct {
	UpstreamAsset
	OrganisationID int64
	Organisation   string
}
