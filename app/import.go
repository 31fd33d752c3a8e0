package main

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"heliograph/app/documentation/importing"
	"heliograph/app/documentation/importing/finding"
	"heliograph/app/outbound"
	"heliograph/db/models"
)

// The statuses with which heliograph import ends besides 0, 1 and 2.
const (
	statusFindings = 3 // something could not be taken over
	statusBreaking = 4 // something breaks clients
)

// statusError ends the program with a status of its own.
type statusError struct {
	status int
	text   string
}

func (e statusError) Error() string { return e.text }

// caller sends requests to the portal.
type caller interface {
	Do(req *http.Request) (*http.Response, error)
}

// importer is one run of heliograph import.
type importer struct {
	portal, token string
	version, file string
	name          string // of the document in annotations
	failOn        []string
	format        string
	accept        bool
	timeout       time.Duration
	client        caller
	out           io.Writer
}

// imported is an import as the portal reports it.
type imported struct {
	ID       int64  `json:"id"`
	State    string `json:"state"`
	URL      string `json:"url"`
	Product  string `json:"product"`
	Version  string `json:"version"`
	Error    string `json:"error"`
	Document struct {
		Format     string `json:"format"`
		Operations int    `json:"operations"`
	} `json:"document"`
	Changes struct {
		Added     int `json:"added"`
		Changed   int `json:"changed"`
		Removed   int `json:"removed"`
		Unchanged int `json:"unchanged"`
	} `json:"changes"`
	Breaking []struct {
		Method  string `json:"method"`
		Path    string `json:"path"`
		Message string `json:"message"`
		Place   string `json:"place"`
	} `json:"breaking"`
	Findings  []finding.Finding `json:"findings"`
	ChangeSet *struct {
		URL string `json:"url"`
	} `json:"change_set"`
}

// runImport is the command import: it brings a document into a portal, waits until it
// is read, and says what would change.
func runImport(ctx context.Context, t terminal, args []string) error {
	flags := newFlags(t, "import")
	i := importer{out: t.out}
	var failOn string
	var tokenStdin bool
	flags.StringVar(&i.portal, "url", variable(t.environ, "HELIOGRAPH_URL"), "`address` of the portal (default: HELIOGRAPH_URL)")
	flags.StringVar(&i.version, "version", "", "`name` of the version that the document goes into, as its address has it")
	flags.StringVar(&failOn, "fail-on", "", "end with another status on `findings,breaking`: 3 if something could not be taken over, 4 if a change breaks clients")
	flags.StringVar(&i.format, "format", "text", "`text`, github for annotations of GitHub Actions, or json")
	flags.BoolVar(&i.accept, "accept", false, "make a change set of what differs")
	flags.BoolVar(&tokenStdin, "token-stdin", false, "read the token from the standard input (default: HELIOGRAPH_TOKEN)")
	flags.DurationVar(&i.timeout, "timeout", 5*time.Minute, "how `long` to wait until the document is read")
	if err := flags.Parse(args); err != nil {
		return usageOf(err)
	}
	if failOn != "" {
		i.failOn = strings.Split(failOn, ",")
	}
	i.file, i.token = flags.Arg(0), variable(t.environ, "HELIOGRAPH_TOKEN")
	if tokenStdin {
		text, err := io.ReadAll(io.LimitReader(t.in, 4<<10))
		if err != nil {
			return err
		}
		i.token = strings.TrimSpace(string(text))
	}
	if problem := i.problem(flags.NArg()); problem != "" {
		fmt.Fprintf(t.err, "heliograph import: %s\nusage: heliograph import --url https://… --version 1.0 [flags] FILE\n", problem)
		return errUsage
	}
	data, err := i.read(t.in)
	if err != nil {
		return err
	}
	i.portal, i.client = strings.TrimSuffix(i.portal, "/"), outbound.NewPortal(time.Minute)
	return i.run(ctx, data)
}

func variable(environ []string, name string) string {
	for _, v := range environ {
		if value, ok := strings.CutPrefix(v, name+"="); ok {
			return value
		}
	}
	return ""
}

