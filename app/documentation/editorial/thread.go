package editorial

import (
	"bytes"
	"context"
	"fmt"
	"slices"
	"strings"

	"heliograph/app/documentation/editorial/fields"
	"heliograph/app/fault"
	"heliograph/db"
	"heliograph/db/models"
	queries "heliograph/db/queries/documentation"
	"heliograph/db/queries/documentation/writes"
)

// Subject is what a thread of comments is about: an item of a change set, a field
// of it, some lines of the field, or a change that the item makes to a contract.
type Subject struct {
	ItemID     int64
	Field      string // a name of package fields, empty for the item as a whole
	RevisionID int64  // that the commenter saw; needed with a Field
	From, To   int    // the first and the last line, counting from one; zero for the whole field
	VersionID  int64  // of the contract that changes; zero for other subjects
	Change     string // the fingerprint of that change
}

// Thread is a thread with its comments.
type Thread struct {
	models.ReviewThread
	Comments []models.ReviewComment
	Outdated bool // the text that it is about was changed after it began
}

// OpenThread begins a thread of comments on a part of a change set and returns its
// id. Threads stay through rebases, and move with an item that is split off.
func OpenThread(ctx context.Context, b db.Beginner, actor Actor, setID int64, about Subject, text string) (id int64, err error) {
	if err := checkText("text", "Write something.", &text); err != nil {
		return 0, err
	}
	err = discuss(ctx, b, actor, setID, "thread", func(s *setMove) error {
		t, err := s.subject(ctx, about)
		if err != nil {
			return err
		}
		if id, err = writes.ReviewThreadInsert(ctx, s.tx, t); err == nil {
			err = writes.ReviewCommentInsert(ctx, s.tx, id, actor.ID, text)
		}
		if err != nil {
			return fmt.Errorf("opening a thread: %w", err)
		}
		s.details["thread"], s.details["item"], s.details["field"], s.details["text"] = id, about.ItemID, about.Field, text
		if t.ContractChange != "" {
			s.details["change"] = t.Excerpt
		}
		s.words = text
		return nil
	})
	return id, err
}

// Reply adds a comment to a thread. A resolved thread stays resolved.
func Reply(ctx context.Context, b db.Beginner, actor Actor, threadID int64, text string) error {
	if err := checkText("text", "Write something.", &text); err != nil {
		return err
	}
	return changeThread(ctx, b, actor, threadID, "reply", func(s *setMove) error {
		s.details["text"], s.words = text, text
		if err := writes.ReviewCommentInsert(ctx, s.tx, threadID, actor.ID, text); err != nil {
			return fmt.Errorf("replying to thread %d: %w", threadID, err)
		}
		return nil
	})
}

// ResolveThread marks a thread as settled.
func ResolveThread(ctx context.Context, b db.Beginner, actor Actor, threadID int64) error {
	return settleThread(ctx, b, actor, threadID, actor.ID)
}

// ReopenThread opens a resolved thread again.
func ReopenThread(ctx context.Context, b db.Beginner, actor Actor, threadID int64) error {
	return settleThread(ctx, b, actor, threadID, 0)
}

func settleThread(ctx context.Context, b db.Beginner, actor Actor, threadID, by int64) error {
	action, is := "resolve", "resolved"
	if by == 0 {
		action, is = "reopen", "open"
	}
	return changeThread(ctx, b, actor, threadID, action, func(s *setMove) error {
		changed, err := writes.ReviewThreadUpdateResolved(ctx, s.tx, threadID, by)
		if err != nil {
			return fmt.Errorf("settling thread %d: %w", threadID, err)
		}
		if !changed {
			return fault.New(fault.Conflict, "The thread is already %s.", is)
		}
		return nil
	})
}

func changeThread(ctx context.Context, b db.Beginner, actor Actor, threadID int64, action string, do func(s *setMove) error) error {
	t, err := queries.ReviewThreadGet(ctx, b, threadID)
	if err != nil {
		return db.Absent(err, fault.New(fault.NotFound, "There is no thread %d.", threadID), "reading thread %d", threadID)
	}
	return discuss(ctx, b, actor, t.ChangeSetID, action, func(s *setMove) error {
		s.details["thread"], s.details["item"], s.details["field"] = t.ID, t.ItemID, t.Field
		return do(s)
	})
}

// discuss runs do for an actor who may comment on a change set, and records it. The
// state of the change set stays.
func discuss(ctx context.Context, b db.Beginner, actor Actor, setID int64, action string, do func(s *setMove) error) error {
	return onSet(ctx, b, actor, setID, func(s *setMove) error {
		if err := May(actor, s.set, s.changes, MoveComment); err != nil {
			return err
		}
		if err := do(s); err != nil {
			return err
		}
		if s.words != "" {
			if err := s.notice(ctx, s.set, noticed[MoveComment], s.words); err != nil {
				return err
			}
		}
		return s.record(ctx, "change_set."+action, setTarget(setID), s.details)
	})
}

