package pipeline

import (
	"context"
	"fmt"
	"log/slog"
	"slices"
	"sync"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"heliograph/app/trace"
	"heliograph/db"
	"heliograph/db/models"
	"heliograph/db/queries/channels/writes"
	"heliograph/db/queries/errands"
	"heliograph/jobs/args"
)

// maxGroup is the highest number of messages in a group.
const maxGroup = 5000

// maxShared is the highest number of messages of a group that shares its
// statement with others. A larger group has enough rows of its own.
const maxShared = 32

// Acceptor stores accepted messages. Groups that wait at the same time share one
// transaction with one statement that inserts message rows, idempotency rows and
// jobs. Each caller gets its own reply after the commit.
type Acceptor struct {
	pool    *pgxpool.Pool
	signals *db.Signals
	waker   *waker
	group   *db.Group[*acceptance]
}

// Group is one request to send messages. All of them are stored or none.
type Group struct {
	Key      Key
	Messages []models.Message // 1 to maxGroup
	Reply    []byte           // stored under the key
	Status   int              // of the reply; 0 means 200
}

// acceptance is a group that waits to be stored.
type acceptance struct {
	Group
	request string // the id of the request
	trace   string // of the request
	fresh   bool   // set by the commit when the key was not used before
}

// NewAcceptor returns an acceptor. signals may be nil.
func NewAcceptor(pool *pgxpool.Pool, signals *db.Signals) *Acceptor {
	a := &Acceptor{pool: pool, signals: signals, waker: &waker{pool: pool}}
	a.group = db.NewGroup(a.write)
	return a
}

// Accept waits until the messages of a group and their jobs are committed. A key
// that was used before returns the stored reply. An error that is no *KeyError
// means that nothing is known to be stored, and that the sender can try again
// with the same key.
func (a *Acceptor) Accept(ctx context.Context, g Group) (Reply, error) {
	if err := g.check(); err != nil {
		return Reply{}, err
	}
	one := &acceptance{Group: g, request: requestOf(ctx), trace: trace.Parent(ctx)}
	store := func() error { return a.group.Do(ctx, one) }
	if len(g.Messages) > maxShared {
		store = func() error { return a.write(ctx, []*acceptance{one}) }
	}
	if err := store(); err != nil {
		return Reply{}, fmt.Errorf("storing %d messages: %w", len(g.Messages), err)
	}
	if one.fresh {
		return Reply{Body: g.Reply}, nil
	}
	stored, err := g.Key.find(ctx, a.pool)
	if err != nil {
		return Reply{}, err
	}
	return *stored, nil
}

func (g *Group) check() error {
	if n := len(g.Messages); n < 1 || n > maxGroup {
		return fmt.Errorf("a group has %d messages, not 1 to %d", n, maxGroup)
	}
	for _, m := range g.Messages {
		if err := checkLegs(m); err != nil {
			return err
		}
	}
	return g.Key.Check()
}

// AcceptTx stores messages and their jobs in the caller's transaction, for
// requests that store something else with them.
func (a *Acceptor) AcceptTx(ctx context.Context, tx pgx.Tx, messages ...models.Message) error {
	rows := make([]writes.AcceptedMessage, len(messages))
	for i, m := range messages {
		if err := checkLegs(m); err != nil {
			return err
		}
		rows[i].Message, rows[i].RequestID, rows[i].Trace = m, requestOf(ctx), trace.Parent(ctx)
	}
	if _, err := writes.MessageInsertMany(ctx, tx, rows, carryJob); err != nil {
		return fmt.Errorf("storing %d messages: %w", len(messages), err)
	}
	return nil
}

// write commits groups and sets fresh on the new ones. The others have keys that
// were used before.
func (a *Acceptor) write(ctx context.Context, batch []*acceptance) error {
	type owner struct {
		organisationID int64
		key            string
	}
	owners := map[owner]bool{}
	messages := make([]writes.AcceptedMessage, 0, len(batch))
	for _, one := range batch {
		if one.fresh = true; one.Key.Value != "" {
			me := owner{one.Key.OrganisationID, one.Key.Value}
			one.fresh = !owners[me]
			owners[me] = true
		}
		if one.fresh {
			messages = one.appendRows(messages)
		}
	}
	job := carryJob
	job.Silent = true
	left, err := writes.MessageInsertMany(ctx, a.pool, messages, job)
	if err == nil {
		a.waker.wake()
	}
	for _, one := range batch {
		one.fresh = one.fresh && !slices.Contains(left, one.Messages[0].ID)
		if err == nil && one.fresh {
			a.signals.Add("messages", one.Messages[0].OrganisationID)
		}
	}
	return err
}

// appendRows appends the rows of a group. The first has the reply and all have
// its key.
func (g *acceptance) appendRows(rows []writes.AcceptedMessage) []writes.AcceptedMessage {
	for i, m := range g.Messages {
		row := writes.AcceptedMessage{Message: m, RequestID: g.request, Trace: g.trace}
		if row.Reply.Key = g.Key.Value; i == 0 && g.Key.Value != "" {
			row.Reply = g.Key.reply(g.Status, g.Reply)
		}
		rows = append(rows, row)
	}
	return rows
}

// carryJob is the job that is inserted for accepted messages.
var carryJob = writes.NewJob{Kind: args.CarryMessage{}.Kind(), Many: args.CarryMessages{}.Kind(), Queue: args.CarryMessage{}.InsertOpts().Queue}

// waker wakes the workers after messages were accepted. The database commits
// transactions with notifications one at a time, each with the disk to itself. So those
// of accepted messages are sent apart from them, one for all that were accepted since the
// last one. If this process ends before, workers find the jobs within a second.
type waker struct {
	pool *pgxpool.Pool

	mu     sync.Mutex
	waking bool // a notification is being sent
	again  bool // messages were accepted meanwhile
}

const (
	// wakePause is the shortest time between notifications. Workers fetch jobs less often.
	wakePause   = 10 * time.Millisecond
	wakeTimeout = 5 * time.Second
)

// wake wakes the workers soon, after messages were committed. It does not wait.
func (w *waker) wake() {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.again = w.waking; !w.waking {
		w.waking = true
		go w.run()
	}
}

// run sends notifications until no further messages were accepted.
func (w *waker) run() {
	for again := true; again; {
		w.send()
		time.Sleep(wakePause)
		w.mu.Lock()
		again = w.again
		w.waking, w.again = again, false
		w.mu.Unlock()
	}
}

func (w *waker) send() {
	ctx, cancel := context.WithTimeout(context.Background(), wakeTimeout)
	defer cancel()
	if err := errands.JobWake(ctx, w.pool, carryJob.Queue); err != nil {
		slog.DebugContext(ctx, "workers were not woken; they look for jobs by themselves", "error", err)
	}
}
