package reader

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"heliograph/app/documentation/openapi/markdown"
	"heliograph/app/documentation/openapi/model"
	"heliograph/app/documentation/published"
	"heliograph/app/documentation/reference"
	"heliograph/app/web/page"
	views "heliograph/views/reader"
	"heliograph/views/ui"
)

// errorUse is an operation that answers an error code, with the statuses.
type errorUse struct {
	op       *published.Operation
	statuses []string
}

// errorEntry is an error code of a version.
type errorEntry struct {
	code string
	model.Fault
	cases []string
	uses  []*errorUse
}

// mostCases is how many cases of an error are listed.
const mostCases = 5

// errorEntries lists the error codes of a version, by number: those that its tables
// explain and those in the examples of error responses. Outcomes that are no errors
// are left out: the tables name no remedy for them.
func errorEntries(ctx context.Context, at place) ([]*errorEntry, error) {
	known := map[string]*errorEntry{}
	add := func(faults map[string]model.Fault) {
		for code, f := range faults {
			if known[code] == nil && f.Remedy != "" {
				known[code] = &errorEntry{code: code, Fault: f}
			}
		}
	}
	add(at.version.Faults)
	for _, op := range at.version.Operations() {
		e, err := at.version.Endpoint(ctx, op)
		if published.IsBroken(err) {
			continue
		}
		if err != nil {
			return nil, err
		}
		add(model.Faults(e.Purpose))
		for _, r := range e.Responses {
			addUses(at, known, op, r)
		}
	}
	list := make([]*errorEntry, 0, len(known))
	for _, e := range known {
		list = append(list, e)
	}
	slices.SortFunc(list, func(a, b *errorEntry) int { return number(a.code) - number(b.code) })
	return list, nil
}

func number(code string) int {
	n, _ := strconv.Atoi(code) // of digits alone
	return n
}

// addUses adds the error codes of a response. A success holds codes of errors only
// where an API answers everything with one status.
func addUses(at place, known map[string]*errorEntry, op *published.Operation, r model.Response) {
	success := strings.HasPrefix(r.Status, "2")
	for _, c := range reference.ErrorCodes(at.version, r) {
		entry := known[c.Code]
		if success && (entry == nil || c.Code == r.Status) {
			continue
		}
		if entry == nil {
			entry = &errorEntry{code: c.Code, Fault: model.Fault{Meaning: c.Cause, Remedy: c.Remedy}}
			known[c.Code] = entry
		}
		for _, title := range c.Cases {
			if !slices.Contains(entry.cases, title) && title != entry.Meaning && len(entry.cases) < mostCases {
				entry.cases = append(entry.cases, title)
			}
		}
		if last := len(entry.uses) - 1; last < 0 || entry.uses[last].op != op {
			entry.uses = append(entry.uses, &errorUse{op: op})
		}
		use := entry.uses[len(entry.uses)-1]
		if !slices.Contains(use.statuses, r.Status) {
			use.statuses = append(use.statuses, r.Status)
		}
	}
}

// retry returns whether and when a request may be sent again after the error.
func (e *errorEntry) retry() string {
	has := func(words ...string) bool {
		return slices.ContainsFunc(words, func(w string) bool { return strings.Contains(strings.ToLower(e.Remedy), w) })
	}
	failed := slices.ContainsFunc(e.uses, func(u *errorUse) bool {
		return slices.ContainsFunc(u.statuses, func(status string) bool { return strings.HasPrefix(status, "5") })
	})
	switch {
	case has("do not repeat", "do not retry", "do not send"):
		return "No"
	case has("retry-after"):
		return "Later, after as many seconds as Retry-After names"
	case has("again later", "growing pauses", "repeat", "retry") || failed:
		return "Later, with growing pauses: 1, 2, 4, 8 seconds and so on"
	}
	return "After a change"
}

// Errors is the address of the error codes of a version. An endpoint may have the name
// where a version documents none.
var Errors = Address{path: "/docs/:product/:version/errors", find: func(s *site, in parameters) source {
	at, ok := findVersion(s, in)
	if !ok {
		return nil
	}
	if len(at.version.Faults) > 0 {
		return errorsSource{at}
	}
	return s.operations[at.version]["errors"]
}}

