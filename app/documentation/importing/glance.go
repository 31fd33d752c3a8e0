package importing

import (
	"bytes"
	"cmp"
	"encoding/json"
	"regexp"
	"strings"

	"heliograph/app/documentation/content"
	"heliograph/app/documentation/openapi/naming"
)

// maxGlance is how much of a document is looked at for its name, in bytes.
const maxGlance = 256 << 10

// name fills the names that were left empty with what the document says of itself: its
// version, and the name of a new product. What it does not say stays empty.
func (t *Target) name(data []byte) {
	isVersioned := strings.TrimSpace(t.VersionSlug) != ""
	if isVersioned && (t.ProductID != 0 || strings.TrimSpace(t.ProductName) != "") {
		return
	}
	title, version := glance(data)
	if t.ProductID != 0 { // 1.0 would be another version of it
		t.VersionSlug = ownVersion(version)
		return
	}
	if strings.TrimSpace(t.ProductName) == "" {
		t.ProductName = cut(title, 100)
	}
	if t.ProductSlug == "" {
		t.ProductSlug = naming.Slug(t.ProductName)
	}
	if !isVersioned && title != "" {
		t.VersionSlug = cmp.Or(ownVersion(version), "1.0")
	}
}

// fullVersion is a version with three numbers or more, of which an address needs the first.
var fullVersion = regexp.MustCompile(`^v?(\d{1,9})\.\d+\.\d+`)

// ownVersion returns the address of a version by what its document says: 2.0 for 2.55.1,
// and nothing where it says nothing that can be an address.
func ownVersion(text string) string {
	text = strings.ToLower(strings.TrimSpace(text))
	if parts := fullVersion.FindStringSubmatch(text); parts != nil && parts[1] != "0" {
		return parts[1] + ".0"
	}
	if !content.ValidSlug(text) || content.IsReserved(content.KindVersion, text) {
		return ""
	}
	return text
}

// glance returns the title and the version that the beginning of a document says, without
// reading the rest. Documents are read by a process with bounds; this only looks for two
// short texts, and finds none in an archive.
func glance(data []byte) (title, version string) {
	data = bytes.TrimPrefix(data[:min(len(data), maxGlance)], []byte("\uFEFF"))
	if text := bytes.TrimSpace(data); len(text) > 0 && text[0] == '{' {
		title, version = glanceJSON(text)
	} else {
		title, version = glanceYAML(string(data))
	}
	return strings.Join(strings.Fields(title), " "), version
}

// glanceJSON goes through the tokens of a document up to the end of its info. Values
// outside it are skipped without being kept.
func glanceJSON(data []byte) (title, version string) {
	d := json.NewDecoder(bytes.NewReader(data))
	depth, inInfo, isName, name := 0, false, true, ""
	var stack []json.Delim
	for {
		token, err := d.Token()
		if err != nil {
			return title, version
		}
		inObject := len(stack) > 0 && stack[len(stack)-1] == '{'
		switch token := token.(type) {
		case json.Delim:
			if token == '{' || token == '[' {
				inInfo = inInfo || depth == 1 && token == '{' && name == "info"
				stack, depth, isName = append(stack, token), depth+1, true
				continue
			}
			stack, depth, isName = stack[:len(stack)-1], depth-1, true
			if inInfo && depth == 1 {
				return title, version
			}
			continue
		case string:
			if inObject && isName {
				name, isName = token, false
				continue
			}
			if inInfo && depth == 2 {
				switch name {
				case "title", "name": // the latter in collections
					title = token
				case "version":
					version = token
				}
			}
		}
		isName = true
	}
}

// infoLine is a line of the info of a YAML document.
var infoLine = regexp.MustCompile(`^\s+["']?(title|version)["']?\s*:\s+(.+?)\s*$`)

// flowInfo is the info of a YAML document in one line.
var flowInfo = regexp.MustCompile(`["']?(title|version)["']?\s*:\s*("[^"]*"|'[^']*'|[^,{}\[\]]+)`)

// glanceYAML looks at the lines of the info. Block texts, anchors and tags are left out.
func glanceYAML(text string) (title, version string) {
	keep := func(name, value string) {
		value = strings.TrimSpace(value)
		if quoted := len(value) > 1 && strings.ContainsRune(`"'`, rune(value[0])) && value[len(value)-1] == value[0]; quoted {
			value = value[1 : len(value)-1]
		} else if value, _, _ = strings.Cut(value, " #"); value == "" || strings.ContainsRune("|>&*!", rune(value[0])) {
			return
		}
		if name == "title" && title == "" {
			title = value
		} else if name == "version" && version == "" {
			version = value
		}
	}
	inInfo, indent := false, ""
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, "\r\n")
		blank := line[:len(line)-len(strings.TrimLeft(line, " \t"))]
		switch {
		case strings.TrimSpace(line) == "" || strings.HasPrefix(strings.TrimSpace(line), "#"):
		case strings.HasPrefix(line, "info:"):
			inInfo, indent = true, ""
			for _, part := range flowInfo.FindAllStringSubmatch(strings.TrimPrefix(line, "info:"), -1) {
				keep(part[1], part[2])
			}
		case !inInfo:
		case blank == "":
			return title, version
		default:
			indent = cmp.Or(indent, blank)
			if part := infoLine.FindStringSubmatch(line); part != nil && blank == indent {
				keep(part[1], part[2])
			}
		}
	}
	return title, version
}
