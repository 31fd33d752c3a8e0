package main

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	rule "heliograph/app/channels/listen"
	"heliograph/app/outbound"
)

// listenCall is one run of heliograph listen.
type listenCall struct {
	portal, key string
	to          *url.URL
	verbose     bool
	portalCalls caller
	localCalls  caller
	pause       time.Duration // the first one after a failure
	out         io.Writer
	state       listenState
	path        string // of the state; empty for none

	shown, accepted int
}

// listenState is what a later run needs to go on.
type listenState struct {
	Cursor string `json:"cursor"`
	// Sending is the event under way. One that is found here was sent before the
	// program ended.
	Sending string `json:"sending,omitempty"`
	// Done are the events of the answer after Cursor that were sent.
	Done []string `json:"done,omitempty"`
}

func newListenCall(out io.Writer) *listenCall {
	return &listenCall{
		out: out, pause: time.Second,
		portalCalls: outbound.NewPortal(45 * time.Second), localCalls: outbound.NewPortal(15 * time.Second),
	}
}

// runListen is the command listen: it relays the callbacks of an organisation to an
// address that only this machine can reach.
func runListen(ctx context.Context, t terminal, args []string) error {
	flags := newFlags(t, "listen")
	l := newListenCall(t.out)
	var to string
	var keyStdin, now bool
	flags.StringVar(&to, "to", "", "`address` that gets the callbacks, such as http://localhost:9000")
	flags.StringVar(&l.portal, "url", variable(t.environ, "HELIOGRAPH_URL"), "`address` of the portal (default: HELIOGRAPH_URL, or what dev runs)")
	flags.BoolVar(&keyStdin, "key-stdin", false, "read the API key from the standard input (default: HELIOGRAPH_KEY, or the key of dev)")
	flags.BoolVar(&now, "from-now", false, "leave out what came since the last run ended")
	flags.BoolVar(&l.verbose, "verbose", false, "show headers and bodies")
	data := flags.String("data", ".data", "`folder` of dev, for its address and key")
	if err := parseFlags(flags, args); err != nil {
		return err
	}
	l.key = variable(t.environ, "HELIOGRAPH_KEY")
	if keyStdin {
		text, err := io.ReadAll(io.LimitReader(t.in, 4<<10))
		if err != nil {
			return err
		}
		l.key = strings.TrimSpace(string(text))
	}
	if err := l.complete(*data, to); err != nil {
		fmt.Fprintf(t.err, "heliograph listen: %v\nusage: heliograph listen --to http://localhost:9000 [flags]\n", err)
		return errUsage
	}
	if folder, err := os.UserCacheDir(); err == nil {
		l.load(filepath.Join(folder, "heliograph"))
	}
	if now {
		l.state = listenState{}
	}
	return l.run(ctx)
}

// complete checks the command line. Without address and key it uses the address and key of dev.
func (l *listenCall) complete(data, to string) (err error) {
	if l.to, err = parseReceiver(to); err != nil {
		return err
	}
	if l.portal == "" && l.key == "" {
		a, err := dataFolder{path: data}.readAccess()
		if err != nil {
			return err
		}
		l.portal, l.key = a.URL, a.Organisation.APIKey
	}
	if u, err := url.Parse(l.portal); err != nil || u.Host == "" {
		return errors.New("give the address of the portal with --url or HELIOGRAPH_URL")
	}
	if l.key == "" {
		return errors.New("give an API key of your organisation in HELIOGRAPH_KEY or with --key-stdin")
	}
	l.portal = strings.TrimSuffix(l.portal, "/")
	return nil
}

// parseReceiver reads the address that gets the callbacks.
func parseReceiver(to string) (*url.URL, error) {
	u, err := url.Parse(to)
	if err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" {
		return nil, errors.New("--to must be an address such as http://localhost:9000")
	}
	return u, nil
}

