package search

import (
	"context"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/jackc/pgx/v5"

	"heliograph/app/fault"
	"heliograph/app/operation/audit"
	"heliograph/db"
	"heliograph/db/models"
	"heliograph/db/queries/documentation/writes"
)

// longestTerm is the maximum length of either part of a synonym in characters.
const longestTerm = 60

// AddSynonym makes searches for term also find means, but not the other way round. Case
// and spaces do not matter. Every process uses the synonym once it is notified. The error
// is an Invalid fault with fields term and means if the input is invalid.
func AddSynonym(ctx context.Context, b db.Beginner, term, means, actor string) error {
	n := models.Synonym{Term: fold(term), Means: fold(means)}
	var faults fault.Fields
	if problem := termProblem(n.Term); problem != "" {
		faults.Add("term", problem)
	}
	if problem := termProblem(n.Means); problem != "" {
		faults.Add("means", problem)
	} else if n.Term == n.Means {
		faults.Add("means", "Enter words that differ from the term.")
	}
	if err := faults.Err(); err != nil {
		return err
	}
	return db.InTx(ctx, b, func(tx pgx.Tx) error {
		id, err := writes.SynonymInsert(ctx, tx, n)
		if db.IsUniqueViolation(err, "search_synonyms_term_means_key") {
			return fault.InvalidFields(fault.Field{Name: "means", Message: "This synonym already exists."})
		}
		if err != nil {
			return fmt.Errorf("adding a synonym: %w", err)
		}
		return audit.Record(ctx, tx, audit.Entry{
			Actor: actor, Action: "synonym.add", Target: fmt.Sprintf("synonym:%d", id), Details: map[string]any{"term": n.Term, "means": n.Means},
		})
	})
}

// RemoveSynonym deletes a synonym. The error is a NotFound fault if it does not exist.
func RemoveSynonym(ctx context.Context, b db.Beginner, id int64, actor string) error {
	return db.InTx(ctx, b, func(tx pgx.Tx) error {
		gone, err := writes.SynonymDelete(ctx, tx, id)
		if err != nil {
			return db.Absent(err, fault.New(fault.NotFound, "This synonym does not exist."), "removing a synonym")
		}
		return audit.Record(ctx, tx, audit.Entry{
			Actor: actor, Action: "synonym.remove", Target: fmt.Sprintf("synonym:%d", id), Details: map[string]any{"term": gone.Term, "means": gone.Means},
		})
	})
}

func fold(text string) string { return strings.ToLower(strings.Join(strings.Fields(text), " ")) }

func termProblem(text string) string {
	words := split(text)
	switch {
	case len(words) == 0:
		return "Enter one to three words of letters and digits."
	case len(words) > maxPhrase:
		return fmt.Sprintf("Enter at most %d words.", maxPhrase)
	case utf8.RuneCountInString(text) > longestTerm:
		return fmt.Sprintf("Enter at most %d characters.", longestTerm)
	}
	return ""
}
