package api_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"math"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"heliograph/app/outbound"
	"heliograph/db"
	"heliograph/db/dbtest"
)

// statements counts what the database is asked, and for how long.
type statements struct{ n, nanoseconds atomic.Int64 }

type statementStart struct{}

func (*statements) TraceQueryStart(ctx context.Context, _ *pgx.Conn, d pgx.TraceQueryStartData) context.Context {
	if strings.Contains(d.SQL, "synchronous_commit") {
		return ctx // wakes the workers, apart from submissions
	}
	return context.WithValue(ctx, statementStart{}, time.Now())
}

func (s *statements) TraceQueryEnd(ctx context.Context, _ *pgx.Conn, _ pgx.TraceQueryEndData) {
	if began, ok := ctx.Value(statementStart{}).(time.Time); ok {
		s.n.Add(1)
		s.nanoseconds.Add(int64(time.Since(began)))
	}
}

// A submission takes as many statements for thousands of recipients as for one.
func TestSubmissionsTakeFewStatements(t *testing.T) {
	t.Parallel()
	count := &statements{}
	pool, err := db.Open(t.Context(), dbtest.URL(t), db.Options{MaxConns: 8, Tracer: count})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(pool.Close)
	p := setupSMSOn(t, guard{outbound.New(outbound.Options{})}, pool)
	p.post(t, p.submission(t, 1), "") // caches are filled
	for name, tt := range map[string]struct {
		key, reference string
		most           int64
	}{
		"plain":            {"", "", 1},
		"with a key":       {"k", "", 2}, // whether it was used before
		"with a reference": {"", "r", 4}, // in a transaction with it
	} {
		for _, recipients := range []int{1, 1000, 5000} {
			// Caches expire now and then, so the lowest count of three submissions is taken.
			least := int64(math.MaxInt64)
			for try := range 3 {
				body := p.submission(t, recipients)
				if tt.reference != "" {
					body = bytes.Replace(body, []byte(`"type":"PM"`), fmt.Appendf(nil, `"type":"PM","cust_ref":"%s%d-%d"`, tt.reference, recipients, try), 1)
				}
				key := tt.key
				if key != "" {
					key += fmt.Sprint(recipients, try)
				}
				count.n.Store(0)
				p.post(t, body, key)
				if least = min(least, count.n.Load()); least <= tt.most {
					break
				}
			}
			if least > tt.most {
				t.Errorf("%s: %d recipients take %d statements, want at most %d", name, recipients, least, tt.most)
			}
		}
	}
	if messages, jobs := p.stored(t); messages != jobs || messages < 12_004 {
		t.Errorf("%d messages and %d jobs are stored", messages, jobs)
	}
}

// BenchmarkSubmit measures submissions to several recipients, from the request to the
// answer: how many statements each takes, and how much of its time they are. With load,
// others submit to one recipient each at the same time, and their statements count too.
func BenchmarkSubmit(b *testing.B) {
	for _, load := range []int{0, 32} {
		for _, recipients := range []int{1, 100, 1000, 5000} {
			b.Run(fmt.Sprintf("recipients=%d/load=%d", recipients, load), func(b *testing.B) {
				count := &statements{}
				pool, err := db.Open(b.Context(), dbtest.URL(b), db.Options{MaxConns: 16, Tracer: count})
				if err != nil {
					b.Fatal(err)
				}
				b.Cleanup(pool.Close)
				p := setupSMSOn(b, guard{outbound.New(outbound.Options{})}, pool)
				body := p.submission(b, recipients)
				p.post(b, body, "") // statements are prepared and caches are filled
				stop := p.load(b, load)
				count.n.Store(0)
				count.nanoseconds.Store(0)
				for b.Loop() {
					p.post(b, body, "")
				}
				if load == 0 {
					b.ReportMetric(float64(count.n.Load())/float64(b.N), "statements/op")
					b.ReportMetric(float64(count.nanoseconds.Load())/float64(b.N), "statement-ns/op")
				}
				b.ReportMetric(float64(b.Elapsed().Microseconds())/float64(b.N*recipients), "µs/recipient")
				stop()
			})
		}
	}
}

// load keeps so many clients submitting to one recipient each until stop is called.
func (p *smsPartner) load(b *testing.B, clients int) (stop func()) {
	body := p.submission(b, 1)
	var ended atomic.Bool
	var wg sync.WaitGroup
	for range clients {
		wg.Go(func() {
			for !ended.Load() {
				p.post(b, body, "")
			}
		})
	}
	return func() {
		ended.Store(true)
		wg.Wait()
	}
}

// submission returns a submission to so many recipients, at most a thousand in each of
// its messages.
func (p *smsPartner) submission(b testing.TB, recipients int) []byte {
	b.Helper()
	var messages []any
	for first := 0; first < recipients; first += 1000 {
		dest := make([]string, min(1000, recipients-first))
		for i := range dest {
			dest[i] = fmt.Sprint(919812000000 + first + i)
		}
		messages = append(messages, map[string]any{
			"dest": dest, "header": p.sandbox.Header, "msg": p.sandbox.Text, "type": "PM",
			"dlt_entity_id": p.sandbox.EntityID, "dlt_template_id": p.sandbox.TemplateID,
		})
	}
	body, err := json.Marshal(map[string]any{"version": "1.0", "accesskey": p.key, "encrypt": "0", "messages": messages})
	if err != nil {
		b.Fatal(err)
	}
	return body
}

// post makes a submission with an idempotency key, or none, which must be accepted.
func (p *smsPartner) post(b testing.TB, body []byte, key string) {
	r := httptest.NewRequestWithContext(context.Background(), http.MethodPost, submitPath, bytes.NewReader(body))
	r.Header.Set("Content-Type", "application/json")
	if key != "" {
		r.Header.Set("Idempotency-Key", key)
	}
	w := httptest.NewRecorder()
	p.handler.ServeHTTP(w, r)
	if w.Code != http.StatusOK || !bytes.Contains(w.Body.Bytes(), []byte(`"msg_id"`)) {
		b.Errorf("%d %.300s", w.Code, w.Body)
	}
}
