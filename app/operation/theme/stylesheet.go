package theme

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"strings"
)

// stylesheet returns the style sheet of a document, and the hash that stands in its
// address. Both are empty for a document that changes no token.
func (d Document) stylesheet() (text, hash string) {
	var tokens []string
	for _, v := range Variables {
		light, dark := d.Light[v.Name], d.Dark[v.Name]
		if light == "" && dark == "" {
			continue
		}
		light = cmp.Or(light, v.Light)
		if dark == "" {
			dark = v.Dark
			if v.Name == "focus" {
				dark = "var(--amber)"
			}
		}
		tokens = append(tokens, "--"+v.Name+":light-dark("+light+","+dark+")")
	}
	if d.Dark["paper"] != "" {
		for _, shade := range inkShades {
			tokens = append(tokens, "--"+shade.token+":"+d.inkAt(shade.lightness).Clamped().Hex())
		}
		tokens = append(tokens, "--code-edge:light-dark(var(--ink),var(--line))")
	}
	if d.Radius != "" {
		tokens = append(tokens, "--radius:"+d.Radius+"px")
	}
	for _, c := range []struct {
		list  []Choice
		value string
	}{{Densities, d.Density}, {TextFaces, d.Text}, {MonoFaces, d.Mono}} {
		if i := slices.IndexFunc(c.list, func(o Choice) bool { return o.Value == c.value }); i > 0 {
			tokens = append(tokens, c.list[i].css)
		}
	}
	if len(tokens) == 0 {
		return "", ""
	}
	text = "@layer theme{:root{" + strings.Join(tokens, ";") + "}}\n"
	sum := sha256.Sum256([]byte(text))
	return text, hex.EncodeToString(sum[:])[:15]
}

// address returns the address of the style sheet with a hash, empty for none.
func address(s Surface, hash string) string {
	if hash == "" {
		return ""
	}
	return "/theme/" + string(s) + "/" + hash + ".css"
}

// PicturePrefix is the path of pictures.
const PicturePrefix = "/theme/pictures/"
