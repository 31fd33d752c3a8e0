package mock

import (
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"heliograph/app/documentation/content"
)

// maxWait is the longest time that a request can ask to wait.
const maxWait = content.MaxLatency

// The preferences of a request, in the header Prefer (RFC 7240) or as query
// parameters that begin with two underscores. The header wins.
const (
	preferCode    = "code"
	preferExample = "example"
	preferDynamic = "dynamic"
	preferSeed    = "seed"
	preferWait    = "wait"
	preferDelay   = "delay" // another name of wait
	preferShape   = "shape"
	preferFault   = "fault"
	preferState   = "state"
	// A callback is sent to the address, and event names it among the documented ones.
	preferCallback = "callback"
	preferEvent    = "event"
)

var preferNames = []string{preferCode, preferExample, preferDynamic, preferSeed, preferWait, preferDelay, preferShape, preferFault, preferState, preferCallback, preferEvent}

// shapes are the values of the preference shape.
var shapes = []string{"empty", "one", "max"}

// preferences are what a request asks of its answer.
type preferences struct {
	code      int
	example   string
	isDynamic bool
	seed      string
	wait      span
	shape     string
	fault     mishap
	hasState  bool
	callback  string // address
	event     string
	applied   []string // as Preference-Applied lists them
}

// span is a range of time; a request waits for some time within.
type span struct {
	isSet       bool
	least, most time.Duration
}

// mishap is a failure of the connection, or a status with a probability.
type mishap struct {
	kind   string // timeout, reset, empty, malformed, random or status
	status int
	chance float64
}

// faults are the failures of a connection that requests can ask for.
var faults = []string{FaultTimeout, FaultReset, faultEmpty, FaultMalformed, FaultRandom}

// faultStatus is the failure that is a status of its own.
const faultStatus = "status"

// The failures of a connection.
const (
	FaultTimeout   = "timeout"   // no answer until the client gives up, or for 30 seconds
	FaultReset     = "reset"     // the connection is reset
	faultEmpty     = "empty"     // the connection is closed without an answer
	FaultMalformed = "malformed" // the answer breaks off within a chunk that cannot be read
	FaultRandom    = "random"    // bytes that are no HTTP
)

// readPreferences reads the preferences of a request. It returns the query
// without them, and what is wrong with them.
func readPreferences(header http.Header, query string) (p preferences, rest string, wrong []detail) {
	lines := header["Prefer"]
	if len(lines) == 0 && !strings.Contains(query, "__") {
		return p, query, nil
	}
	rest, inQuery := cutPreferences(query)
	values := map[string]string{}
	for _, line := range lines {
		for _, item := range splitQuoted(line) {
			name, value, _ := strings.Cut(item, "=")
			name = strings.ToLower(strings.TrimSpace(name))
			if _, taken := values[name]; !taken { // the first of a name counts (RFC 7240, section 2)
				values[name] = unquote(value)
			}
		}
	}
	for _, name := range preferNames {
		value, ok := values[name]
		where := detail{Location: "header", Name: "Prefer"}
		if !ok {
			if value, ok = inQuery[name]; !ok {
				continue
			}
			where = detail{Location: "query", Name: "__" + name}
		}
		if message := p.set(name, value); message != "" {
			where.Code, where.Message = "preference", message
			wrong = append(wrong, where)
			continue
		}
		if name == preferState && value == "" || name == preferDynamic && value == "" {
			p.applied = append(p.applied, name)
			continue
		}
		p.applied = append(p.applied, name+"="+quote(value))
	}
	return p, rest, wrong
}

// cutPreferences takes the preferences out of a query.
func cutPreferences(query string) (rest string, values map[string]string) {
	values = map[string]string{}
	var kept []string
	for pair := range strings.SplitSeq(query, "&") {
		name, value, _ := strings.Cut(pair, "=")
		own, ok := strings.CutPrefix(name, "__")
		if !ok || !slices.Contains(preferNames, own) {
			kept = append(kept, pair)
			continue
		}
		if plain, err := url.QueryUnescape(value); err == nil {
			value = plain
		}
		if _, taken := values[own]; !taken {
			values[own] = value
		}
	}
	return strings.Join(kept, "&"), values
}

// splitQuoted splits a list at the commas that are not within quotes.
func splitQuoted(line string) (list []string) {
	start, isQuoted := 0, false
	for i := 0; i < len(line); i++ {
		switch {
		case line[i] == '\\' && isQuoted:
			i++
		case line[i] == '"':
			isQuoted = !isQuoted
		case line[i] == ',' && !isQuoted:
			list = append(list, line[start:i])
			start = i + 1
		}
	}
	return append(list, line[start:])
}

