// Package feedback stores what readers say about pages of the documentation.
package feedback

import (
	"context"
	"fmt"
	"strings"
	"time"
	"unicode/utf8"

	"heliograph/app/fault"
	"heliograph/app/keyring"
	"heliograph/app/operation/limit"
	"heliograph/db"
	"heliograph/db/models"
	"heliograph/db/queries/documentation/writes"
)

// keep is how long an answer is kept.
const keep = 365 * 24 * time.Hour

// maxComment is the length of the longest comment, in characters.
const maxComment = 1000

// answers limits what one address says.
var answers = limit.Limit{Name: "feedback", Burst: 20, Period: time.Hour, Open: true}

// Service takes answers.
type Service struct {
	DB      db.Querier
	Keyring *keyring.Keyring
	Limiter *limit.Limiter
}

// Form is what a reader sends about a page, which must exist. Helpful is "yes" or
// "no".
type Form struct{ Page, Helpful, Comment string }

// Save stores the answer of a reader. The last answer of a client about a page on
// one day counts. No address is stored.
func (s *Service) Save(ctx context.Context, f Form, client string) error {
	f.Comment = strings.TrimSpace(f.Comment)
	var problems fault.Fields
	problems.AddIf(f.Helpful != "yes" && f.Helpful != "no", "helpful", "Choose yes or no.")
	if n := utf8.RuneCountInString(f.Comment); n > maxComment {
		problems.Add("comment", fmt.Sprintf("Shorten the text to %d characters. It has %d.", maxComment, n))
	}
	if err := problems.Err(); err != nil {
		return err
	}
	if err := s.Limiter.Take(ctx, answers, client); err != nil {
		return err
	}
	reader := keyring.MAC(s.Keyring.Subkey("feedback/"+time.Now().UTC().Format(time.DateOnly)), client)
	return writes.FeedbackSave(ctx, s.DB, models.Feedback{Page: f.Page, Helpful: f.Helpful == "yes", Comment: f.Comment}, reader)
}

// Sweep deletes answers that are too old.
func Sweep(ctx context.Context, q db.Querier) error {
	return writes.FeedbackDelete(ctx, q, keep)
}
