package mcp

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"heliograph/app/documentation/reference"
	"heliograph/app/documentation/search"
	"heliograph/app/fault"
)

// kinds are the kinds of results.
var kinds = search.Kinds

type (
	searchList struct {
		Query      string         `json:"query"`
		Corrected  string         `json:"corrected,omitempty"`
		Total      int            `json:"total"`
		Results    []searchResult `json:"results"`
		NextCursor string         `json:"next_cursor,omitempty"`
	}
	searchResult struct {
		Kind        string   `json:"kind"`
		Title       string   `json:"title"`
		Breadcrumb  []string `json:"breadcrumb"`
		Snippet     string   `json:"snippet"`
		Product     string   `json:"product"`
		Version     string   `json:"version,omitempty"`
		IsCurrent   bool     `json:"is_current"`
		Method      string   `json:"method,omitempty"`
		Path        string   `json:"path,omitempty"`
		Deprecated  bool     `json:"deprecated"`
		URI         string   `json:"uri,omitempty"`
		URL         string   `json:"url"`
		MarkdownURL string   `json:"markdown_url"`
		SDKURL      string   `json:"sdk_url,omitempty"` // the call with the client libraries, else the libraries of the version
	}
)

func (l library) search(ctx context.Context, args arguments) (result, error) {
	q := search.Query{Text: strings.TrimSpace(args.Query), Kind: args.Kind, Limit: search.MaxLimit}
	if q.Text == "" {
		return result{}, mistake("query is missing. Give a task, a field, a path or an error code, such as \"send a template\".")
	}
	if args.Kind != "" && !slices.Contains(kinds, args.Kind) {
		return result{}, mistakef("There is no kind %s. Use one of: %s.", quote(args.Kind), strings.Join(kinds, ", "))
	}
	args.Product = cmp.Or(args.Product, l.scope)
	if args.Product != "" {
		at, err := l.mustPlace(args)
		if err != nil {
			return result{}, err
		}
		q.Product = at.Product.Slug
		if args.Version != "" {
			q.Version = at.Version.Slug
		}
	}
	p, err := l.page(args, 8, 20)
	if err != nil {
		return result{}, err
	}
	answer, err := l.Search.Find(ctx, q)
	if fault.Is(err, fault.Invalid) {
		return result{}, mistake(fault.As(err).Message)
	} else if err != nil {
		return result{}, err
	}
	all := []searchResult{}
	for _, r := range answer.Results {
		if known := l.product(r.Product); known != nil {
			all = append(all, l.newResult(r))
		}
	}
	list := searchList{Query: answer.Query, Corrected: answer.Corrected, Total: len(all)}
	list.Results, list.NextCursor = cut(p, all)
	var b strings.Builder
	if list.Corrected != "" {
		fmt.Fprintf(&b, "Results for %q.\n", list.Corrected)
	}
	for i, r := range list.Results {
		fmt.Fprintf(&b, "%d. %s: %s", p.offset+i+1, r.Kind, r.Title)
		if r.Method != "" {
			fmt.Fprintf(&b, " `%s %s`", r.Method, r.Path)
		}
		fmt.Fprintf(&b, " (%s)", strings.Join(r.Breadcrumb, " / "))
		if r.Deprecated {
			b.WriteString(" deprecated")
		}
		fmt.Fprintf(&b, "\n   %s\n   %s\n", r.Snippet, r.MarkdownURL)
	}
	if len(list.Results) == 0 {
		fmt.Fprintf(&b, "Nothing published matches %q. Try fewer or more common words, or list_endpoints.\n", quote(q.Text))
	}
	return finish(&b, list.NextCursor, list), nil
}

func (l library) newResult(r search.Result) searchResult {
	made := searchResult{
		Kind: r.Kind, Title: search.Plain(r.Title), Breadcrumb: append([]string{}, r.Breadcrumb...), Snippet: search.Plain(r.Snippet), Product: r.Product, Version: r.Version,
		Method: r.Method, Path: r.Path, Deprecated: r.Deprecated, URL: l.Site.URL + r.URL,
	}
	path, fragment, _ := strings.Cut(r.URL, "#")
	made.MarkdownURL = l.Site.URL + reference.TextPath(path)
	if fragment != "" {
		made.MarkdownURL += "#" + fragment
	}
	p := l.product(r.Product)
	if v := p.Version(r.Version); v != nil {
		at := reference.Place{Product: p, Version: v}
		made.IsCurrent = v == p.Latest()
		made.URI, made.SDKURL = versionURI(at), l.librariesOf(at)
		if op := v.Operation(path[strings.LastIndexByte(path, '/')+1:]); op != nil {
			made.URI, made.SDKURL = endpointURI(at, op), l.callOf(at, op)
		}
	}
	return made
}
