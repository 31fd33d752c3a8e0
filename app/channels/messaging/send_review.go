package messaging

import (
	"net/url"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"heliograph/app/channels/messaging/refusal"
	"heliograph/app/input"
	"heliograph/app/phone"
)

// review checks a message and keeps the first missing field and the first
// invalid value. A missing field is reported first. Paths lead into the JSON
// body, such as "interactive.action.buttons[0].reply.id".
type review struct {
	missing, wrong error
	assets         []asset
}

// asset is an asset of the organisation that a message refers to by id.
type asset struct {
	path string
	id   string
	kind string // image, video, audio, document, sticker or catalogue
}

// fault returns the error to report, or nil if the message is valid.
func (v *review) fault() error {
	if v.missing != nil {
		return v.missing
	}
	return v.wrong
}

// need records a required field that is missing.
func (v *review) need(path string, there bool) {
	if !there && v.missing == nil {
		v.missing = refusal.New(refusal.Required, path, "%s is required", path)
	}
}

// refuse records an invalid value.
func (v *review) refuse(path, detail string, args ...any) {
	if v.wrong == nil {
		v.wrong = refusal.New(refusal.Value, path, detail, args...)
	}
}

// orEmpty returns member, or an empty value if it is nil, so that the review
// reports its required fields as missing.
func orEmpty[T any](member *T) *T {
	if member == nil {
		return new(T)
	}
	return member
}

// text reviews a required text, of which a person sees something.
func (v *review) text(path string, value input.Text, limit int) {
	v.need(path, value != "")
	if value != "" && input.IsBlank(string(value)) {
		v.refuse(path, "%s has no visible character", path)
	}
	v.atMost(path, value, limit)
}

// atMost reviews the length of a text, in characters.
func (v *review) atMost(path string, value input.Text, limit int) {
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

// word reviews a required word of a fixed set and converts it to lower case.
func (v *review) word(path string, value *input.Text, allowed ...string) {
	v.need(path, *value != "")
	if *value != "" {
		v.choice(path, value, allowed...)
	}
}

// choice is like word for an optional field.
func (v *review) choice(path string, value *input.Text, allowed ...string) {
	*value = lower(*value)
	if *value != "" && !slices.Contains(allowed, string(*value)) {
		v.refuse(path, "%s must be %s", path, oneOf(allowed))
	}
}

// message reviews a required message id.
func (v *review) message(path string, id input.Text) {
	v.need(path, id != "")
	if _, ok := ParseMessageID(string(id)); !ok {
		v.refuse(path, "%s is not the id of a message", path)
	}
}

// person reviews a required phone number of a contact.
func (v *review) person(path string, number input.Text) {
	v.need(path, number != "")
	if n := Digits(string(number)); len(n) < 7 || len(n) > 15 || n[0] == '0' {
		v.refuse(path, "%s is %q: write it as a number with its country code, for example +919812345678", path, clip(string(number)))
	}
}

// userID reviews a required user id of a contact.
func (v *review) userID(path string, id input.Text) {
	v.need(path, id != "")
	if !phone.IsUserID(string(id)) {
		v.refuse(path, "%s is %q: write the user id as callbacks have it, for example IN.13491208655302741918", path, clip(string(id)))
	}
}

// checkRecipient refuses a number that cannot exist in its country.
func checkRecipient(number string) error {
	switch {
	case phone.Exists(number):
		return nil
	case phone.Exists("91" + number):
		return refusal.New(refusal.Value, "to", "to is %s, a number that cannot exist: put its country code before it, for example 91%s", number, number)
	}
	return refusal.New(refusal.Value, "to", "to is %s, a number that cannot exist: check its country code and each digit", number)
}

// clip shortens a value that an error repeats.
func clip(value string) string {
	const most = 40
	if utf8.RuneCountInString(value) <= most {
		return value
	}
	return string([]rune(value)[:most]) + "…"
}

const maxAddress = 2048 // characters of a web address

// address reviews a required URL.
func (v *review) address(path string, value input.Text) {
	v.text(path, value, maxAddress)
	u, err := url.Parse(string(value))
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Hostname() == "" {
		v.refuse(path, "%s must be a URL that starts with https:// or http://", path)
	}
}

// unique refuses a value that an earlier item of the list has.
func (v *review) unique(path string, seen map[input.Text]bool, value input.Text) {
	if seen[value] {
		v.refuse(path, "%s is used twice: use a different one for each item", path)
	}
	seen[value] = true
}

// catalogue reviews a required catalogue id.
func (v *review) catalogue(path string, id input.Text) {
	v.need(path, id != "")
	v.assets = append(v.assets, asset{path: path, id: string(id), kind: "catalogue"})
}

// item returns the path of a list item.
func item(path string, i int) string { return path + "[" + strconv.Itoa(i) + "]" }

// oneOf joins words to the text "a, b or c".
func oneOf(words []string) string {
	if len(words) < 2 {
		return strings.Join(words, "")
	}
	last := len(words) - 1
	return strings.Join(words[:last], ", ") + " or " + words[last]
}
