package rcs

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/mail"
	"net/netip"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"heliograph/app/fault"
	"heliograph/app/input"
)

// check collects what is wrong with a request.
type check struct{ fields []fault.Field }

func (c *check) add(path, code, format string, args ...any) {
	c.fields = append(c.fields, fault.Field{Name: path, Code: code, Message: fmt.Sprintf(format, args...)})
}

// maxFields is how many wrong fields are named.
const maxFields = 50

// err returns the error with every field, or nil.
func (c *check) err() error {
	if len(c.fields) == 0 {
		return nil
	}
	return &fault.Error{Kind: fault.Invalid, Message: failedCheck, Fields: c.fields[:min(len(c.fields), maxFields)]}
}

// rule checks the value at a path of a request.
type rule func(c *check, path string, v any)

// fields are the rules of the members of an object.
type fields map[string]rule

// with returns the fields of both.
func (f fields) with(more fields) fields {
	all := maps.Clone(f)
	maps.Copy(all, more)
	return all
}

// object returns the rule of an object: which members it may have and which it
// must have.
func object(members fields, required ...string) rule {
	return func(c *check, path string, v any) {
		if m, ok := asObject(c, path, v); ok {
			members.check(c, path, m)
			checkRequired(c, path, m, required)
		}
	}
}

// openObject is object for one that may have more members.
func openObject(members fields, required ...string) rule {
	return func(c *check, path string, v any) {
		m, ok := asObject(c, path, v)
		if !ok {
			return
		}
		known := maps.Clone(m)
		maps.DeleteFunc(known, func(name string, _ any) bool { return members[name] == nil })
		members.check(c, path, known)
		checkRequired(c, path, m, required)
	}
}

// check checks the members of an object.
func (f fields) check(c *check, path string, m map[string]any) {
	for _, name := range slices.Sorted(maps.Keys(m)) {
		if r := f[name]; r == nil {
			c.add(join(path, name), "unknown", "is not a field of this request")
		} else {
			r(c, join(path, name), m[name])
		}
	}
}

// checkRequired checks that an object has the members that it must have.
func checkRequired(c *check, path string, m map[string]any, required []string) {
	for _, name := range required {
		if _, ok := m[name]; !ok {
			c.add(join(path, name), "required", "is missing")
		}
	}
}

func asObject(c *check, path string, v any) (map[string]any, bool) {
	m, ok := v.(map[string]any)
	if !ok {
		c.add(path, "type", "must be an object")
	}
	return m, ok
}

// all returns a rule that applies several.
func all(rules ...rule) rule {
	return func(c *check, path string, v any) {
		for _, r := range rules {
			n := len(c.fields)
			r(c, path, v)
			if slices.ContainsFunc(c.fields[n:], func(f fault.Field) bool { return f.Name == path && f.Code == "type" }) {
				return // further rules would say the same
			}
		}
	}
}

// nonEmpty is the rule of an object with one member at least.
func nonEmpty(what string) rule {
	return func(c *check, path string, v any) {
		if m, ok := v.(map[string]any); ok && len(m) == 0 {
			c.add(path, "min_properties", "%s", what)
		}
	}
}

func join(path, name string) string {
	if path == "" {
		return name
	}
	return path + "." + name
}

// text is the rule of a string of a length in characters. One that must not be empty has
// a character that a person sees.
func text(least, most int) rule {
	return func(c *check, path string, v any) {
		s, ok := v.(string)
		switch n := utf8.RuneCountInString(s); {
		case !ok:
			c.add(path, "type", "must be a string")
		case n < least:
			c.add(path, "min_length", "must not be empty")
		case least > 0 && input.IsBlank(s):
			c.add(path, "blank", "must have a visible character")
		case n > most:
			c.add(path, "max_length", "must have at most %d characters", most)
		}
	}
}

// matching is the rule of a string that matches a pattern. form completes "must".
func matching(pattern, form string) rule {
	r := regexp.MustCompile(pattern)
	return func(c *check, path string, v any) {
		switch s, ok := v.(string); {
		case !ok:
			c.add(path, "type", "must be a string")
		case !r.MatchString(s):
			c.add(path, "pattern", "must %s", form)
		}
	}
}

// choice is the rule of a string that is one of several.
func choice(values ...string) rule {
	return func(c *check, path string, v any) {
		if s, ok := v.(string); !ok || !slices.Contains(values, s) {
			c.add(path, "enum", "must be %s", oneOf(values))
		}
	}
}

func oneOf(values []string) string {
	if len(values) == 1 {
		return values[0]
	}
	return "one of " + strings.Join(values[:len(values)-1], ", ") + " and " + values[len(values)-1]
}