// problem says what is wrong with the command line.
func (i *importer) problem(given int) string {
	u, err := url.Parse(i.portal)
	switch {
	case given != 1:
		return "name one file, or - for the standard input"
	case i.portal == "":
		return "set --url or HELIOGRAPH_URL to the address of the portal"
	case err != nil || u.Host == "" || u.Scheme != "https" && u.Scheme != "http":
		return "the address of the portal must start with https://"
	case i.version == "":
		return "set --version to the version that the document goes into"
	case i.token == "":
		return "set HELIOGRAPH_TOKEN to a token of the portal, which is made in the administration under Imports"
	case !slices.Contains([]string{"text", "github", "json"}, i.format):
		return "--format is text, github or json"
	case slices.ContainsFunc(i.failOn, func(s string) bool { return s != "findings" && s != "breaking" }):
		return "--fail-on is findings, breaking, or both with a comma"
	}
	return ""
}

// read reads the document.
func (i *importer) read(in io.Reader) ([]byte, error) {
	if i.name = i.file; i.file != "-" {
		f, err := os.Open(i.file)
		if err != nil {
			return nil, err
		}
		defer f.Close() //nolint:errcheck // it was read
		in = f
	} else {
		i.name = "document"
	}
	data, err := io.ReadAll(io.LimitReader(in, importing.MaxBytes+1))
	if err == nil && len(data) > importing.MaxBytes {
		err = fmt.Errorf("%s is over %d MiB", i.name, importing.MaxBytes>>20)
	}
	return data, err
}

// run brings the document in and reports what was found.
func (i *importer) run(ctx context.Context, data []byte) error {
	ctx, cancel := context.WithTimeout(ctx, i.timeout)
	defer cancel()
	query := url.Values{"version": {i.version}, "name": {filepath.Base(i.name)}}
	m, raw, err := i.call(ctx, http.MethodPost, "/api/imports?"+query.Encode(), data)
	for err == nil && (m.State == models.ImportQueued || m.State == models.ImportReading) {
		select {
		case <-ctx.Done():
			return fmt.Errorf("the document is not read yet: look at %s", m.URL)
		case <-time.After(500 * time.Millisecond):
		}
		m, raw, err = i.call(ctx, http.MethodGet, fmt.Sprintf("/api/imports/%d", m.ID), nil)
	}
	if err == nil && i.accept && m.State == models.ImportReady {
		m, raw, err = i.call(ctx, http.MethodPost, fmt.Sprintf("/api/imports/%d/acceptance", m.ID), nil)
	}
	if err != nil {
		return err
	}
	switch i.format {
	case "json":
		fmt.Fprintf(i.out, "%s\n", raw)
	case "github":
		i.annotate(m)
		i.summarise(m)
	default:
		i.list(m)
		i.summarise(m)
	}
	return i.verdict(m)
}

// call sends a request to the portal. Errors say what the portal said.
func (i *importer) call(ctx context.Context, method, path string, body []byte) (m imported, raw []byte, err error) {
	req, err := http.NewRequestWithContext(ctx, method, i.portal+path, bytes.NewReader(body))
	if err != nil {
		return m, nil, err
	}
	req.Header.Set("Authorization", "Bearer "+i.token)
	req.Header.Set("Accept", "application/json")
	if len(body) > 0 {
		req.Header.Set("Content-Type", "application/octet-stream")
	}
	res, err := i.client.Do(req)
	if err != nil {
		return m, nil, fmt.Errorf("calling the portal: %w", err)
	}
	defer res.Body.Close() //nolint:errcheck // it was read
	if raw, err = io.ReadAll(io.LimitReader(res.Body, 32<<20)); err != nil {
		return m, nil, fmt.Errorf("reading the answer of the portal: %w", err)
	}
	if res.StatusCode >= 300 {
		return m, nil, refusal(res, raw)
	}
	if err := json.Unmarshal(raw, &m); err != nil {
		return m, nil, fmt.Errorf("%s is no portal: it answers with no JSON", i.portal)
	}
	return m, raw, nil
}

// refusal is what the portal says about a request that it refuses.
func refusal(res *http.Response, raw []byte) error {
	var p struct {
		Detail string `json:"detail"`
		Errors []struct {
			Field   string `json:"field"`
			Message string `json:"message"`
		} `json:"errors"`
	}
	_ = json.Unmarshal(raw, &p) // else the status says it
	text := cmp.Or(p.Detail, "The portal answers with status "+res.Status+".")
	for _, e := range p.Errors {
		text += "\n  " + e.Field + ": " + e.Message
	}
	return errors.New(text)
}

