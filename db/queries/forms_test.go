package queries_test

import (
	"context"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"heliograph/db/models"
	channelsqueries "heliograph/db/queries/channels"
	channelswrites "heliograph/db/queries/channels/writes"
	documentationqueries "heliograph/db/queries/documentation"
	operationqueries "heliograph/db/queries/operation"
	operationwrites "heliograph/db/queries/operation/writes"
	peoplequeries "heliograph/db/queries/people"
	peoplewrites "heliograph/db/queries/people/writes"
)

// runForms runs the statements that are built at run time in every form that
// matters: each branch that adds or chooses a part, once.
func runForms(t *testing.T) *recorder {
	t.Helper()
	q := &recorder{}
	ctx := t.Context()
	do := func(err error) {
		t.Helper()
		if err != nil && err != pgx.ErrNoRows {
			t.Error(err)
		}
	}
	for _, oldest := range []bool{false, true} {
		do(second(channelsqueries.RefusedCallList(ctx, q, channelsqueries.RefusedCallFilter{OldestFirst: oldest}, 1)))
	}
	pages := []models.Page{{Limit: 2}, {Limit: 2, After: 1}, {Limit: 2, Before: 1}}
	for _, p := range pages {
		do(second(channelsqueries.BusinessAccountListOwned(ctx, q, 1, p)))
		do(second(channelsqueries.BusinessAccountListClient(ctx, q, 1, p)))
		do(second(channelsqueries.QRCodeList(ctx, q, 1, "", p)))
		do(second(channelsqueries.PhoneNumberListOfAccount(ctx, q, 1, p)))
		do(second(channelsqueries.TemplateList(ctx, q, 1, models.TemplateFilter{}, p)))
		for _, f := range productFilters() {
			do(second(channelsqueries.ProductList(ctx, q, 1, 1, f, p)))
			do(second(channelsqueries.ProductCount(ctx, q, 1, f)))
		}
	}
	for _, lock := range []bool{false, true} {
		do(second(channelswrites.SMSHeaderListAlike(ctx, q, "X", lock)))
	}
	for _, f := range []channelsqueries.DeliveryFilter{{}, {Replay: 1}, {State: "failed"}, {State: "pending", Event: "x", Subject: "1"}, {OldestFirst: true}} {
		do(second(channelsqueries.DeliveryList(ctx, q, f, 10)))
	}
	for _, f := range []channelsqueries.MessageFilter{{}, {ID: uuid.Max}, {State: "failed"}, {Recipient: "91"}, {From: time.Now(), To: time.Now(), Channel: "sms"}, {OldestFirst: true}, {OldestFirst: true, State: "failed"}} {
		for _, counted := range []any{nil, true} { // whether a whole number is found
			q.first = counted
			do(second(channelsqueries.MessageList(ctx, q, f, 10)))
		}
		q.first = nil
	}
	for _, f := range []models.SearchQuery{
		{Key: "lamp", Name: "'lamp'", Size: 1, Kind: "field", Product: "lamps", Version: "1.0", Method: "GET"},
		{Shapes: []string{"/lamps"}, Like: "%/lamps%"},
		{Wide: "'lamp'", Near: "'lamp':AB", Text: "'lamp':ABC", Either: "'lamp'", Size: 1},
		{Method: "GET"},
	} {
		do(second(documentationqueries.SearchRowFind(ctx, q, f)))
	}
	for _, f := range []models.SearchPageQuery{{All: "'lamp'", Guides: true, Product: "lamps"}, {All: "'lamp'"}, {All: "'lamp' & 'on'", Some: "'lamp' | 'on'"}} {
		do(second(documentationqueries.SearchPageFind(ctx, q, f)))
	}
	for _, before := range []uuid.UUID{uuid.Nil, uuid.Max} {
		do(second(channelsqueries.InboundMessageList(ctx, q, channelsqueries.InboundFilter{Before: before, Limit: 2})))
	}
	for _, reversed := range []bool{false, true} {
		do(operationqueries.AuditEntryFind(ctx, q, models.AuditFilter{OldestFirst: reversed}, func(models.AuditEntry) error { return nil }))
		do(second(peoplequeries.OrganisationEntryList(ctx, q, models.OrganisationFilter{OldestFirst: reversed})))
		do(second(channelsqueries.ReceivedList(ctx, q, channelsqueries.ReceivedFilter{OldestFirst: reversed}, 1)))
		do(second(peoplequeries.AdminUserList(ctx, q, peoplequeries.AdminUserFilter{Descending: reversed})))
	}
	for _, r := range []models.Replay{{}, {Everything: true}} {
		do(second(channelsqueries.ReplayCount(ctx, q, r, 10)))
		_, _, err := channelswrites.ReplayInsert(ctx, q, r, 10)
		do(err)
	}
	for _, c := range operationqueries.SealedColumns {
		do(second(operationqueries.SealedList(ctx, q, c, operationqueries.SealedPage{Limit: 1})))
		do(second(operationqueries.SealedListOfKey(ctx, q, c, "v1:")))
		do(operationwrites.SealedUpdate(ctx, q, c, models.SealedValue{}, nil))
		do(operationwrites.SealedDelete(ctx, q, c, models.SealedValue{}))
	}
	do(second(operationqueries.SealedKeyIDs(ctx, q)))
	for _, surface := range []string{"account", "admin"} {
		s := models.Session{Surface: surface}
		_, _, err := peoplequeries.SessionGet(ctx, q, s, time.Hour)
		do(err)
		do(second(peoplequeries.SessionListAlive(ctx, q, surface, nil, time.Hour)))
		do(second(peoplequeries.SessionListOpen(ctx, q, surface, 1, time.Hour)))
		do(second(peoplewrites.SessionUpdateRevokedOf(ctx, q, s)))
		do(second(peoplewrites.SessionUpdateRevokedOthers(ctx, q, s)))
		do(second(peoplewrites.UserAttempt(ctx, q, surface, "a@example.com", 1)))
		do(peoplewrites.UserUpdateSignedIn(ctx, q, surface, 1))
		do(peoplewrites.UserUpdateUnlocked(ctx, q, surface, 1))
		do(second(peoplequeries.UserGet(ctx, q, surface, 1)))
		do(second(peoplewrites.UserUpdatePassword(ctx, q, surface, models.User{}, "hash")))
	}
	return q
}

