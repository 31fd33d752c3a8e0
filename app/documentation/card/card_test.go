package card

import (
	"bytes"
	"image"
	"image/png"
	"strings"
	"sync"
	"testing"
	"time"

	"heliograph/app/fault"
	"heliograph/storage"
)

var bot = Card{Product: "RCS 1.0", Title: "Create a bot", Summary: "Creates a bot of your organisation.", Method: "POST", Path: "/api/v1/create-bot"}

// Whatever the texts are, the picture has its size, its margins stay empty and it
// is small.
func TestPicturesHoldAnyText(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("Every message reports its state. ", 200)
	cards := map[string]Card{
		"usual":          bot,
		"nothing":        {},
		"one word":       {Title: strings.Repeat("W", 5000), Summary: strings.Repeat("i", 5000), Path: "/" + strings.Repeat("{number}/", 900), Method: "GET"},
		"long":           {Product: long, Title: long, Summary: long, Method: "DELETE", Path: long},
		"spaces":         {Title: strings.Repeat(" ", 5000) + "end", Summary: "\n\t\x00\u202e"},
		"bad bytes":      {Title: "\xff\xfe\xfd", Summary: strings.Repeat("\xc3", 400), Path: "\xff"},
		"unknown letter": {Title: "संदेश भेजें", Summary: "消息"},
	}
	for name, c := range cards {
		picture, err := drawPicture(c)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		shown, err := png.Decode(bytes.NewReader(picture))
		if err != nil || shown.Bounds() != image.Rect(0, 0, cardWidth, cardHeight) || len(picture) > 256<<10 {
			t.Errorf("%s: %d bytes, %v, %v", name, len(picture), shown.Bounds(), err)
			continue
		}
		ground := shown.At(0, 0)
		for y := range cardHeight {
			for _, x := range []int{10, 60, cardWidth - 60, cardWidth - 10} {
				if shown.At(x, y) != ground {
					t.Fatalf("%s: something is drawn at %d, %d, in the margin", name, x, y)
				}
			}
		}
	}
}

func TestHashFollowsWhatIsShown(t *testing.T) {
	t.Parallel()
	seen := map[string]bool{}
	for _, c := range []Card{
		bot, {}, {Title: "ab"}, {Title: "a", Summary: "b"}, {Product: "a", Title: "b"}, {Method: "a", Path: "b"}, {Title: `a" "b`},
	} {
		hash := c.Hash()
		if seen[hash] || len(hash) != 32 || hash != c.Hash() {
			t.Errorf("%+v has the hash %s", c, hash)
		}
		seen[hash] = true
	}
}

func TestLettersThatFontsLack(t *testing.T) {
	t.Parallel()
	for title, want := range map[string]bool{"Create a bot – now": true, "Ελληνικά": true, "Сообщение": true, "संदेश": false, "消息": false, "": false} {
		if got := (Card{Title: title}).IsDrawable(); got != want {
			t.Errorf("%q is drawable: %v", title, got)
		}
	}
}

// A picture is drawn once and read from the storage from then on, also by the many
// who ask at the same moment.
func TestPicturesAreKept(t *testing.T) {
	t.Parallel()
	store := openFolder(t)
	cards := New(store)
	var wg sync.WaitGroup
	for range 20 {
		wg.Go(func() {
			if _, err := cards.Picture(t.Context(), bot); err != nil && !fault.Is(err, fault.Unavailable) {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	drawn, err := drawPicture(bot)
	if err != nil {
		t.Fatal(err)
	}
	kept, err := New(store).Picture(t.Context(), bot)
	if err != nil || !bytes.Equal(kept, drawn) {
		t.Errorf("the kept picture has %d bytes and the drawn one %d: %v", len(kept), len(drawn), err)
	}
	if o, err := store.Stat(t.Context(), storage.CardKey(bot.Hash())); err != nil || o.ContentType != "image/png" || o.Size != int64(len(drawn)) {
		t.Errorf("the object is %+v: %v", o, err)
	}
}

func TestOldPicturesAreDeleted(t *testing.T) {
	t.Parallel()
	store := openFolder(t)
	if _, err := New(store).Picture(t.Context(), bot); err != nil {
		t.Fatal(err)
	}
	if _, err := store.Put(t.Context(), storage.MediaKey("1"), strings.NewReader("kept"), storage.PutOptions{}); err != nil {
		t.Fatal(err)
	}
	const day = 24 * time.Hour
	if err := Sweep(t.Context(), store, time.Now().Add(29*day)); err != nil {
		t.Fatal(err)
	}
	if _, err := store.Stat(t.Context(), storage.CardKey(bot.Hash())); err != nil {
		t.Errorf("after 29 days: %v", err)
	}
	if err := Sweep(t.Context(), store, time.Now().Add(31*day)); err != nil {
		t.Fatal(err)
	}
	if _, err := store.Stat(t.Context(), storage.CardKey(bot.Hash())); !fault.Is(err, fault.NotFound) {
		t.Errorf("after 31 days: %v", err)
	}
	if _, err := store.Stat(t.Context(), storage.MediaKey("1")); err != nil {
		t.Errorf("another file: %v", err)
	}
}

func openFolder(t *testing.T) storage.Store {
	t.Helper()
	store, err := storage.OpenFolder(t.TempDir(), "http://localhost", make([]byte, 32))
	if err != nil {
		t.Fatal(err)
	}
	return store
}