// subject returns a thread on what a commenter saw.
func (s *setMove) subject(ctx context.Context, about Subject) (t models.ReviewThread, err error) {
	t = models.ReviewThread{ChangeSetID: s.set.ID, ItemID: about.ItemID, Field: about.Field}
	at := slices.IndexFunc(s.changes, func(c models.Change) bool { return c.Item.ID == about.ItemID })
	if at < 0 {
		return t, fault.New(fault.NotFound, "Item %d is not in change set %d.", about.ItemID, s.set.ID)
	}
	if about.Change != "" {
		t.VersionID, t.ContractChange = about.VersionID, about.Change
		t.Excerpt, err = ContractExcerpt(ctx, s.tx, s.changes, about)
		return t, err
	}
	if about.Field == "" {
		return t, nil
	}
	text, err := seenText(ctx, s.tx, s.changes[at].Item, about)
	if err != nil {
		return t, err
	}
	t.SeenHash = sum([]byte(text))
	t.Excerpt, err = excerpt(text, about)
	return t, err
}

// Excerpt returns the lines of a field that a thread will be about, empty for the
// whole field.
func Excerpt(ctx context.Context, q db.Querier, item models.Item, about Subject) (string, error) {
	text, err := seenText(ctx, q, item, about)
	if err != nil {
		return "", err
	}
	return excerpt(text, about)
}

// seenText is the text of a field as a commenter saw it.
func seenText(ctx context.Context, q db.Querier, item models.Item, about Subject) (string, error) {
	if !slices.ContainsFunc(fields.Of(item.Kind), func(f fields.Field) bool { return f.Name == about.Field }) {
		return "", fault.New(fault.Invalid, "A %s has no field %s.", item.Kind, about.Field)
	}
	seen, err := queries.RevisionGet(ctx, q, about.RevisionID)
	if db.IsNoRows(err) || err == nil && seen.ItemID != about.ItemID {
		return "", &fault.Error{Kind: fault.Conflict, Code: "changed", Message: "The text changed after you opened the page. Load the page again."}
	}
	if err != nil {
		return "", fmt.Errorf("reading revision %d: %w", about.RevisionID, err)
	}
	return fieldText(item.Kind, seen.Content, about.Field)
}

func excerpt(text string, about Subject) (string, error) {
	if about.From == 0 && about.To == 0 {
		return "", nil
	}
	lines := strings.Split(text, "\n")
	if about.From < 1 || about.To < about.From || about.To > len(lines) {
		return "", fault.New(fault.Invalid, "The field has no lines %d to %d.", about.From, about.To)
	}
	return strings.Join(lines[about.From-1:about.To], "\n"), nil
}

// fieldText is the text of a field of a content, with plain line ends.
func fieldText(kind string, content []byte, field string) (string, error) {
	values, err := fields.Values(kind, content)
	return strings.ReplaceAll(values[field], "\r\n", "\n"), err
}

// Threads returns the threads on the items of a change set, the oldest first.
func Threads(ctx context.Context, q db.Querier, setID int64, changes []models.Change) ([]Thread, error) {
	found, err := queries.ReviewThreadList(ctx, q, setID)
	if err != nil {
		return nil, fmt.Errorf("reading the threads of change set %d: %w", setID, err)
	}
	comments, err := queries.ReviewCommentList(ctx, q, setID)
	if err != nil {
		return nil, fmt.Errorf("reading the comments of change set %d: %w", setID, err)
	}
	contracts, err := contractChanges(ctx, q, found, changes)
	if err != nil {
		return nil, err
	}
	list := make([]Thread, 0, len(found))
	for _, t := range found {
		thread := Thread{ReviewThread: t}
		for _, c := range comments {
			if c.ThreadID == t.ID {
				thread.Comments = append(thread.Comments, c)
			}
		}
		for _, c := range changes {
			if c.Item.ID == t.ItemID {
				if thread.Outdated, err = isOutdated(t, c); err != nil {
					return nil, err
				}
			}
		}
		if t.ContractChange != "" && contracts != nil {
			thread.Outdated = !contracts[contractChange{t.VersionID, t.ContractChange}]
		}
		list = append(list, thread)
	}
	return list, nil
}

// isOutdated reports whether a change has another text in the place of a thread.
func isOutdated(t models.ReviewThread, c models.Change) (bool, error) {
	if t.Field == "" {
		return false, nil
	}
	text, err := fieldText(c.Item.Kind, c.Content, t.Field)
	if err != nil {
		return false, err
	}
	if t.Excerpt == "" {
		return !bytes.Equal(sum([]byte(text)), t.SeenHash), nil
	}
	return !strings.Contains("\n"+text+"\n", "\n"+t.Excerpt+"\n"), nil
}

// guardAnswers refuses to submit a change set again while comments wait for its
// author.
func (s *setMove) guardAnswers(ctx context.Context) error {
	if s.set.State != StateChangesRequested || s.actor.isSystem() {
		return nil
	}
	n, err := queries.ReviewThreadUnanswered(ctx, s.tx, s.set.ID, s.set.AuthorID, s.actor.ID)
	if err != nil {
		return fmt.Errorf("counting the threads of change set %d: %w", s.set.ID, err)
	}
	switch n {
	case 0:
		return nil
	case 1:
		return &fault.Error{Kind: fault.Conflict, Code: "unanswered", Message: "A comment waits for an answer. Reply to it or resolve it, then submit again."}
	}
	return &fault.Error{Kind: fault.Conflict, Code: "unanswered", Message: fmt.Sprintf("%d comments wait for an answer. Reply to them or resolve them, then submit again.", n)}
}
