package sms

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"unicode/utf16"
)

func TestSplitAtTheLimits(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name    string
		content content
		want    []int // characters of each part
	}{
		{"nothing", content{Encoding: gsm7}, []int{0}},
		{"one full part", content{Encoding: gsm7, Text: strings.Repeat("a", 160)}, []int{160}},
		{"one septet more", content{Encoding: gsm7, Text: strings.Repeat("a", 161)}, []int{153, 8}},
		{"two full parts", content{Encoding: gsm7, Text: strings.Repeat("a", 306)}, []int{153, 153}},
		{"16-bit reference", content{Encoding: gsm7, Text: strings.Repeat("a", 305), WideReference: true}, []int{152, 152, 1}},
		{"extension characters", content{Encoding: gsm7, Text: strings.Repeat("€", 80)}, []int{80}},
		{"extension character at the edge", content{Encoding: gsm7, Text: strings.Repeat("a", 152) + "€" + strings.Repeat("b", 10)}, []int{152, 11}},
		{"extension characters in parts", content{Encoding: gsm7, Text: strings.Repeat("{", 81)}, []int{76, 5}},
		{"UCS-2", content{Encoding: ucs2, Text: strings.Repeat("ह", 70)}, []int{70}},
		{"UCS-2 in parts", content{Encoding: ucs2, Text: strings.Repeat("ह", 71)}, []int{67, 4}},
		{"UCS-2 with a 16-bit reference", content{Encoding: ucs2, Text: strings.Repeat("ह", 71), WideReference: true}, []int{66, 5}},
		{"surrogate pair at the edge", content{Encoding: ucs2, Text: strings.Repeat("ह", 66) + "😀" + strings.Repeat("ह", 4)}, []int{66, 5}},
		{"emoji", content{Encoding: ucs2, Text: strings.Repeat("😀", 36)}, []int{33, 3}},
		{"binary", content{Encoding: data8, Data: make([]byte, 140)}, []int{140}},
		{"binary in parts", content{Encoding: data8, Data: make([]byte, 141)}, []int{134, 7}},
		{"a header takes room", content{Encoding: gsm7, Text: strings.Repeat("a", 153), UDH: portHeader(2948)}, []int{152, 1}[:0]},
	} {
		parts, err := tt.content.Split()
		if err != nil {
			t.Errorf("%s: %v", tt.name, err)
			continue
		}
		if tt.want = slices.Clone(tt.want); len(tt.want) == 0 {
			tt.want = []int{146, 7} // 7 octets for the port and 5 for the numbering leave 146 septets
		}
		var got []int
		for _, p := range parts {
			got = append(got, len([]rune(p.Text))+len(p.Data))
		}
		if !slices.Equal(got, tt.want) {
			t.Errorf("%s: parts of %v, want %v", tt.name, got, tt.want)
		}
	}
}

func TestSplitNumbersItsParts(t *testing.T) {
	t.Parallel()
	text := strings.Repeat("a", 400)
	narrow, _ := content{Encoding: gsm7, Text: text, Reference: 0x1234}.Split()
	wide, _ := content{Encoding: gsm7, Text: text, Reference: 0x1234, WideReference: true, UDH: portHeader(9200)}.Split()
	for i := range 3 {
		n := byte(i + 1)
		if want := []byte{5, 0, 3, 0x34, 3, n}; !bytes.Equal(narrow[i].UDH, want) {
			t.Errorf("part %d has header %x, want %x", n, narrow[i].UDH, want)
		}
		if want := []byte{12, 5, 4, 0x23, 0xf0, 0, 0, 8, 4, 0x12, 0x34, 3, n}; !bytes.Equal(wide[i].UDH, want) {
			t.Errorf("part %d has header %x, want %x", n, wide[i].UDH, want)
		}
	}
}

func TestCheckUDH(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		udh          string
		numbered, ok bool
	}{
		{"\x06\x05\x04\x0b\x84\x23\xf0", false, true},
		{"\x05\x00\x03\x01\x02\x01", true, true},
		{"\x06\x08\x04\x01\x02\x03\x01", true, true},
		{"\x05\x05\x04\x0b\x84\x23\xf0", false, false}, // one octet too many
		{"\x06\x05\x05\x0b\x84\x23\xf0", false, false}, // an element that is longer than the header
		{"\x02\x70\x00", false, true},
		{"", false, false},
		{"\x00", false, false},
	} {
		if numbered, ok := checkUDH([]byte(tt.udh)); numbered != tt.numbered || ok != tt.ok {
			t.Errorf("checkUDH(%x) = %v, %v", tt.udh, numbered, ok)
		}
	}
}

// naiveSplit is an independent implementation: it turns the text into a list of
// units that belong together and fills parts from it, by the published figures
// alone.
func naiveSplit(text string, wide bool) (encoding textEncoding, parts []string) {
	basic := map[rune]bool{}
	for _, r := range "\n\r !\"#$%&'()*+,-./0123456789:;<=>?@ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz¡£¤¥§¿ÄÅÆÇÉÑÖØÜßàäåæèéìñòöøùüΓΔΘΛΞΠΣΦΨΩ" {
		basic[r] = true
	}
	extension := map[rune]bool{'^': true, '{': true, '}': true, '\\': true, '[': true, '~': true, ']': true, '|': true, '€': true, '\f': true}
	encoding = gsm7
	for _, r := range text {
		if !basic[r] && !extension[r] {
			encoding = ucs2
		}
	}
	one, each := 160, 153
	if wide {
		each = 152
	}
	if encoding == ucs2 {
		one, each = 70, 67
		if wide {
			each = 66
		}
	}
	width := func(r rune) int {
		switch {
		case encoding == ucs2:
			return len(utf16.Encode([]rune{r}))
		case extension[r]:
			return 2
		}
		return 1
	}
	sum := 0
	for _, r := range text {
		sum += width(r)
	}
	if sum <= one {
		return encoding, []string{text}
	}
	free := 0
	for _, r := range text {
		if free < width(r) {
			parts, free = append(parts, ""), each
		}
		parts[len(parts)-1] += string(r)
		free -= width(r)
	}
	return encoding, parts
}

func TestSplitAgreesWithANaiveImplementation(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(7, 11))
	alphabets := [][]rune{
		[]rune("abc ABC 0123456789.,"), []rune("aé€{}[]~|^\\\f"), []rune("aहिन्दी "), []rune("a😀€ñ"), []rune(gsmBasic), []rune(gsmBasic + gsmExtension + "ह😀\u0000"),
	}
	lengths := []int{1, 70, 140, 160, 320, 480, 2000}
	for n := range 10_000 {
		alphabet, length := alphabets[random.IntN(len(alphabets))], random.IntN(lengths[random.IntN(len(lengths))]+1)
		var b strings.Builder
		for range length {
			b.WriteRune(alphabet[random.IntN(len(alphabet))])
		}
		text, wide := b.String(), n%3 == 0
		encoding, want := naiveSplit(text, wide)
		if got := encodingOf(text); got != encoding {
			t.Fatalf("text %d %q is %s, want %s", n, text, got, encoding)
		}
		parts, err := content{Encoding: encoding, Text: text, WideReference: wide}.Split()
		if err != nil {
			t.Fatalf("text %d: %v", n, err)
		}
		got := make([]string, len(parts))
		for i, p := range parts {
			got[i] = p.Text
		}
		if !slices.Equal(got, want) {
			t.Fatalf("text %d %q: parts %s, want %s", n, text, fmt.Sprintf("%q", got), fmt.Sprintf("%q", want))
		}
	}
}
