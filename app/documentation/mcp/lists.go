package mcp

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"heliograph/app/documentation/content"
	"heliograph/app/documentation/openapi/markdown"
	"heliograph/app/documentation/published"
	"heliograph/app/documentation/reference"
)

type (
	productList struct {
		Products   []productFacts `json:"products"`
		NextCursor string         `json:"next_cursor,omitempty"`
	}
	productFacts struct {
		Product        string `json:"product"`
		Name           string `json:"name"`
		Summary        string `json:"summary"`
		CurrentVersion string `json:"current_version"`
		Versions       int    `json:"versions"`
		URL            string `json:"url"`
		MarkdownURL    string `json:"markdown_url"`
		SDKURL         string `json:"sdk_url"` // client libraries of the current version
	}
	versionList struct {
		Product  string         `json:"product"`
		Versions []versionFacts `json:"versions"`
	}
	versionFacts struct {
		Version     string `json:"version"`
		Label       string `json:"label"`
		IsCurrent   bool   `json:"is_current"`
		Deprecated  bool   `json:"deprecated"`
		SunsetOn    string `json:"sunset_on,omitempty"`
		MigrateTo   string `json:"migrate_to,omitempty"`
		ReleasedOn  string `json:"released_on,omitempty"`
		PublishedAt string `json:"published_at"`
		Endpoints   int    `json:"endpoints"`
		URI         string `json:"uri"`
		URL         string `json:"url"`
		MarkdownURL string `json:"markdown_url"`
		OpenAPIURL  string `json:"openapi_url"`
		SDKURL      string `json:"sdk_url"`
	}
	// standing names the version that an answer is about.
	standing struct {
		Product    string `json:"product"`
		Version    string `json:"version"`
		IsCurrent  bool   `json:"is_current"`
		Deprecated bool   `json:"deprecated"`
		UpdatedAt  string `json:"updated_at"`
	}
	endpointList struct {
		standing
		SDKURL     string          `json:"sdk_url"` // client libraries of the version
		Total      int             `json:"total"`
		Endpoints  []endpointEntry `json:"endpoints"`
		NextCursor string          `json:"next_cursor,omitempty"`
	}
	endpointEntry struct {
		ID          string `json:"endpoint_id"`
		Name        string `json:"name"`
		Category    string `json:"category"`
		Method      string `json:"method"`
		Path        string `json:"path"`
		Purpose     string `json:"purpose"`
		Deprecated  bool   `json:"deprecated"`
		Callback    bool   `json:"callback"`
		URI         string `json:"uri"`
		URL         string `json:"url"`
		MarkdownURL string `json:"markdown_url"`
		SDKURL      string `json:"sdk_url,omitempty"` // the call with the client libraries
	}
)

const timeLayout = "2006-01-02T15:04:05Z"

func newStanding(at reference.Place) standing {
	return standing{
		Product: at.Product.Slug, Version: at.Version.Slug, IsCurrent: at.Version == at.Product.Latest(), Deprecated: isDeprecated(at.Version),
		UpdatedAt: at.Version.PublishedAt.UTC().Format(timeLayout),
	}
}

func isDeprecated(v *published.Version) bool {
	return v.Label == content.Deprecated || v.Label == content.Retired
}

// line writes the version that an answer is about.
func (s standing) line() string {
	state := "not the current version"
	if s.IsCurrent {
		state = "current"
	}
	if s.Deprecated {
		state += ", deprecated"
	}
	return fmt.Sprintf("%s %s (%s), updated %s", s.Product, s.Version, state, s.UpdatedAt)
}

func (l library) listProducts(_ context.Context, args arguments) (result, error) {
	p, err := l.page(args, 100, 100)
	if err != nil {
		return result{}, err
	}
	all := []productFacts{}
	for _, p := range l.products() {
		path, latest := reference.ProductPath(p), reference.Place{Product: p, Version: p.Latest()}
		all = append(all, productFacts{
			p.Slug, p.Name, p.Summary, latest.Version.Slug, len(p.VisibleVersions()), l.Site.URL + path, l.Site.URL + reference.TextPath(path), l.librariesOf(latest),
		})
	}
	var list productList
	list.Products, list.NextCursor = cut(p, all)
	var b strings.Builder
	for _, p := range list.Products {
		fmt.Fprintf(&b, "- `%s` %s, current version %s of %d: %s %s client libraries %s\n", p.Product, p.Name, p.CurrentVersion, p.Versions, p.Summary, p.MarkdownURL, p.SDKURL)
	}
	return finish(&b, list.NextCursor, list), nil
}

