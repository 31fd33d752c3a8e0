package api

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net/url"
	"strconv"
	"strings"

	"heliograph/app/fault"
	"heliograph/app/input"
	"heliograph/db/models"
)

// listInput holds the query parameters of every list.
type listInput struct {
	Limit   input.Text `json:"limit"` // 1 to 100, 25 when absent
	After   input.Text `json:"after"`
	Before  input.Text `json:"before"`
	Fields  input.Text `json:"fields"`  // comma list of members to keep
	Summary input.Text `json:"summary"` // any true value asks for the total
}

// page is the requested part of a list: up to Limit items after or before a key.
// Both keys are empty for the first page.
type page struct {
	Limit         int
	After, Before string
}

// paged is the response of a list. Its cursors hold the keys of items.
type paged struct {
	Data    []any    `json:"data"`
	Paging  *paging  `json:"paging,omitempty"`
	Summary *summary `json:"summary,omitempty"`
}

type paging struct {
	Cursors  cursors `json:"cursors"`
	Next     string  `json:"next,omitempty"`
	Previous string  `json:"previous,omitempty"`
}

type cursors struct {
	Before string `json:"before"`
	After  string `json:"after"`
}

type summary struct {
	TotalCount int `json:"total_count"`
}

const (
	defaultLimit = 25
	maxLimit     = 100
)

// ids parses limit and cursors of a list in the order of ids.
func (in listInput) ids(c *call) (models.Page, error) {
	p, err := in.page(c)
	if err != nil {
		return models.Page{}, err
	}
	return p.ids()
}

// page parses limit and cursors. The error is an Invalid fault.
func (in listInput) page(c *call) (page, error) {
	p := page{Limit: defaultLimit}
	if in.Limit != "" {
		n, err := strconv.Atoi(string(in.Limit))
		if err != nil || n < 1 || n > maxLimit {
			return p, badList("limit", "limit takes a number from 1 to %d", maxLimit)
		}
		p.Limit = n
	}
	for _, given := range []struct {
		name   string
		cursor input.Text
		key    *string
	}{{"after", in.After, &p.After}, {"before", in.Before, &p.Before}} {
		if given.cursor == "" {
			continue
		}
		decoded, err := base64.RawURLEncoding.DecodeString(string(given.cursor))
		key, ours := strings.CutPrefix(string(decoded), c.listTag())
		if err != nil || !ours || key == "" {
			return p, badList(given.name, "%s is not a cursor of this list: take it from paging.cursors", given.name)
		}
		*given.key = key
	}
	if p.After != "" && p.Before != "" {
		return p, badList("after", "after and before cannot be used together")
	}
	return p, nil
}

func badList(field, format string, args ...any) error {
	return &fault.Error{Kind: fault.Invalid, Fields: []fault.Field{{Name: field, Message: fmt.Sprintf(format, args...)}}}
}

// ids parses the keys of a list that is ordered by id.
func (p page) ids() (models.Page, error) {
	ids := models.Page{Limit: p.Limit}
	for _, k := range []struct {
		name, key string
		id        *int64
	}{{"after", p.After, &ids.After}, {"before", p.Before, &ids.Before}} {
		if k.key == "" {
			continue
		}
		n, err := strconv.ParseInt(k.key, 10, 64)
		if err != nil || n < 1 {
			return ids, badList(k.name, "%s is not a cursor of this list: take it from paging.cursors", k.name)
		}
		*k.id = n
	}
	return ids, nil
}

// list returns the response of a page from its rows. There is one row more than the
// limit if the list continues. show returns the key and the JSON value of a row.
func list[T any](c *call, in listInput, rows []T, show func(T) (key string, shown any)) (paged, error) {
	p, err := in.page(c)
	if err != nil {
		return paged{}, err
	}
	beyond := len(rows) > p.Limit
	m := more{before: p.After != "", after: p.Before != ""}
	switch {
	case beyond && p.Before != "":
		rows, m.before = rows[1:], true
	case beyond:
		rows, m.after = rows[:p.Limit], true
	}
	answer := paged{Data: make([]any, 0, len(rows))}
	var first, last string
	for i, row := range rows {
		key, shown := show(row)
		if i == 0 {
			first = key
		}
		last = key
		kept, err := trim(shown, in.Fields, c.surface.identifying...)
		if err != nil {
			return paged{}, err
		}
		answer.Data = append(answer.Data, kept)
	}
	answer.Paging = c.link(first, last, m)
	return answer, nil
}

// more reports whether there are items before and after the page.
type more struct{ before, after bool }

// link sets the cursors of a page, from the keys of its first and last item, and the
// absolute URLs of its neighbours, without the API key.
func (c *call) link(first, last string, m more) *paging {
	if first == "" && last == "" {
		return nil
	}
	p := &paging{Cursors: cursors{Before: c.cursor(first), After: c.cursor(last)}}
	address := func(name, value string) string {
		q := url.Values{}
		for k, v := range c.query {
			if k != "after" && k != "before" {
				q[k] = v
			}
		}
		q.Set(name, value)
		return c.surface.base + c.request.URL.EscapedPath() + "?" + q.Encode()
	}
	if m.after {
		p.Next = address("after", p.Cursors.After)
	}
	if m.before {
		p.Previous = address("before", p.Cursors.Before)
	}
	return p
}

// cursor returns the cursor of an item of the list by its key.
func (c *call) cursor(key string) string {
	return base64.RawURLEncoding.EncodeToString([]byte(c.listTag() + key))
}

// listTag begins the cursors of a list, so that another list does not take them.
func (c *call) listTag() string {
	sum := sha256.Sum256([]byte(c.operation.id))
	return string(sum[:3])
}

// trim returns an object with only the members in fields, a comma-separated list,
// and those in always. Without fields it returns all members.
func trim(object any, fields input.Text, always ...string) (any, error) {
	if fields == "" {
		return object, nil
	}
	data, err := json.Marshal(object)
	if err != nil {
		return nil, fmt.Errorf("trimming an object: %w", err)
	}
	var members map[string]json.RawMessage
	if err := json.Unmarshal(data, &members); err != nil {
		return nil, fmt.Errorf("trimming an object: %w", err)
	}
	kept := map[string]json.RawMessage{}
	for _, name := range append(strings.Split(string(fields), ","), always...) {
		name, _, _ = strings.Cut(strings.TrimSpace(name), ".") // a name may carry arguments: image.format(SVG)
		if value, ok := members[name]; ok {
			kept[name] = value
		}
	}
	return kept, nil
}
