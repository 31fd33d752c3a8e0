package mock

import (
	"strconv"
	"strings"
)

// quality returns how much a header Accept wants a documented content type, from
// 0 for not at all to 1 (RFC 9110, section 12.5.1). The narrowest range counts.
// Without a header every type is wanted.
func quality(accept, contentType string) float64 {
	if strings.TrimSpace(accept) == "" {
		return 1
	}
	documented, _, _ := strings.Cut(strings.ToLower(contentType), ";")
	documented = strings.TrimSpace(documented)
	main, _, _ := strings.Cut(documented, "/")
	best, narrowest := 0., -1
	for item := range strings.SplitSeq(accept, ",") {
		parts := strings.Split(strings.ToLower(item), ";")
		name := strings.TrimSpace(parts[0])
		width := -1
		switch {
		case name == documented || documented == "*/*" || strings.HasSuffix(documented, "/*") && strings.HasPrefix(name, main+"/"):
			width = 2
		case name == main+"/*":
			width = 1
		case name == "*/*" || name == "*":
			width = 0
		}
		if width <= narrowest {
			continue
		}
		best, narrowest = weightOf(parts[1:]), width
	}
	return best
}

// weightOf reads the weight q among parameters.
func weightOf(parameters []string) float64 {
	for _, p := range parameters {
		if text, ok := strings.CutPrefix(strings.TrimSpace(p), "q="); ok {
			if q, err := strconv.ParseFloat(text, 64); err == nil && q >= 0 && q <= 1 {
				return q
			}
			return 0
		}
	}
	return 1
}
