package messaging

import (
	"net/url"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// review walks a message once and keeps the first member that is missing and
// the first value that is wrong. What is missing is answered first. Paths are
// those of the JSON body, such as "interactive.action.buttons[0].reply.id".
type review struct {
	missing, wrong error
	assets         []asset
}

// asset is something of the organisation that a message names by its id.
type asset struct {
	path string
	id   string
	kind string // image, video, audio, document, sticker or catalogue
}

// fault is the answer to the message, nil when nothing was found.
func (v *review) fault() error {
	if v.missing != nil {
		return v.missing
	}
	return v.wrong
}

// need notes a required member that is not there.
func (v *review) need(path string, there bool) {
	if !there && v.missing == nil {
		v.missing = reject(codeRequired, path, "%s is required", path)
	}
}

// refuse notes a value that must change.
func (v *review) refuse(path, detail string, args ...any) {
	if v.wrong == nil {
		v.wrong = reject(codeValue, path, detail, args...)
	}
}

// given returns a member, or an empty one for the review to find everything
// missing in.
func given[T any](member *T) *T {
	if member == nil {
		return new(T)
	}
	return member
}

// text reviews a required text.
func (v *review) text(path string, value Text, limit int) {
	v.need(path, value != "")
	v.atMost(path, value, limit)
}

// atMost reviews the length of a text, in characters.
func (v *review) atMost(path string, value Text, limit int) {
	if len(value) <= limit {
		return
	}
	if n := utf8.RuneCountInString(string(value)); n > limit {
		v.refuse(path, "%s has %d characters: use at most %d", path, n, limit)
	}
}

// count reviews how many items a required list has.
func (v *review) count(path string, n, limit int) {
	v.need(path, n > 0)
	if n > limit {
		v.refuse(path, "%s has %d items: use at most %d", path, n, limit)
	}
}

// word reviews a required word of a fixed set and puts it into lower case.
func (v *review) word(path string, value *Text, allowed ...string) {
	v.need(path, *value != "")
	if *value != "" {
		v.choice(path, value, allowed...)
	}
}

// choice is word for a member that may be absent.
func (v *review) choice(path string, value *Text, allowed ...string) {
	*value = lower(*value)
	if *value != "" && !slices.Contains(allowed, string(*value)) {
		v.refuse(path, "%s takes %s", path, strings.Join(allowed, ", "))
	}
}

// message reviews a required message id.
func (v *review) message(path string, id Text) {
	v.need(path, id != "")
	if _, ok := ParseMessageID(string(id)); !ok {
		v.refuse(path, "%s is not the id of a message", path)
	}
}

// person reviews a required number of a person.
func (v *review) person(path string, number Text) {
	v.need(path, number != "")
	if n := Digits(string(number)); len(n) < 7 || len(n) > 15 || n[0] == '0' {
		v.refuse(path, "write %s as a number with its country code, for example +919812345678", path)
	}
}

const maxAddress = 2048 // characters of a web address

// address reviews a required web address.
func (v *review) address(path string, value Text) {
	v.text(path, value, maxAddress)
	u, err := url.Parse(string(value))
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Hostname() == "" {
		v.refuse(path, "%s takes a web address that begins with https:// or http://", path)
	}
}

// unique notes an id that an earlier item of the list has.
func (v *review) unique(path string, seen map[Text]bool, id Text) {
	if seen[id] {
		v.refuse(path, "%s is used twice: give each item an id of its own", path)
	}
	seen[id] = true
}

// catalogue reviews a required catalogue id.
func (v *review) catalogue(path string, id Text) {
	v.need(path, id != "")
	v.assets = append(v.assets, asset{path: path, id: string(id), kind: "catalogue"})
}

// item is the path of an item of a list.
func item(path string, i int) string { return path + "[" + strconv.Itoa(i) + "]" }