// losses are the findings that stand for something that is left out or kept as text.
func (m imported) losses() (n int) {
	for _, f := range m.Findings {
		if f.Action == finding.Dropped || f.Action == finding.Kept {
			n++
		}
	}
	return n
}

var actionWords = map[finding.Action]string{finding.Dropped: "left out", finding.Kept: "kept as text", finding.Repaired: "repaired", finding.Noted: "noted"}

// list prints findings and breaking changes as compilers do.
func (i *importer) list(m imported) {
	for _, f := range m.Findings {
		fmt.Fprintf(i.out, "%s:%d:%d: %s: %s\n", i.fileOf(f), f.Line, f.Column, actionWords[f.Action], f.Message)
	}
	for _, b := range m.Breaking {
		fmt.Fprintf(i.out, "breaking: %s %s: %s\n", b.Method, b.Path, strings.TrimSpace(b.Message+" "+b.Place))
	}
	if m.State == models.ImportFailed {
		fmt.Fprintln(i.out, m.Error)
	}
}

func (i *importer) fileOf(f finding.Finding) string { return cmp.Or(f.File, i.name) }

// annotate prints findings and breaking changes as annotations of GitHub Actions.
func (i *importer) annotate(m imported) {
	levels := map[finding.Action]string{finding.Dropped: "warning", finding.Kept: "warning", finding.Repaired: "notice", finding.Noted: "notice"}
	for _, f := range m.Findings {
		fmt.Fprintf(i.out, "::%s file=%s,line=%d,col=%d,title=%s::%s\n", levels[f.Action], property(i.fileOf(f)), max(f.Line, 1), max(f.Column, 1), property("Import: "+actionWords[f.Action]), data(f.Message))
	}
	for _, b := range m.Breaking {
		fmt.Fprintf(i.out, "::error file=%s,title=%s::%s\n", property(i.name), property("Breaking change"), data(b.Method+" "+b.Path+": "+strings.TrimSpace(b.Message+" "+b.Place)))
	}
	if m.State == models.ImportFailed {
		fmt.Fprintf(i.out, "::error file=%s,title=%s::%s\n", property(i.name), property("Import failed"), data(m.Error))
	}
}

// data and property escape texts as GitHub Actions reads them.
func data(s string) string {
	return strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A").Replace(s)
}

func property(s string) string {
	return strings.NewReplacer(":", "%3A", ",", "%2C").Replace(data(s))
}

// summarise says what would change.
func (i *importer) summarise(m imported) {
	if m.Document.Format != "" {
		fmt.Fprintf(i.out, "%s, %d operations: %d added, %d changed, %d removed, %d unchanged; %d breaking, %d findings\n",
			m.Document.Format, m.Document.Operations, m.Changes.Added, m.Changes.Changed, m.Changes.Removed, m.Changes.Unchanged, len(m.Breaking), len(m.Findings))
	}
	switch {
	case m.ChangeSet != nil:
		fmt.Fprintf(i.out, "The change set is at %s\n", m.ChangeSet.URL)
	case m.State == models.ImportUnchanged:
		fmt.Fprintf(i.out, "Version %s of %s has all of this already.\n", m.Version, m.Product)
	case m.State == models.ImportReady:
		fmt.Fprintf(i.out, "Choose what to take at %s\n", m.URL)
	}
}

// verdict returns the error with which the command ends.
func (i *importer) verdict(m imported) error {
	switch n := m.losses(); {
	case m.State == models.ImportFailed:
		return errors.New("the document could not be imported")
	case m.State == models.ImportCancelled || m.State == models.ImportDiscarded:
		return errors.New("somebody ended the import: look at " + m.URL)
	case len(m.Breaking) > 0 && slices.Contains(i.failOn, "breaking"):
		return statusError{statusBreaking, fmt.Sprintf("%d changes break clients", len(m.Breaking))}
	case n > 0 && slices.Contains(i.failOn, "findings"):
		return statusError{statusFindings, fmt.Sprintf("%d places could not be taken over as they are written", n)}
	}
	return nil
}
