// Package hlr looks phone numbers up: in the numbering plans, and in a home
// location register where one can be asked.
package hlr

import (
	"cmp"
	"context"
	"fmt"
	"log/slog"
	"strconv"
	"strings"
	"time"

	"github.com/google/uuid"

	"heliograph/app/fault"
	"heliograph/app/operation/limit"
	"heliograph/app/phone"
	"heliograph/db"
	peoplequeries "heliograph/db/queries/people"
)

// maxLookups is how many numbers one request may look up.
const maxLookups = 1000

// maxLookupDigits is the longest text that is looked at as a number.
const maxLookupDigits = 20

// Requests of one organisation. Lookups of a register cost money, so both
// refuse while the count cannot be stored.
var (
	lookupRate      = limit.Limit{Name: "hlr_lookup", Burst: 600, Period: time.Minute}
	lookupBatchRate = limit.Limit{Name: "hlr_batch", Burst: 60, Period: time.Minute}
)

// The sources of a lookup.
const (
	fromRegister      = "hlr"
	fromNumberingPlan = "numbering-plan"
)

// The states of a number.
const (
	numberActive   = "ACTIVE"   // in service
	numberAbsent   = "ABSENT"   // in service, but switched off or out of reach
	numberInactive = "INACTIVE" // not in service
	numberUnknown  = "UNKNOWN"  // could not be found out
	numberFailed   = "FAILED"   // cannot exist
)

// numberCountry is the country of a number.
type numberCountry struct {
	Code   string `json:"code"` // ISO 3166-1 alpha-2
	Name   string `json:"name"`
	Prefix string `json:"prefix"` // country calling code
}

// network is a network. The numbering plan knows the name but not the code.
type network struct {
	Code string `json:"network_code,omitempty"` // mobile country and network code
	Name string `json:"name,omitempty"`
	Type string `json:"network_type,omitempty"` // mobile, fixed or virtual
}

// roaming says whether a phone is abroad.
type roaming struct {
	Status  string `json:"status"` // roaming, not_roaming or unknown
	Country string `json:"country_code,omitempty"`
	Network string `json:"network_code,omitempty"`
}

// Number is the outcome of one lookup. Fields that are not known are absent.
type Number struct {
	ID         string         `json:"id"`
	MSISDN     string         `json:"msisdn"` // E.164; as it was sent if it is not valid
	Valid      bool           `json:"valid"`
	Status     string         `json:"status"`
	Reachable  *bool          `json:"reachable,omitempty"`
	MCC        string         `json:"mcc,omitempty"`
	MNC        string         `json:"mnc,omitempty"`
	MCCMNC     string         `json:"mccmnc,omitempty"`
	Country    *numberCountry `json:"country,omitempty"`
	Original   *network       `json:"original_carrier,omitempty"`
	Current    *network       `json:"current_carrier,omitempty"`
	Ported     *bool          `json:"ported,omitempty"`
	Roaming    *roaming       `json:"roaming,omitempty"`
	Line       string         `json:"line_type,omitempty"`
	GSMCode    string         `json:"gsm_code,omitempty"`
	GSMMessage string         `json:"gsm_message,omitempty"`
	Source     string         `json:"source"`
	CheckedAt  time.Time      `json:"checked_at"`
}

// Register asks networks about numbers: a home location register, or a service
// that asks the registers of many networks.
type Register interface {
	// Lookup returns what is known about numbers in E.164, by number. Numbers that
	// it cannot tell anything about are absent.
	Lookup(ctx context.Context, numbers []string) (map[string]Number, error)
}

// Lookups looks numbers up.
type Lookups struct {
	db       db.Querier
	limiter  *limit.Limiter
	register Register
}

// New returns lookups that ask a register. It may be nil: then the
// numbering plans are the only source.
func New(q db.Querier, limiter *limit.Limiter, register Register) *Lookups {
	return &Lookups{q, limiter, register}
}

