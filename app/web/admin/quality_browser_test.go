//go:build browser

package admin_test

import (
	"context"
	"log/slog"
	"net/http/httptest"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/riverqueue/river"

	"heliograph/app/web"
	"heliograph/db"
	"heliograph/db/dbtest"
	"heliograph/jobs"
	"heliograph/jobs/args"
)

// What an Editor types is checked by a worker, and the rail shows the result without
// being asked. It goes when the text is corrected, and typing is not interrupted.
func TestRailFollowsTheChecks(t *testing.T) {
	t.Parallel()
	pool := dbtest.Pool(t)
	listener, signals := db.NewListener(pool), db.NewSignals(pool)
	p := newPressOver(t, pool, func(deps *web.Deps) { deps.Listener, deps.Signals = listener, signals })
	for _, run := range []func(context.Context){listener.Run, signals.Run, p.Server.Run} {
		go run(t.Context())
	}
	worker, err := jobs.New(jobs.Deps{Pool: pool, Signals: signals}, map[string]river.QueueConfig{args.QueueDefault: {MaxWorkers: 2}}, slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	if err := worker.Start(context.Background()); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := worker.StopAndCancel(context.Background()); err != nil {
			t.Error(err)
		}
	})
	server := httptest.NewServer(p.Server.Handler())
	t.Cleanup(server.CloseClientConnections)
	ada := p.writing(server.URL, "ada")

	ada.do(chromedp.Navigate(server.URL + p.guide))
	ada.await("the form", `document.querySelector("#field-text")`)
	ada.typeOver("#field-text", "Go [on](nowhere).")
	ada.await("the finding", `document.querySelector("#quality li.bad")?.textContent.includes("/productguide/letters/nowhere")`)
	ada.await("the focus in the text", `document.activeElement.id === "field-text"`)
	ada.audit("findings")
	ada.typeOver("#field-text", "Go on.")
	ada.await("the finding to go", `document.querySelector("#quality h2") && !document.querySelector("#quality li")`)
}