type errorsSource struct{ place }

func (errorsSource) read(_ *http.Request, query url.Values, a asked) (asked, error) {
	a.find = words(query.Get(views.FindName))
	return a, nil
}

func (src errorsSource) view(ctx context.Context, s *site, a asked) (page.View, error) {
	list, err := errorEntries(ctx, src.place)
	if err != nil {
		return page.View{}, err
	}
	all := newErrorsPage(s, src.place, list, a)
	return page.View{Frame: all.Page, Body: views.Errors(all)}, nil
}

func (src errorsSource) markdown(ctx context.Context, s *site, _ choice) (string, error) {
	list, err := errorEntries(ctx, src.place)
	return s.errorsText(src.place, list), err
}

// newErrorsPage returns the page of the error codes of a version.
func newErrorsPage(s *site, at place, list []*errorEntry, a asked) views.ErrorsPage {
	p := views.ErrorsPage{
		Page: s.frameOf(at), Nav: newNav(at, nil, a.filter), Notice: newNotice(at, nil), Published: newPublished(at),
	}
	p.HasNav = true
	p.Crumbs = append(crumbs(at.product), ui.Link{Label: at.version.Slug, Href: at.path()}, ui.Link{Label: "Error codes", Current: true})
	p.Nav.Overview.Current, p.Nav.Errors.Current = false, true
	p.Title = "Error codes – " + at.name()
	p.Description = "Every error code of " + at.name() + ": its cause, what to do, and whether to send the request again."
	p.Text = reference.TextPath(at.reference().Errors())
	p.Address, p.Canonical = s.url+at.reference().Errors(), s.canonical(at.product, at.reference().Errors())
	for i := range p.Nav.Versions {
		v := at.product.VisibleVersions()[i]
		p.Nav.Versions[i].Href = place{at.product, v}.path()
		if len(v.Faults) > 0 {
			p.Nav.Versions[i].Href = place{at.product, v}.reference().Errors()
		}
	}
	p.Find = a.find
	for _, e := range list {
		if !e.has(a.find) {
			continue
		}
		entry := views.ErrorEntry{ID: markdown.ErrorID(e.code), Code: e.code, Meaning: e.Meaning, Cases: e.cases, Retry: e.retry()}
		if e.Remedy != "" {
			entry.Remedy = prose(e.Remedy)
		}
		for _, use := range e.uses {
			link := ui.Link{Label: use.op.Name, Href: at.endpoint(use.op) + "#response-" + strings.ToLower(use.statuses[0])}
			entry.Operations = append(entry.Operations, views.ErrorOperation{Link: link, Statuses: use.statuses})
		}
		p.Entries = append(p.Entries, entry)
	}
	return p
}

// has reports whether the code begins with the text, or each word of the text is in what
// the entry says.
func (e *errorEntry) has(text string) bool {
	if strings.HasPrefix(e.code, text) {
		return true
	}
	said := strings.ToLower(e.Meaning + " " + e.Remedy + " " + strings.Join(e.cases, " "))
	for _, use := range e.uses {
		said += " " + strings.ToLower(use.op.Name)
	}
	return !slices.ContainsFunc(strings.Fields(strings.ToLower(text)), func(word string) bool { return !strings.Contains(said, word) })
}

// errorsText returns the error codes as Markdown.
func (s *site) errorsText(at place, list []*errorEntry) string {
	var b strings.Builder
	fmt.Fprintf(&b, "# Error codes\n\n%s · <%s>\n\n", at.name(), s.url+at.reference().Errors())
	for _, e := range list {
		fmt.Fprintf(&b, "## %s %s\n\n", e.code, e.Meaning)
		for _, c := range e.cases {
			fmt.Fprintf(&b, "- When: %s\n", c)
		}
		if e.Remedy != "" {
			fmt.Fprintf(&b, "- What to do: %s\n", e.Remedy)
		}
		fmt.Fprintf(&b, "- Retry: %s\n", e.retry())
		for _, use := range e.uses {
			fmt.Fprintf(&b, "- Answered by [%s](%s) with %s\n", use.op.Name, s.url+reference.TextPath(at.endpoint(use.op)), strings.Join(use.statuses, ", "))
		}
		b.WriteString("\n")
	}
	return b.String()
}