// Lookup looks up to maxLookups numbers up for an organisation and returns one
// item for each, in their order. A number that cannot exist is an item, and its
// status is FAILED. Where no register can be asked, as for sandboxes, the status
// of a number is UNKNOWN and its source is the numbering plan, which says nothing
// about whether the number is in use.
func (l *Lookups) Lookup(ctx context.Context, organisationID int64, numbers []string) ([]Number, error) {
	rate := lookupRate
	if len(numbers) > 1 {
		rate = lookupBatchRate
	}
	if err := checkLookup(numbers); err != nil {
		return nil, err
	}
	if err := l.limiter.Take(ctx, rate, strconv.FormatInt(organisationID, 10)); err != nil {
		return nil, err
	}
	items, valid := planNumbers(numbers)
	known, err := l.askRegister(ctx, organisationID, valid)
	if err != nil {
		return nil, err
	}
	for i := range items {
		if found, ok := known[items[i].MSISDN]; ok && items[i].Valid {
			items[i] = merge(items[i], found)
		}
	}
	return items, nil
}

func checkLookup(numbers []string) error {
	switch {
	case len(numbers) == 0:
		return fault.InvalidFields(fault.Field{Name: "number", Message: "number or numbers is required: send one phone number or several"})
	case len(numbers) > maxLookups:
		return fault.InvalidFields(fault.Field{Name: "numbers", Message: fmt.Sprintf("numbers has %d entries, send at most %d", len(numbers), maxLookups)})
	}
	for i, number := range numbers {
		digits := strings.TrimPrefix(number, "+")
		if digits == "" || len(digits) > maxLookupDigits || strings.Trim(digits, "0123456789") != "" {
			return fault.InvalidFields(fault.Field{Name: "numbers", Message: fmt.Sprintf("number %d is not a phone number: send its country code and digits, such as +919812345678", i+1)})
		}
	}
	return nil
}

// planNumbers returns an item for each number from the numbering plans, and the
// valid numbers without repetitions.
func planNumbers(numbers []string) (items []Number, valid []string) {
	now, seen := time.Now().UTC().Truncate(time.Second), map[string]bool{}
	for _, number := range numbers {
		item := Number{ID: newLookupID(), MSISDN: number, Status: numberFailed, Source: fromNumberingPlan, CheckedAt: now}
		if plan, ok := phone.Describe(number); ok {
			item.MSISDN, item.Valid, item.Status, item.Line = plan.E164, true, numberUnknown, plan.Line
			if plan.Region != "" {
				item.Country = &numberCountry{Code: plan.Region, Name: plan.Country, Prefix: plan.Prefix}
			}
			if plan.Network != "" {
				item.Original = &network{Name: plan.Network, Type: "mobile"}
			}
			if !seen[plan.E164] {
				seen[plan.E164], valid = true, append(valid, plan.E164)
			}
		}
		items = append(items, item)
	}
	return items, valid
}

// askRegister asks the register about numbers of an organisation that is no sandbox. A
// register that fails leaves the answer to the numbering plans.
func (l *Lookups) askRegister(ctx context.Context, organisationID int64, numbers []string) (map[string]Number, error) {
	if l.register == nil || len(numbers) == 0 {
		return nil, nil
	}
	sandbox, err := peoplequeries.OrganisationIsSandbox(ctx, l.db, organisationID)
	if err != nil {
		return nil, fmt.Errorf("reading organisation %d: %w", organisationID, err)
	}
	if sandbox {
		return nil, nil
	}
	known, err := l.register.Lookup(ctx, numbers)
	if err != nil {
		slog.WarnContext(ctx, "the HLR provider cannot be asked", "numbers", len(numbers), "error", err)
		return nil, nil
	}
	return known, nil
}

// merge completes what the register knows with the numbering plan.
func merge(plan, found Number) Number {
	found.ID, found.MSISDN, found.Valid, found.Source, found.CheckedAt = plan.ID, plan.MSISDN, true, fromRegister, plan.CheckedAt
	if found.Country == nil {
		found.Country = plan.Country
	}
	found.Line = cmp.Or(found.Line, plan.Line)
	return found
}

func newLookupID() string {
	return "hlr_" + strings.ReplaceAll(uuid.Must(uuid.NewV7()).String(), "-", "")
}
