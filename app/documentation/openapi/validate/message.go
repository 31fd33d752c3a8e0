package validate

import (
	"fmt"
	"math/big"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/santhosh-tekuri/jsonschema/v6/kind"
	"golang.org/x/text/language"
	"golang.org/x/text/message"

	"heliograph/app/lists"
)

// english writes the messages of the JSON Schema library that have no sentence
// of ours.
var english = message.NewPrinter(language.English)

// explain returns the keyword of an error and a sentence that says what to
// change.
func explain(err jsonschema.ErrorKind) (code, text string) {
	if path := err.KeywordPath(); len(path) > 0 {
		code = path[0]
	}
	if text = explainValue(err); text == "" {
		text = explainCount(err)
	}
	if text == "" {
		text = "Correct this value: " + err.LocalizedString(english) + "."
	}
	return code, text
}

// explainValue explains errors of what a value is.
func explainValue(err jsonschema.ErrorKind) string {
	switch k := err.(type) {
	case *kind.Type:
		return fmt.Sprintf("Send %s, not %s.", alternatives(k.Want), alternatives([]string{k.Got}))
	case *kind.Const:
		return fmt.Sprintf("Send %s.", display(k.Want))
	case *kind.Enum:
		return "Send one of " + displayList(k.Want) + "."
	case *kind.Format:
		return fmt.Sprintf("Send a value in the format %s.", k.Want)
	case *kind.Pattern:
		return fmt.Sprintf("Send a text that matches the pattern %s.", shorten(k.Want))
	case *kind.Minimum:
		return fmt.Sprintf("Send a number of at least %s.", number(k.Want))
	case *kind.Maximum:
		return fmt.Sprintf("Send a number of at most %s.", number(k.Want))
	case *kind.ExclusiveMinimum:
		return fmt.Sprintf("Send a number greater than %s.", number(k.Want))
	case *kind.ExclusiveMaximum:
		return fmt.Sprintf("Send a number less than %s.", number(k.Want))
	case *kind.MultipleOf:
		return fmt.Sprintf("Send a multiple of %s.", number(k.Want))
	case *kind.Not:
		return "Change this value. It matches what is not allowed."
	case *kind.OneOf:
		return "Change this value so that it matches exactly one of the variants."
	case *kind.AnyOf:
		return "Change this value so that it matches one of the variants."
	case *kind.PropertyNames:
		return fmt.Sprintf("Rename the member %s. Its name is not allowed.", shorten(k.Property))
	}
	return ""
}

// explainCount explains errors of how much there is.
func explainCount(err jsonschema.ErrorKind) string {
	switch k := err.(type) {
	case *kind.MinLength:
		return fmt.Sprintf("Send at least %d characters.", k.Want)
	case *kind.MaxLength:
		return fmt.Sprintf("Send at most %d characters.", k.Want)
	case *kind.MinItems:
		return fmt.Sprintf("Send at least %d items.", k.Want)
	case *kind.MaxItems:
		return fmt.Sprintf("Send at most %d items.", k.Want)
	case *kind.MinProperties:
		return fmt.Sprintf("Send at least %d members.", k.Want)
	case *kind.MaxProperties:
		return fmt.Sprintf("Send at most %d members.", k.Want)
	case *kind.UniqueItems:
		return fmt.Sprintf("Send every item once. The items %d and %d are equal.", k.Duplicates[0], k.Duplicates[1])
	case *kind.Contains:
		return "Add an item that the array must contain."
	case *kind.MinContains:
		return fmt.Sprintf("Add items. At least %d must match what the array contains.", k.Want)
	case *kind.MaxContains:
		return fmt.Sprintf("Remove items. At most %d may match what the array contains.", k.Want)
	case *kind.DependentRequired:
		return fmt.Sprintf("Add %s. The member %s requires it.", shorten(strings.Join(k.Missing, ", ")), shorten(k.Prop))
	}
	return ""
}

var articles = map[string]string{
	"integer": "an integer", "array": "an array", "object": "an object", "null": "null",
	"string": "a string", "number": "a number", "boolean": "a boolean",
}

func alternatives(words []string) string {
	list := lists.Map(words, func(word string) string { return articles[word] })
	slices.Sort(list)
	return strings.Join(list, " or ")
}

// longestNumber is how many characters of a whole number are written. Longer ones have an
// exponent.
const longestNumber = 40

func number(r *big.Rat) string {
	if whole := r.Num().String(); r.IsInt() && len(whole) <= longestNumber {
		return whole
	}
	f, _ := r.Float64()
	return fmt.Sprint(f)
}

// maxShown is how many values of an enumeration a message lists.
const maxShown = 12

func displayList(values []any) string {
	list := lists.Map(values[:min(len(values), maxShown)], display)
	if len(values) > maxShown {
		list = append(list, "…")
	}
	return strings.Join(list, ", ")
}

func display(v any) string {
	switch v.(type) {
	case string:
		return shorten(fmt.Sprintf("%q", v))
	case map[string]any:
		return "the documented object"
	case []any:
		return "the documented array"
	case nil:
		return "null"
	}
	return shorten(fmt.Sprint(v))
}

// shorten cuts a text so that a message stays a line.
func shorten(text string) string {
	text = strings.ToValidUTF8(text, "�")
	if utf8.RuneCountInString(text) <= 80 {
		return text
	}
	return string([]rune(text)[:79]) + "…"
}
