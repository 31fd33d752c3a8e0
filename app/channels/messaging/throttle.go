package messaging

import (
	"context"
	"fmt"
	"strconv"
	"time"

	"heliograph/app/fault"
	"heliograph/app/operation/limit"
	"heliograph/db/models"
)

// Limits counts requests against the rate limits.
type Limits struct {
	limiter *limit.Limiter
	rates   Rates
}

// Rates holds the rate limits, which are counted across all processes. Zero means
// no limit.
type Rates struct {
	Live       SendRates // of numbers that reach people
	Sandbox    SendRates // of numbers of sandboxes
	Management int       // requests an hour of one organisation that manage templates, QR codes and profiles
	Templates  int       // templates created an hour in one account
	Catalogue  int       // batches an hour for one catalogue
}

// SendRates holds the rate limits of sends. Zero means no limit.
type SendRates struct {
	Phone int           // messages a second from one number
	Pair  time.Duration // between messages from one number to one recipient, once a burst of 45 is used up
}

// The error codes of the rate limits.
const (
	codePhoneRate      = 130429
	codePairRate       = 131056
	codeManagementRate = 80007
	codeCatalogueRate  = 80014
)

// pairBurst is how many messages one recipient may get in a burst.
const pairBurst = 45

// take counts one use. It returns a Limited error with the code if the limit is
// exceeded.
func (s *Limits) take(ctx context.Context, l limit.Limit, code int, key string) error {
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

// throttleSend applies the rate limits of a number and a recipient to a send.
func (s *Sender) throttleSend(ctx context.Context, from models.PhoneNumber, recipient string) error {
	rates, number := s.limits.rates.Live, strconv.FormatInt(from.ID, 10)
	if from.Sandbox {
		rates = s.limits.rates.Sandbox
	}
	if err := s.limits.take(ctx, limit.Limit{Name: "messaging phone", Burst: rates.Phone, Period: time.Second, Open: true}, codePhoneRate, number); err != nil {
		return err
	}
	pair := limit.Limit{Name: "messaging pair", Burst: pairBurst, Period: pairBurst * rates.Pair, Open: true}
	return s.limits.take(ctx, pair, codePairRate, number+" "+recipient)
}

// The rate limits of operations that do not send.
const (
	RateManagement = "messaging management" // templates, QR codes and profiles of an organisation
	RateTemplates  = "messaging templates"  // templates made in an account
	RateCatalogue  = "messaging catalogue"  // batches for a catalogue
)

// Throttle counts a request against a rate limit. key identifies the organisation,
// account or catalogue that the rate is counted for.
func (s *Limits) Throttle(ctx context.Context, rate, key string) error {
	perHour, code := s.rates.Management, codeManagementRate
	switch rate {
	case RateTemplates:
		perHour = s.rates.Templates
	case RateCatalogue:
		perHour, code = s.rates.Catalogue, codeCatalogueRate
	}
	return s.take(ctx, limit.Limit{Name: rate, Burst: perHour, Period: time.Hour, Open: true}, code, key)
}
