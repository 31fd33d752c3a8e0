package messaging

import (
	"context"
	"fmt"
	"strconv"
	"time"

	"heliograph/app/fault"
	"heliograph/app/limit"
)

// Rates are how often things may be done, counted across all processes. Zero
// is without a limit.
type Rates struct {
	Phone      int           // messages a second from one number
	Pair       time.Duration // between messages from one number to one recipient, once a burst of 45 is used up
	Management int           // requests an hour that manage templates, codes and profiles, for one organisation
	Templates  int           // templates made an hour in one account
	Catalogue  int           // batches an hour for one catalogue
}

// The codes of a limit that is reached.
const (
	codePhoneRate      = 130429
	codePairRate       = 131056
	codeManagementRate = 80007
	codeCatalogueRate  = 80014
)

// pairBurst is how many messages one recipient may get in a row.
const pairBurst = 45

// take counts one use; over the limit it is a Limited fault with the code.
func (s *Service) take(ctx context.Context, l limit.Limit, code int, key string) error {
	if l.Burst == 0 || l.Period == 0 {
		return nil
	}
	err := s.limiter.Take(ctx, l, key)
	f := fault.As(err)
	if f == nil || f.Kind != fault.Limited {
		return err
	}
	return &fault.Error{
		Kind: fault.Limited, Code: strconv.Itoa(code), Message: "Rate limit reached", RetryAfter: f.RetryAfter,
		Fields: []fault.Field{{Message: fmt.Sprintf("at most %d in %s: try again after the time in Retry-After", l.Burst, l.Period)}},
	}
}

// throttleSend holds a send to the rates of its number and its recipient.
func (s *Service) throttleSend(ctx context.Context, phoneNumberID int64, recipient string) error {
	number := strconv.FormatInt(phoneNumberID, 10)
	if err := s.take(ctx, limit.Limit{Name: "messaging phone", Burst: s.rates.Phone, Period: time.Second, Open: true}, codePhoneRate, number); err != nil {
		return err
	}
	pair := limit.Limit{Name: "messaging pair", Burst: pairBurst, Period: pairBurst * s.rates.Pair, Open: true}
	return s.take(ctx, pair, codePairRate, number+" "+recipient)
}

// Rate is a limit of operations that do not send.
type Rate string

// The rates of operations.
const (
	RateManagement Rate = "messaging management" // templates, QR codes and profiles of an organisation
	RateTemplates  Rate = "messaging templates"  // templates made in an account
	RateCatalogue  Rate = "messaging catalogue"  // batches for a catalogue
)

// Throttle counts a request of an operation; key is what the rate is counted
// for.
func (s *Service) Throttle(ctx context.Context, rate Rate, key string) error {
	perHour, code := s.rates.Management, codeManagementRate
	switch rate {
	case RateTemplates:
		perHour = s.rates.Templates
	case RateCatalogue:
		perHour, code = s.rates.Catalogue, codeCatalogueRate
	}
	return s.take(ctx, limit.Limit{Name: string(rate), Burst: perHour, Period: time.Hour, Open: true}, code, key)
}