func second[T any](_ T, err error) error { return err }

// productFilters compares every field with every operator that it takes, alone
// and joined.
func productFilters() (all []models.ArticleFilter) {
	for field, number := range models.ArticleFields {
		for _, operator := range []string{"eq", "neq", "contains", "i_contains", "is_any", "lt", "gt"} {
			if number && strings.HasSuffix(operator, "contains") {
				continue
			}
			f := models.ArticleFilter{Field: field, Operator: operator, Value: "1"}
			all = append(all, f, models.ArticleFilter{All: []models.ArticleFilter{f, f}}, models.ArticleFilter{Any: []models.ArticleFilter{f, f}})
		}
	}
	return append(all, models.ArticleFilter{})
}

// recorder keeps the statements that it is given, each with the calls that
// made it. Rows are none, and what a single row is scanned into stays as it is,
// except that first is stored in the first bool of one.
type recorder struct {
	pgx.Tx
	ran   []ran
	first any
}

type ran struct {
	sql   string
	stack []runtime.Frame
}

func (r *recorder) record(sql string) {
	pcs := make([]uintptr, 20)
	frames := runtime.CallersFrames(pcs[:runtime.Callers(2, pcs)])
	one := ran{sql: sql}
	for more := true; more; {
		var frame runtime.Frame
		frame, more = frames.Next()
		one.stack = append(one.stack, frame)
	}
	r.ran = append(r.ran, one)
}

// of returns what was run by a call.
func (r *recorder) of(f *finder, u unresolved) (found []statement) {
	from, to := f.fset.Position(u.at.Pos()), f.fset.Position(u.at.End())
	for _, one := range r.ran {
		if slices.ContainsFunc(one.stack, func(frame runtime.Frame) bool {
			return strings.HasSuffix(frame.File, "/"+from.Filename) && frame.Line >= from.Line && frame.Line <= to.Line
		}) {
			found = append(found, statement{u.site, f.at(u.at), one.sql})
		}
	}
	return found
}

func (r *recorder) Exec(_ context.Context, sql string, _ ...any) (pgconn.CommandTag, error) {
	r.record(sql)
	return pgconn.CommandTag{}, nil
}

func (r *recorder) Query(_ context.Context, sql string, _ ...any) (pgx.Rows, error) {
	r.record(sql)
	return noRows{}, nil
}

func (r *recorder) QueryRow(_ context.Context, sql string, _ ...any) pgx.Row {
	r.record(sql)
	return firstRow{r.first}
}

func (r *recorder) SendBatch(_ context.Context, b *pgx.Batch) pgx.BatchResults {
	for _, queued := range b.QueuedQueries {
		r.record(queued.SQL)
	}
	return noResults{}
}

type firstRow struct{ first any }

func (f firstRow) Scan(dest ...any) error {
	if into, ok := dest[0].(*bool); ok && f.first != nil {
		*into = f.first.(bool)
	}
	return nil
}

// noRows is an empty result.
type noRows struct{ pgx.Rows }

func (noRows) Close()                                       {}
func (noRows) Err() error                                   { return nil }
func (noRows) Next() bool                                   { return false }
func (noRows) CommandTag() pgconn.CommandTag                { return pgconn.CommandTag{} }
func (noRows) FieldDescriptions() []pgconn.FieldDescription { return nil }

// noResults are the results of a batch of statements without any.
type noResults struct{ pgx.BatchResults }

func (noResults) Exec() (pgconn.CommandTag, error) { return pgconn.CommandTag{}, nil }
func (noResults) Query() (pgx.Rows, error)         { return noRows{}, nil }
func (noResults) Close() error                     { return nil }
