package sms

import (
	"net/netip"
	"slices"
	"strings"
	"time"

	"heliograph/db/models"
)

// Account is what an organisation may do on the channel and what it sends with.
type Account struct {
	models.SMSAccount
	Headers   []models.SMSHeader   // the ones that it may send with
	Pending   []models.SMSHeader   // the ones that it has asked for, or was refused
	Templates []models.SMSTemplate // oldest first
}

// The states of an account.
const (
	StateActive      = "active"
	StateInactive    = "inactive"
	StateSuspended   = "suspended"
	StateDeactivated = "deactivated"
)

// The classes of accounts. One for one-time passwords sends to one recipient at a
// time.
const (
	ClassStandard = "standard"
	ClassOTP      = "otp"
)

// The reports that an account gets when a request does not say: none, always, or
// when the request names an address.
const (
	ReportsOff       = 0
	ReportsAlways    = 1
	ReportsOnRequest = 2
)

// Admit checks that the account may use the API now, from a network address.
func (a *Account) Admit(from string, now time.Time) error {
	switch {
	case a.State == StateDeactivated:
		return refuse(CodeDeactivated, "")
	case a.ExpiresAt != nil && !now.Before(*a.ExpiresAt):
		return refuse(CodeExpired, "")
	case a.State == StateSuspended:
		return refuse(CodeSuspended, "")
	case a.State == StateInactive:
		return refuse(CodeInactive, "")
	case !a.APIAccess:
		return refuse(CodeDisabled, "")
	case !a.allows(from):
		return refuse(CodeAddress, "")
	}
	return nil
}

// allows reports whether requests may come from an address. An empty list allows
// all.
func (a *Account) allows(from string) bool {
	if len(a.AllowedAddresses) == 0 {
		return true
	}
	address, err := netip.ParseAddr(from)
	return err == nil && slices.ContainsFunc(a.AllowedAddresses, func(text string) bool {
		if !strings.Contains(text, "/") {
			allowed, err := netip.ParseAddr(text)
			return err == nil && allowed.Unmap() == address.Unmap()
		}
		network, err := netip.ParsePrefix(text)
		return err == nil && network.Contains(address.Unmap())
	})
}

// header returns the header of the account that a request names.
func (a *Account) header(name string) (models.SMSHeader, bool) {
	i := slices.IndexFunc(a.Headers, func(h models.SMSHeader) bool { return strings.EqualFold(h.Header, name) })
	if i < 0 {
		return models.SMSHeader{}, false
	}
	return a.Headers[i], true
}

// HasHeader reports whether the account may send with a header, spelled exactly so.
func (a *Account) HasHeader(name string) bool {
	return slices.ContainsFunc(a.Headers, func(h models.SMSHeader) bool { return h.Header == name })
}

// FindHeader returns a header that the account has or has asked for, spelled exactly
// so.
func (a *Account) FindHeader(name string) (models.SMSHeader, bool) {
	all := slices.Concat(a.Headers, a.Pending)
	i := slices.IndexFunc(all, func(h models.SMSHeader) bool { return h.Header == name })
	if i < 0 {
		return models.SMSHeader{}, false
	}
	return all[i], true
}

// registryFault returns what an Indian operator finds wrong with a text, judged
// by what the account has registered, or an empty string.
func (a *Account) registryFault(entity, template, header, text string) dltFault {
	if a.EntityID != "" && entity != a.EntityID {
		return faultEntity
	}
	found := faultTemplate
	for _, t := range a.Templates {
		if t.DLTTemplateID != template {
			continue
		}
		if t.Header != "" && !strings.EqualFold(t.Header, header) {
			found = faultTemplateOther
			continue
		}
		return matchTemplate(t.Text, text)
	}
	return found
}