func (l library) listVersions(_ context.Context, args arguments) (result, error) {
	p, err := l.mustProduct(args.Product)
	if err != nil {
		return result{}, err
	}
	list := versionList{Product: p.Slug, Versions: []versionFacts{}}
	var b strings.Builder
	for _, v := range p.VisibleVersions() {
		at := reference.Place{Product: p, Version: v}
		f := versionFacts{
			Version: v.Slug, Label: v.Label, IsCurrent: v == p.Latest(), Deprecated: isDeprecated(v), SunsetOn: v.SunsetOn, MigrateTo: v.MigrateTo, ReleasedOn: v.ReleasedOn,
			PublishedAt: v.PublishedAt.UTC().Format(timeLayout), Endpoints: len(v.Endpoints()),
			URI: versionURI(at), URL: l.Site.URL + at.Path(), MarkdownURL: l.Site.URL + reference.TextPath(at.Path()), OpenAPIURL: l.Site.URL + at.OpenAPIPath("json"), SDKURL: l.librariesOf(at),
		}
		list.Versions = append(list.Versions, f)
		fmt.Fprintf(&b, "- `%s` %s, %d endpoints, released %s, published %s", f.Version, f.Label, f.Endpoints, f.ReleasedOn, f.PublishedAt)
		for _, part := range []struct{ words, value string }{{"ends", f.SunsetOn}, {"move to", f.MigrateTo}} {
			if part.value != "" {
				fmt.Fprintf(&b, ", %s %s", part.words, part.value)
			}
		}
		if f.IsCurrent {
			b.WriteString(", current")
		}
		fmt.Fprintf(&b, ": %s %s client libraries %s\n", f.MarkdownURL, f.OpenAPIURL, f.SDKURL)
	}
	return finish(&b, "", list), nil
}

func (l library) listEndpoints(ctx context.Context, args arguments) (result, error) {
	at, err := l.mustPlace(args)
	if err != nil {
		return result{}, err
	}
	p, err := l.page(args, 50, 100)
	if err != nil {
		return result{}, err
	}
	all, err := l.endpointEntries(ctx, at, args)
	if err != nil {
		return result{}, err
	}
	list := endpointList{standing: newStanding(at), SDKURL: l.librariesOf(at), Total: len(all)}
	list.Endpoints, list.NextCursor = cut(p, all)
	var b strings.Builder
	fmt.Fprintf(&b, "%s: %s, client libraries %s\n\n", list.line(), sizeOf(all), list.SDKURL)
	for _, e := range list.Endpoints {
		fmt.Fprintf(&b, "- `%s` %s: `%s %s` (%s", e.ID, e.Name, e.Method, e.Path, e.Category)
		if e.Deprecated {
			b.WriteString(", deprecated")
		}
		if e.Callback {
			b.WriteString(", callback")
		}
		fmt.Fprintf(&b, ") %s %s\n", e.Purpose, e.MarkdownURL)
	}
	return finish(&b, list.NextCursor, list), nil
}

// sizeOf counts endpoints and callbacks apart, as pages do.
func sizeOf(list []endpointEntry) string {
	callbacks := 0
	for _, e := range list {
		if e.Callback {
			callbacks++
		}
	}
	count := func(n int, noun string) string {
		if n == 1 {
			return "1 " + noun
		}
		return fmt.Sprintf("%d %ss", n, noun)
	}
	text := count(len(list)-callbacks, "endpoint")
	if callbacks > 0 {
		text += " and " + count(callbacks, "callback")
	}
	return text
}

// endpointEntries lists the endpoints and callbacks that match the filters.
func (l library) endpointEntries(ctx context.Context, at reference.Place, args arguments) ([]endpointEntry, error) {
	ops := at.Version.Operations()
	purposes, err := at.Version.Purposes(ctx, ops)
	if err != nil {
		return nil, err
	}
	all := []endpointEntry{}
	words := strings.Fields(strings.ToLower(args.Query))
	for i, op := range ops {
		purpose := markdown.FirstSentence(purposes[i])
		haystack := strings.ToLower(op.Name + " " + op.ID + " " + op.Path + " " + op.Category + " " + purpose)
		isOther := func(is, wanted string) bool { return wanted != "" && !strings.EqualFold(is, wanted) }
		if isOther(op.Category, args.Tag) || isOther(op.Method, args.Method) || !hasAll(haystack, words) {
			continue
		}
		path := at.Operation(op)
		all = append(all, endpointEntry{
			op.Slug, op.Name, op.Category, op.Method, op.Path, purpose, op.Deprecated, op.Callback,
			endpointURI(at, op), l.Site.URL + path, l.Site.URL + reference.TextPath(path), l.callOf(at, op),
		})
	}
	return all, nil
}

// librariesOf returns the address of the client libraries of a version.
func (l library) librariesOf(at reference.Place) string {
	return l.Site.URL + reference.TextPath(at.SDKPath())
}

// callOf returns the address of the code that calls an operation with the client
// libraries, empty for a callback.
func (l library) callOf(at reference.Place, op *published.Operation) string {
	if op.Callback {
		return ""
	}
	return l.Site.URL + reference.TextPath(at.CallPath(op.Slug))
}

func hasAll(text string, words []string) bool {
	return !slices.ContainsFunc(words, func(w string) bool { return !strings.Contains(text, w) })
}

// finish returns a list as a result. A page that is too long is never built: its
// limit is 100 entries of at most a few hundred characters.
func finish(b *strings.Builder, next string, value any) result {
	if next != "" {
		fmt.Fprintf(b, "\nThere are more: call again with cursor %q.\n", next)
	}
	return result{text: b.String(), value: value}
}