// load reads what an earlier run left in the folder, if it left something.
func (l *listenCall) load(folder string) {
	sum := sha256.Sum256([]byte(l.portal + "\n" + l.key + "\n" + l.to.String()))
	l.path = filepath.Join(folder, "listen-"+hex.EncodeToString(sum[:8])+".json")
	if text, err := os.ReadFile(l.path); err == nil {
		_ = json.Unmarshal(text, &l.state) // without one that can be read it begins now
	}
}

// save stores the state. Without a folder for it, the next run begins now.
func (l *listenCall) save() {
	if l.path == "" {
		return
	}
	text, err := json.Marshal(l.state)
	if err == nil {
		err = os.MkdirAll(filepath.Dir(l.path), 0o700)
	}
	next := l.path + ".new"
	if err == nil {
		err = os.WriteFile(next, text, 0o600)
	}
	if err == nil {
		err = os.Rename(next, l.path)
	}
	if err != nil {
		fmt.Fprintf(l.out, "The place was not stored, so that the next run does not continue here: %v\n", err)
		l.path = ""
	}
}

// run relays until it is stopped.
func (l *listenCall) run(ctx context.Context) error {
	fmt.Fprintf(l.out, "Listening at %s for %s\n", l.portal, l.to)
	pause := l.pause
	for ctx.Err() == nil {
		page, wait, err := l.fetch(ctx)
		switch {
		case ctx.Err() != nil:
		case err != nil && wait < 0:
			return err
		case err != nil:
			fmt.Fprintf(l.out, "%s  %v; trying again\n", clockNow(), err)
			sleepFor(ctx, max(wait, pause))
			pause = min(2*pause, 30*time.Second)
		default:
			pause = l.pause
			l.take(ctx, page)
		}
	}
	fmt.Fprintf(l.out, "Ended: %d events, %d accepted\n", l.shown, l.accepted)
	return nil
}

func clockNow() string { return time.Now().Format("15:04:05") }

// sleepFor waits, or until ctx ends.
func sleepFor(ctx context.Context, d time.Duration) {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-ctx.Done():
	case <-timer.C:
	}
}

// maxPage is the largest answer of the portal that is read, in bytes.
const maxPage = 64 << 20

