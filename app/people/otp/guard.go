package otp

import (
	"context"
	"fmt"
	"time"

	"heliograph/app/fault"
	"heliograph/app/operation/limit"
)

// A prefix is blocked for BlockLife if at least Sample codes were sent to it
// within an hour and less than conversionFloor percent of them were entered. Such
// codes are requested by programs that earn money from received SMS. A code
// counts after conversionDelay, when there was time to enter it.
const (
	Sample          = 50
	BlockLife       = time.Hour
	conversionFloor = 30
	conversionDelay = 2 * time.Minute
)

// Conversion says how many codes to a prefix were entered.
type Conversion struct {
	Prefix         string // + and six digits
	Sent, Verified int
}

// blocks stores which prefixes are blocked.
type blocks interface {
	// Left returns how long a prefix is blocked, or zero.
	Left(ctx context.Context, prefix string) (time.Duration, error)
	// Count counts the codes that were sent to the prefix of a number in E.164
	// between an hour and a delay ago, and how many of them were entered.
	Count(ctx context.Context, phone string, delay time.Duration) (sent, verified int, err error)
	// Block blocks a prefix for BlockLife.
	Block(ctx context.Context, c Conversion) error
}

// Guard limits codes to a number and to its prefix. All limits refuse while the
// count cannot be stored, because codes cost money and protect accounts.
type Guard struct {
	Limiter *limit.Limiter
	Number  []limit.Limit
	Prefix  limit.Limit // without a burst there is none
	Blocks  blocks
}

// numberPrefix returns the prefix of a number in E.164: + and six digits.
func numberPrefix(phone string) string { return phone[:min(len(phone), 7)] }

// Take counts a code to a number in E.164 against all limits. The scope separates
// those who send codes to the same number. A refusal is Limited; its code is
// otp_conversion if the prefix is blocked.
func (g Guard) Take(ctx context.Context, scope, phone string) error {
	for _, n := range g.Number {
		if err := g.Limiter.Take(ctx, n, scope+phone); err != nil {
			return err
		}
	}
	prefix := numberPrefix(phone)
	if g.Prefix.Burst > 0 {
		if err := g.Limiter.Take(ctx, g.Prefix, scope+prefix); err != nil {
			return err
		}
	}
	left, err := g.Blocks.Left(ctx, prefix)
	if err != nil {
		return fmt.Errorf("looking up a blocked prefix: %w", err)
	}
	if left > 0 {
		return errBlocked(left)
	}
	sent, verified, err := g.Blocks.Count(ctx, phone, conversionDelay)
	if err != nil {
		return fmt.Errorf("counting the codes of a prefix: %w", err)
	}
	if sent < Sample || verified*100 >= sent*conversionFloor {
		return nil
	}
	if err := g.Blocks.Block(ctx, Conversion{prefix, sent, verified}); err != nil {
		return fmt.Errorf("blocking a prefix: %w", err)
	}
	return errBlocked(BlockLife)
}

// errBlocked returns the error for numbers of a blocked prefix.
func errBlocked(left time.Duration) error {
	return &fault.Error{
		Kind: fault.Limited, Code: "otp_conversion", RetryAfter: left,
		Message: "Codes to numbers with this prefix are paused for an hour, because few of them were entered. Use a different number or try again later.",
	}
}
