package content

import (
	"cmp"
	"strings"
)

// CompareVersions orders the slugs of versions, the older first. Digits count
// as numbers, and a pre-release comes before its release: 1.0-beta is older
// than 1.0, which is older than 1.0.1, which is older than 10.0. A pre-release
// follows a hyphen and starts with a letter, so that dates such as 2026-02-01
// are compared number by number.
func CompareVersions(a, b string) int {
	x, xPre := cutPreRelease(a)
	y, yPre := cutPreRelease(b)
	if c := compareParts(x, y); c != 0 {
		return c
	}
	if (xPre == "") != (yPre == "") {
		if xPre == "" {
			return 1
		}
		return -1
	}
	// Slugs that count the same, such as 1.0 and 1.00, still have one order.
	return cmp.Or(compareParts(xPre, yPre), cmp.Compare(len(a), len(b)), strings.Compare(a, b))
}

// cutPreRelease splits a slug into its release and its pre-release.
func cutPreRelease(slug string) (release, preRelease string) {
	for i := 1; i+1 < len(slug); i++ {
		if slug[i] == '-' && !isDigit(slug[i+1]) {
			return slug[:i], slug[i+1:]
		}
	}
	return slug, ""
}

// compareParts compares the parts between dots and hyphens one by one. The slug
// with fewer parts comes first.
func compareParts(a, b string) int {
	x, y := parts(a), parts(b)
	for i := range min(len(x), len(y)) {
		if c := comparePart(x[i], y[i]); c != 0 {
			return c
		}
	}
	return cmp.Compare(len(x), len(y))
}

func parts(s string) []string {
	return strings.FieldsFunc(s, func(r rune) bool { return r == '.' || r == '-' })
}

// comparePart compares runs of digits as numbers and everything else as text.
func comparePart(a, b string) int {
	for a != "" && b != "" {
		var x, y string
		x, a = cutRun(a)
		y, b = cutRun(b)
		if isDigit(x[0]) && isDigit(y[0]) {
			x, y = strings.TrimLeft(x, "0"), strings.TrimLeft(y, "0")
			if c := cmp.Compare(len(x), len(y)); c != 0 {
				return c
			}
		}
		if c := strings.Compare(x, y); c != 0 {
			return c
		}
	}
	return cmp.Compare(len(a), len(b))
}

// cutRun cuts the digits, or the other characters, at the start of s.
func cutRun(s string) (run, rest string) {
	i := 1
	for i < len(s) && isDigit(s[i]) == isDigit(s[0]) {
		i++
	}
	return s[:i], s[i:]
}

func isDigit(c byte) bool { return '0' <= c && c <= '9' }