// list is the rule of an array. items names what it holds.
func list(least, most int, items string, each rule) rule {
	return func(c *check, path string, v any) {
		values, ok := v.([]any)
		switch {
		case !ok:
			c.add(path, "type", "must be an array")
			return
		case len(values) > most && least > 1, len(values) < least && least > 1:
			c.add(path, map[bool]string{true: "min_items", false: "max_items"}[len(values) < least], "must have %d to %d %s", least, most, items)
			return
		case len(values) > most:
			c.add(path, "max_items", "must have at most %d %s", most, items)
			return
		case len(values) < least:
			c.add(path, "min_items", "must not be empty")
		}
		for i, value := range values {
			each(c, fmt.Sprintf("%s[%d]", path, i), value)
		}
	}
}

// distinct is the rule of an array without repeated strings.
func distinct(c *check, path string, v any) {
	seen := map[any]bool{}
	values, _ := v.([]any)
	for i, value := range values {
		if s, ok := value.(string); ok && seen[s] {
			c.add(fmt.Sprintf("%s[%d]", path, i), "duplicate", "must not be repeated")
		} else if ok {
			seen[s] = true
		}
	}
}

// boolean is the rule of true and false.
func boolean(c *check, path string, v any) {
	if _, ok := v.(bool); !ok {
		c.add(path, "type", "must be true or false")
	}
}

// between is the rule of a number within bounds.
func between(least, most float64) rule {
	return func(c *check, path string, v any) {
		n, ok := v.(json.Number)
		f, err := n.Float64()
		switch {
		case !ok || err != nil:
			c.add(path, "type", "must be a number")
		case f < least || f > most:
			c.add(path, "range", "must be from %g to %g", least, most)
		}
	}
}

// webURL is the rule of a web address.
func webURL(c *check, path string, v any) {
	s, ok := v.(string)
	u, err := url.Parse(s)
	switch {
	case !ok:
		c.add(path, "type", "must be a string")
	case len(s) > 2048:
		c.add(path, "max_length", "must have at most 2048 characters")
	case err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" || strings.ContainsAny(s, " \t\r\n\"<>\\^`{|}"):
		c.add(path, "url", "must be a URL that begins with http:// or https://")
	}
}

// publicURL is the rule of a web address that a phone can fetch: not one of a private
// network, as far as the address alone says it.
func publicURL(c *check, path string, v any) {
	n := len(c.fields)
	if webURL(c, path, v); len(c.fields) > n {
		return
	}
	u, err := url.Parse(v.(string))
	if err != nil {
		return
	}
	host := strings.ToLower(strings.TrimSuffix(u.Hostname(), "."))
	address, err := netip.ParseAddr(host)
	private := err == nil && (!address.Unmap().IsGlobalUnicast() || address.Unmap().IsPrivate())
	if private || host == "localhost" || strings.HasSuffix(host, ".localhost") || strings.HasSuffix(host, ".internal") || strings.HasSuffix(host, ".local") {
		c.add(path, "private_address", "must be a public address: phones cannot fetch from %s", host)
	}
}

// name is the rule of a name that people read, of a length without spaces around it.
func name(least, most int) rule {
	return func(c *check, path string, v any) {
		s, ok := v.(string)
		if ok && strings.ContainsFunc(s, unicode.IsControl) {
			c.add(path, "pattern", "must not have line breaks or other control characters")
			return
		}
		if ok {
			v = strings.TrimSpace(s)
		}
		text(least, most)(c, path, v)
	}
}

// trimNames removes the spaces around the names of a request.
func trimNames(in map[string]any, names ...string) {
	for _, name := range names {
		if s, ok := in[name].(string); ok {
			in[name] = strings.TrimSpace(s)
		}
	}
}

// emailAddress is the rule of a bare email address.
func emailAddress(c *check, path string, v any) {
	s, _ := v.(string)
	if parsed, err := mail.ParseAddress(s); err != nil || parsed.Address != s || len(s) > 254 {
		c.add(path, "email", "must be an email address")
	}
}

// dateTime is the rule of a time with its offset.
func dateTime(c *check, path string, v any) {
	s, _ := v.(string)
	if _, err := time.Parse(time.RFC3339, s); err != nil {
		c.add(path, "date_time", "must be a time such as 2026-01-31T09:00:00Z")
	}
}

// The rules of names and numbers.
var (
	phoneNumber   = matching(`^\+[1-9][0-9]{6,14}$`, "be a number such as +919812345678")
	opaqueID      = all(text(1, 64), matching(`^[A-Za-z0-9_=-]*$`, "have letters, digits, _, = and - only"))
	messageIDRule = all(text(1, 64), matching(`^[A-Za-z0-9._:-]*$`, "have letters, digits, ., _, : and - only"))
	templateName  = all(text(1, 20), matching(`^[A-Za-z0-9_]*$`, "have letters, digits and underscores only"))
)