// fetch asks for callbacks. wait is how long to wait after an error, negative for one that
// stays.
func (l *listenCall) fetch(ctx context.Context) (page rule.Page, wait time.Duration, err error) {
	address := l.portal + "/api/events"
	if l.state.Cursor != "" {
		address += "?wait=25&after=" + url.QueryEscape(l.state.Cursor)
	}
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
	if err != nil {
		return page, -1, err
	}
	r.Header.Set("Authorization", "Bearer "+l.key)
	answer, err := l.portalCalls.Do(r)
	if err != nil {
		return page, 0, fmt.Errorf("the portal does not answer: %w", err)
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(io.LimitReader(answer.Body, maxPage))
	if err != nil {
		return page, 0, fmt.Errorf("the answer of the portal broke off: %w", err)
	}
	if answer.StatusCode == http.StatusBadRequest && l.state.Cursor != "" {
		l.state = listenState{} // of another portal, or of an earlier database
		return page, 0, errors.New("the place of the last run is not known here; beginning now")
	}
	if answer.StatusCode != http.StatusOK {
		return page, waitAfter(answer), fmt.Errorf("the portal answers %d: %s", answer.StatusCode, problemText(text))
	}
	if err := json.Unmarshal(text, &page); err != nil || page.Next == "" {
		return page, -1, fmt.Errorf("%s is no portal: its answer cannot be read", l.portal)
	}
	return page, 0, nil
}

// waitAfter returns how long to wait after an answer, negative for one that stays.
func waitAfter(answer *http.Response) time.Duration {
	if seconds, err := strconv.Atoi(answer.Header.Get("Retry-After")); err == nil && seconds >= 0 {
		return min(time.Duration(seconds)*time.Second, time.Minute)
	}
	if answer.StatusCode == http.StatusTooManyRequests || answer.StatusCode >= 500 {
		return 0
	}
	return -1
}

// problemText returns what an error of the portal says.
func problemText(text []byte) string {
	var problem struct {
		Detail string `json:"detail"`
	}
	if json.Unmarshal(text, &problem) != nil || problem.Detail == "" {
		return "it says nothing more"
	}
	return problem.Detail
}

// take relays the callbacks of an answer, and stores its place after each.
func (l *listenCall) take(ctx context.Context, page rule.Page) {
	for _, e := range page.Events {
		if ctx.Err() != nil {
			return
		}
		if slices.Contains(l.state.Done, e.ID) {
			continue
		}
		repeated := l.state.Sending == e.ID
		l.state.Sending = e.ID
		l.save()
		// What is under way is finished, also when the program is being stopped.
		l.relay(context.WithoutCancel(ctx), ctx, e, repeated)
		l.state.Sending, l.state.Done = "", append(l.state.Done, e.ID)
		l.save()
	}
	if l.state.Cursor != page.Next {
		l.state = listenState{Cursor: page.Next}
		l.save()
	}
}

// mostTries is how often a callback is sent while nothing listens at the address.
const mostTries = 6

// relay sends one callback and shows it with the answer. An address at which nothing
// listens is tried again for a while, unless stopping ends.
func (l *listenCall) relay(ctx, stopping context.Context, e rule.Event, repeated bool) {
	l.shown++
	line := fmt.Sprintf("%s  %-24s %s", clockNow(), e.Event, e.ID)
	if repeated {
		line += " (repeated)"
	}
	pause := l.pause
	for try := 1; ; try++ {
		start := time.Now()
		status, body, err := l.post(ctx, e)
		took := time.Since(start).Round(time.Millisecond)
		if err != nil && try < mostTries && stopping.Err() == nil {
			if try == 1 {
				fmt.Fprintf(l.out, "%s  nothing answers at %s; trying again\n", clockNow(), l.to)
			}
			sleepFor(stopping, pause)
			pause = min(2*pause, 8*time.Second)
			continue
		}
		if err != nil {
			fmt.Fprintf(l.out, "%s → no answer: %v\n", line, err)
		} else {
			fmt.Fprintf(l.out, "%s → %d in %s\n", line, status, took)
		}
		if status >= 200 && status < 300 {
			l.accepted++
		}
		l.details(e, body)
		return
	}
}

// post sends one callback, byte for byte.
func (l *listenCall) post(ctx context.Context, e rule.Event) (status int, body string, err error) {
	u := *l.to
	if e.Query != "" {
		u.RawQuery = strings.Trim(u.RawQuery+"&"+e.Query, "&")
	}
	r, err := http.NewRequestWithContext(ctx, cmp.Or(e.Method, http.MethodPost), u.String(), bytes.NewReader(e.Body))
	if err != nil {
		return 0, "", err
	}
	maps.Copy(r.Header, e.Headers)
	answer, err := l.localCalls.Do(r)
	if err != nil {
		return 0, "", err
	}
	defer answer.Body.Close()
	text, _ := io.ReadAll(io.LimitReader(answer.Body, 4<<10)) // the status counts
	return answer.StatusCode, string(text), nil
}

// details shows what was sent and what came back, if that was asked for.
func (l *listenCall) details(e rule.Event, answer string) {
	if !l.verbose {
		return
	}
	names := make([]string, 0, len(e.Headers))
	for name := range e.Headers {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		fmt.Fprintf(l.out, "    %s: %s\n", name, strings.Join(e.Headers[name], ", "))
	}
	for _, text := range []string{e.Query, string(e.Body), answer} {
		if text != "" {
			fmt.Fprintf(l.out, "    %s\n", strings.ReplaceAll(strconv.Quote(text), `\"`, `"`))
		}
	}
}
