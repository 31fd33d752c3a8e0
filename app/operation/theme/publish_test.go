package theme_test

import (
	"context"
	"testing"
	"time"

	"heliograph/app/fault"
	"heliograph/app/operation/theme"
	"heliograph/db"
	"heliograph/db/dbtest"
)

var author = theme.Author{Actor: "admin:1"}

func publish(t *testing.T, themes *theme.Themes, d theme.Document) {
	t.Helper()
	draft, err := themes.Load(t.Context(), theme.Public)
	if err != nil {
		t.Fatal(err)
	}
	version, err := themes.Save(t.Context(), theme.Public, d, draft.Version, author)
	if err != nil {
		t.Fatal(err)
	}
	if err := themes.Publish(t.Context(), theme.Public, version, author); err != nil {
		t.Fatal(err)
	}
}

// A revision that is restored has the same style sheet byte for byte, and a reset has
// none, as before.
func TestRestoreAndResetAreExact(t *testing.T) {
	t.Parallel()
	themes := theme.New(dbtest.Tx(t), nil, nil)
	first := *themes.Current(theme.Public)
	publish(t, themes, theme.Presets[0].Document)
	harbour := themes.Current(theme.Public).Stylesheet
	publish(t, themes, theme.Presets[1].Document)
	if now := themes.Current(theme.Public).Stylesheet; now == harbour || now == "" {
		t.Fatalf("the second theme has the style sheet %q", now)
	}
	if err := themes.Restore(t.Context(), theme.Public, 1, author); err != nil {
		t.Fatal(err)
	}
	if now := themes.Current(theme.Public).Stylesheet; now != harbour {
		t.Errorf("restored: %s, before %s", now, harbour)
	}
	if err := themes.Reset(t.Context(), theme.Public, author); err != nil {
		t.Fatal(err)
	}
	now := *themes.Current(theme.Public)
	now.Number = 0
	if now.Stylesheet != first.Stylesheet || now.Brand.Name != "" || now.Brand.Links != nil {
		t.Errorf("after a reset: %+v, at first %+v", now, first)
	}
	history, err := themes.History(t.Context(), theme.Public, 10)
	if err != nil || len(history) != 4 || history[1].Origin != "Restored from revision 1" || history[1].Stylesheet != history[3].Stylesheet {
		t.Errorf("history: %+v, %v", history, err)
	}
	if err := themes.Restore(t.Context(), theme.Public, 99, author); !fault.Is(err, fault.NotFound) {
		t.Errorf("restoring what is not there: %v", err)
	}
	for _, r := range history[:3] {
		if r.Hash == "" {
			continue
		}
		if text, err := themes.Stylesheet(t.Context(), theme.Public, r.Hash); err != nil || text != r.Stylesheet {
			t.Errorf("revision %d: %q, %v", r.Number, text, err)
		}
	}
}

// A draft that somebody else changed is not overwritten, and one that cannot be read is
// not saved.
func TestDraftsAreGuarded(t *testing.T) {
	t.Parallel()
	tx := dbtest.Tx(t)
	if _, err := tx.Exec(t.Context(), `insert into admin_users (id, email, password_hash, role) overriding system value values (1, 'a@example.com', 'x', 'super_admin'), (2, 'b@example.com', 'x', 'super_admin')`); err != nil {
		t.Fatal(err)
	}
	themes := theme.New(tx, nil, nil)
	asha, ravi := theme.Author{ID: 1, Actor: "admin:1"}, theme.Author{ID: 2, Actor: "admin:2"}
	version, err := themes.Save(t.Context(), theme.Administration, theme.Document{Radius: "2"}, 0, asha)
	if err != nil || version != 1 {
		t.Fatalf("version %d, %v", version, err)
	}
	if version, err = themes.Save(t.Context(), theme.Administration, theme.Document{Radius: "3"}, 1, ravi); err != nil || version != 2 {
		t.Fatalf("version %d, %v", version, err)
	}
	for _, base := range []int{0, 1, 3} {
		if _, err := themes.Save(t.Context(), theme.Administration, theme.Document{Radius: "4"}, base, asha); !fault.Is(err, fault.Conflict) {
			t.Errorf("a save over version %d: %v", base, err)
		}
	}
	if err := themes.Publish(t.Context(), theme.Administration, 1, asha); !fault.Is(err, fault.Conflict) {
		t.Errorf("publishing an old version: %v", err)
	}
	_, err = themes.Save(t.Context(), theme.Administration, theme.Document{Light: map[string]string{"text": "#cccccc"}}, 2, ravi)
	if f := fault.As(err); f == nil || len(f.Fields) == 0 || f.Fields[0].Name != "light.text" || f.Fields[0].Code != "contrast" {
		t.Errorf("a text that cannot be read: %v", err)
	}
	if _, err = themes.Save(t.Context(), theme.Administration, theme.Document{Brand: theme.Brand{Logo: "0123456789abcdef0123456789abcdef.png"}}, 2, ravi); !fault.Is(err, fault.Invalid) {
		t.Errorf("a picture that is not stored: %v", err)
	}
}

// Another process shows what is published within two seconds.
func TestOtherProcessesFollow(t *testing.T) {
	t.Parallel()
	pool := dbtest.Pool(t)
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	listener := db.NewListener(pool)
	there := theme.New(pool, nil, listener)
	done := make(chan struct{}, 2)
	go func() { listener.Run(ctx); done <- struct{}{} }()
	go func() { there.Run(ctx); done <- struct{}{} }()
	for !listener.Connected() {
		time.Sleep(time.Millisecond)
	}
	here := theme.New(pool, nil, nil)
	publish(t, here, theme.Presets[2].Document)
	start := time.Now()
	for there.Current(theme.Public).Stylesheet != here.Current(theme.Public).Stylesheet {
		if time.Since(start) > 2*time.Second {
			t.Fatal("the other process still shows the previous theme")
		}
		time.Sleep(time.Millisecond)
	}
	t.Logf("after %s", time.Since(start))
	stop()
	<-done
	<-done
}