// unquote reads a token or a quoted string. Parameters after it are ignored.
func unquote(value string) string {
	value = strings.TrimSpace(value)
	if !strings.HasPrefix(value, `"`) {
		value, _, _ = strings.Cut(value, ";")
		return strings.TrimSpace(value)
	}
	var b strings.Builder
	for i := 1; i < len(value) && value[i] != '"'; i++ {
		if value[i] == '\\' && i+1 < len(value) {
			i++
		}
		b.WriteByte(value[i])
	}
	return b.String()
}

// quote writes a value as a token where it is one, else as a quoted string.
func quote(value string) string {
	isToken := value != ""
	for i := range len(value) {
		c := value[i]
		if c < '!' || c > '~' || strings.IndexByte(`"(),/;<=>?@[\]{}`, c) >= 0 {
			isToken = false
		}
	}
	if isToken {
		return value
	}
	var b strings.Builder
	b.WriteByte('"')
	for i := range len(value) {
		switch c := value[i]; {
		case c == '"' || c == '\\':
			b.WriteString(`\` + string(c))
		case c >= ' ' && c <= '~':
			b.WriteByte(c)
		default:
			b.WriteByte('?')
		}
	}
	b.WriteByte('"')
	return b.String()
}

// set sets a preference. It returns what is wrong with the value, "" for none.
func (p *preferences) set(name, value string) string {
	switch name {
	case preferCode:
		n, err := strconv.Atoi(value)
		if err != nil || len(value) != 3 || n < 200 || n > 599 {
			return "Set code to a status from 200 to 599."
		}
		p.code = n
	case preferExample:
		if value == "" {
			return "Set example to the name of a documented example."
		}
		p.example = value
	case preferDynamic, preferState:
		is, err := strconv.ParseBool(value)
		if value != "" && err != nil {
			return "Set " + name + " to true or false."
		}
		is = is || value == ""
		if name == preferState {
			p.hasState = is
		} else {
			p.isDynamic = is
		}
	case preferSeed:
		if value == "" || len(value) > 100 {
			return "Set seed to a text of 1 to 100 characters."
		}
		p.seed = value
	case preferWait, preferDelay:
		var ok bool
		if p.wait, ok = readSpan(value); !ok {
			return "Set wait to milliseconds from 0 to 10000, or to a range such as 100-300."
		}
	case preferCallback:
		if len(value) > 2048 || value == "" {
			return "Set callback to the address of your receiver, in quotes."
		}
		p.callback = value
	case preferEvent:
		if value == "" || len(value) > 200 {
			return "Set event to the name of a documented callback, or to its name, a colon and the name of an example."
		}
		p.event = value
	case preferShape:
		if !slices.Contains(shapes, value) {
			return "Set shape to empty, one or max."
		}
		p.shape = value
	case preferFault:
		var ok bool
		if p.fault, ok = readFault(value); !ok {
			return "Set fault to timeout, reset, empty, malformed, random, or to a status with a probability such as 500:0.1."
		}
	}
	return ""
}

// readSpan reads a time in milliseconds, or a range of two. Longer times than
// maxWait are cut.
func readSpan(text string) (s span, ok bool) {
	low, high, isRange := strings.Cut(text, "-")
	least, ok := readTime(low)
	if !ok {
		return s, false
	}
	most := least
	if isRange {
		if most, ok = readTime(high); !ok || most < least {
			return s, false
		}
	}
	return span{true, min(least, maxWait), min(most, maxWait)}, true
}

// readTime reads a time: 250, 250ms or 1.5s.
func readTime(text string) (time.Duration, bool) {
	if n, err := strconv.ParseUint(text, 10, 31); err == nil {
		return time.Duration(n) * time.Millisecond, true
	}
	if !strings.HasSuffix(text, "s") {
		return 0, false
	}
	d, err := time.ParseDuration(text)
	return d, err == nil && d >= 0 && d < time.Hour
}

// readFault reads a failure: its name, or a status and its probability.
func readFault(text string) (f mishap, ok bool) {
	if slices.Contains(faults, text) {
		return mishap{kind: text, chance: 1}, true
	}
	code, chance, isChance := strings.Cut(text, ":")
	status, err := strconv.Atoi(code)
	if err != nil || len(code) != 3 || status < 400 || status > 599 {
		return f, false
	}
	f = mishap{kind: faultStatus, status: status, chance: 1}
	if isChance {
		if f.chance, err = strconv.ParseFloat(chance, 64); err != nil || !(f.chance >= 0 && f.chance <= 1) {
			return f, false
		}
	}
	return f, true
}
