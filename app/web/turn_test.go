package web

import (
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/labstack/echo/v4"

	"heliograph/app/operation/limit"
)

// Forms of strangers and what computes for anybody wait for their turn. Pages do not, nor
// what has a key, a session or a limit of its own.
func TestStrangersTakeTurns(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		route Route
		want  bool
	}{
		{Route{Name: "login", Method: http.MethodPost, Access: Visitor}, true},
		{Route{Name: "admin.login", Method: http.MethodPost, Access: AdminVisitor}, true},
		{Route{Name: "copied", Method: http.MethodPost, Access: Public, BodyLimit: 1 << 10}, true},
		{Route{Name: "mcp", Method: http.MethodPost, Access: Public}, true},
		{Route{Name: "search", Method: http.MethodGet, Access: Public}, true},
		{Route{Name: "api.search", Method: http.MethodGet, Access: Public}, true},
		{Route{Name: "home", Method: http.MethodGet, Access: Public}, false},
		{Route{Name: "login.show", Method: http.MethodGet, Access: Visitor}, false},
		{Route{Name: "console", Method: http.MethodPost, Access: Public, BodyLimit: 4 << 20}, false},
		{Route{Name: "account.profile", Method: http.MethodPost, Access: Member}, false},
		{Route{Name: "sms", Method: anyMethod, Access: APIKey}, false},
	} {
		if got := takesTurn(tt.route); got != tt.want {
			t.Errorf("%s: %v", tt.route.Name, got)
		}
	}
}

// A stranger that asks as fast as it can does one thing at a time, with a quarter of the
// processors; one with a body that comes slowly holds up nobody.
func TestFloodsOfStrangersWait(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := &Server{turns: limit.NewTurns()}
		router, running, most := echo.New(), 0, 0
		router.POST("/", s.inTurn(func(c echo.Context) error {
			if running++; running > most {
				most = running
			}
			body, err := io.ReadAll(c.Request().Body)
			time.Sleep(10 * time.Millisecond)
			running--
			if err != nil || len(body) < 2 {
				return c.NoContent(http.StatusTeapot)
			}
			return c.NoContent(http.StatusNoContent)
		}, 1<<10, true))
		post := func(body io.Reader) int {
			w := httptest.NewRecorder()
			router.ServeHTTP(w, httptest.NewRequestWithContext(t.Context(), http.MethodPost, "/", body))
			return w.Code
		}
		read, write := io.Pipe()
		slow := make(chan int)
		go func() { slow <- post(read) }()
		synctest.Wait()
		answers := make(chan int)
		for range 20 {
			go func() { answers <- post(strings.NewReader("ab")) }()
		}
		began := time.Now()
		for range 20 {
			if code := <-answers; code != http.StatusNoContent {
				t.Errorf("an answer is %d", code)
			}
		}
		if took := time.Since(began); most != 1 || took != 200*time.Millisecond {
			t.Errorf("%d at once, 20 in %v", most, took)
		}
		if err := write.CloseWithError(io.ErrUnexpectedEOF); err != nil {
			t.Fatal(err)
		}
		if code := <-slow; code != http.StatusTeapot {
			t.Errorf("a body that breaks off is answered %d", code)
		}
	})
}
