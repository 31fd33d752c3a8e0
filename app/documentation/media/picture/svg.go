package picture

import (
	"encoding/xml"
	"errors"
	"io"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// The bounds of a drawing.
const (
	MaxSVG        = 256 << 10 // bytes
	maxElements   = 5000
	maxDepth      = 32
	maxExpansions = 20_000 // elements after every reference is followed
)

const svgSpace = "http://www.w3.org/2000/svg"

// drawing are the elements that a drawing may have.
var drawing = words(`svg g path rect circle ellipse line polyline polygon text tspan defs linearGradient radialGradient stop
	clipPath mask pattern marker title desc use symbol`)

// ignored are elements that are left out with what they contain: they draw nothing
// that this program keeps, and run nothing.
var ignored = words(`metadata animate animateTransform animateMotion set mpath switch view`)

// harmful explains why elements are refused.
var harmful = map[string]string{
	"script": "it runs a program", "foreignObject": "it contains a web page", "iframe": "it contains a web page", "style": "styles can load files; use attributes, such as fill and stroke",
	"image": "it loads a picture; upload that picture by itself", "a": "it leads to another page", "filter": "filters can load pictures", "feImage": "it loads a picture",
}

const number = `[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?`

var (
	manyNumber = regexp.MustCompile(`^[\d.eE+,%\s-]*$`)
	pathData   = regexp.MustCompile(`^[MmZzLlHhVvCcSsQqTtAa\d.eE+,\s-]*$`)
	transform  = regexp.MustCompile(`^\s*(?:(?:translate|scale|rotate|skewX|skewY|matrix)\([\d.eE+,\s-]+\)[\s,]*)*$`)
	paint      = regexp.MustCompile(`^(?:none|currentColor|transparent|inherit|#[0-9a-fA-F]{3,8}|[a-zA-Z]{3,24}|(?:rgb|rgba|hsl|hsla)\([\d.,%\s/deg-]+\)|url\(#[A-Za-z_][\w.-]*\)(?:\s+(?:none|#[0-9a-fA-F]{3,8}|[a-zA-Z]{3,24}))?)$`)
	reference  = regexp.MustCompile(`^url\(#[A-Za-z_][\w.-]*\)$`)
	families   = regexp.MustCompile(`^[\w ,'"-]{1,200}$`)
	name       = regexp.MustCompile(`^[A-Za-z_][\w.-]{0,99}$`)
	urlTarget  = regexp.MustCompile(`url\(#([\w.-]+)\)`)
)

// attributes are what elements may have, with the values.
var attributes = func() map[string]*regexp.Regexp {
	all := map[string]*regexp.Regexp{
		"d": pathData, "points": manyNumber, "viewBox": manyNumber, "transform": transform, "gradientTransform": transform, "patternTransform": transform,
		"fill": paint, "stroke": paint, "stop-color": paint, "color": paint, "clip-path": reference, "mask": reference,
		"marker-start": reference, "marker-mid": reference, "marker-end": reference, "stroke-dasharray": regexp.MustCompile(`^(?:none|[\d.eE+,%\s-]*)$`),
		"id": name, "font-family": families, "orient": regexp.MustCompile(`^(?:auto|auto-start-reverse|` + number + `)$`),
		"preserveAspectRatio": regexp.MustCompile(`^[A-Za-z ]{1,40}$`), "version": regexp.MustCompile(`^1\.[012]$`),
	}
	for _, n := range words(`x y width height rx ry cx cy r x1 y1 x2 y2 fx fy fr dx dy rotate offset stroke-width stroke-opacity fill-opacity stop-opacity opacity
		stroke-miterlimit stroke-dashoffset font-size letter-spacing refX refY markerWidth markerHeight pathLength`) {
		all[n] = manyNumberUnit
	}
	for _, n := range words(`stroke-linecap stroke-linejoin fill-rule clip-rule text-anchor dominant-baseline alignment-baseline font-weight font-style
		gradientUnits patternUnits patternContentUnits spreadMethod maskUnits maskContentUnits clipPathUnits markerUnits visibility display overflow vector-effect paint-order mix-blend-mode`) {
		all[n] = wordOrNumber
	}
	return all
}()

var (
	manyNumberUnit = regexp.MustCompile(`^(?:` + number + `(?:px|%|em|pt)?[\s,]*)+$`)
	wordOrNumber   = regexp.MustCompile(`^(?:[A-Za-z][A-Za-z -]{0,40}|[1-9]00)$`)
)

func words(text string) []string { return strings.Fields(text) }

// Drawing is a rebuilt SVG document with its size in pixels.
type Drawing struct {
	Text          string
	Width, Height int
}

// RebuildSVG writes an SVG document again from the elements and attributes that are
// known to be harmless. Scripts, styles, links and references to other files are
// refused with a Problem; unknown attributes are left out.
func RebuildSVG(source []byte) (Drawing, error) {
	if len(source) > MaxSVG {
		return Drawing{}, problem("The SVG file has %d kB. Simplify it to at most %d kB, or use PNG.", len(source)>>10, MaxSVG>>10)
	}
	if !utf8.Valid(source) {
		return Drawing{}, problem("The SVG file is not UTF-8. Save it in UTF-8.")
	}
	r := &rebuilder{decoder: xml.NewDecoder(strings.NewReader(string(source))), edges: map[string][]string{}, weights: map[string]int{}}
	r.decoder.Strict = true
	if err := r.read(); err != nil {
		var known Problem
		if errors.As(err, &known) {
			return Drawing{}, err
		}
		return Drawing{}, problem("The SVG file is not valid XML: %v.", err)
	}
	if _, err := r.expansions("", map[string]bool{}, map[string]int{}); err != nil {
		return Drawing{}, err
	}
	return Drawing{Text: r.out.String(), Width: r.width, Height: r.height}, nil
}

type rebuilder struct {
	decoder       *xml.Decoder
	out           strings.Builder
	count         int
	width, height int
	ids           []string            // of the open elements, empty for those without
	edges         map[string][]string // from an id to the ids that its elements refer to
	weights       map[string]int      // elements within an id
}

func (r *rebuilder) read() error {
	for {
		token, err := r.decoder.Token()
		if errors.Is(err, io.EOF) {
			if r.count == 0 {
				return problem("The file is no SVG document. It must begin with <svg>.")
			}
			return nil
		}
		if err != nil {
			return err
		}
		switch t := token.(type) {
		case xml.Directive:
			return problem("Remove <!%s> from the SVG file.", firstWord(string(t)))
		case xml.ProcInst:
			if t.Target != "xml" || r.count > 0 {
				return problem("Remove <?%s?> from the SVG file.", t.Target)
			}
		case xml.StartElement:
			if t.Name.Local != "svg" || r.count > 0 {
				return problem("The document begins with <%s>. It must begin with <svg> and contain one drawing.", t.Name.Local)
			}
			if err := r.element(t, 1); err != nil {
				return err
			}
		}
	}
}

func firstWord(text string) string {
	if list := strings.Fields(text); len(list) > 0 && len(list[0]) < 20 {
		return list[0]
	}
	return "…"
}

func (r *rebuilder) element(e xml.StartElement, depth int) error {
	local := e.Name.Local
	if r.count++; r.count > maxElements || depth > maxDepth {
		return problem("The drawing is too large: at most %d elements, %d levels deep. Simplify it, or use PNG.", maxElements, maxDepth)
	}
	attrs, err := r.attributes(e)
	if err != nil {
		return err
	}
	r.out.WriteString("<" + local)
	if depth == 1 {
		r.out.WriteString(` xmlns="` + svgSpace + `"`)
		if err := r.measure(attrs); err != nil {
			return err
		}
	}
	id := ""
	for _, a := range attrs {
		r.out.WriteString(" " + a.Name.Local + `="` + escape(a.Value) + `"`)
		if a.Name.Local == "id" {
			id = a.Value
		}
	}
	r.ids = append(r.ids, id)
	r.refer(attrs)
	r.out.WriteString(">")
	err = r.within(local, depth)
	r.out.WriteString("</" + local + ">")
	r.ids = r.ids[:len(r.ids)-1]
	return err
}

func (r *rebuilder) within(parent string, depth int) error {
	for {
		token, err := r.decoder.Token()
		if err != nil {
			return err
		}
		switch t := token.(type) {
		case xml.EndElement:
			return nil
		case xml.Directive:
			return problem("Remove <!%s> from the SVG file.", firstWord(string(t)))
		case xml.ProcInst:
			return problem("Remove <?%s?> from the SVG file.", t.Target)
		case xml.CharData:
			if slices.Contains([]string{"text", "tspan", "title", "desc"}, parent) {
				r.out.WriteString(escape(string(t)))
			}
		case xml.StartElement:
			local := t.Name.Local
			foreign := t.Name.Space != "" && t.Name.Space != svgSpace
			switch {
			case harmful[local] != "":
				return problem("Remove <%s> from the SVG file: %s.", local, harmful[local])
			case foreign || slices.Contains(ignored, local):
				if err := r.decoder.Skip(); err != nil {
					return err
				}
			case !slices.Contains(drawing, local):
				return problem("Remove <%s> from the SVG file: it is not one of the accepted elements.", clip(local))
			default:
				if err := r.element(t, depth+1); err != nil {
					return err
				}
			}
		}
	}
}

func clip(text string) string {
	if len(text) > 40 {
		return text[:40] + "…"
	}
	return text
}

// attributes returns the harmless attributes of an element, with the declarations of
// its style as attributes of their own.
func (r *rebuilder) attributes(e xml.StartElement) (kept []xml.Attr, err error) {
	add := func(n, value string) {
		allowed := attributes[n]
		if allowed == nil || !allowed.MatchString(value) {
			return
		}
		kept = slices.DeleteFunc(kept, func(a xml.Attr) bool { return a.Name.Local == n })
		kept = append(kept, xml.Attr{Name: xml.Name{Local: n}, Value: value})
	}
	for _, a := range e.Attr {
		n, value := a.Name.Local, strings.TrimSpace(a.Value)
		switch {
		case strings.HasPrefix(strings.ToLower(n), "on") && a.Name.Space == "":
			return nil, problem("Remove the attribute %s from <%s>: it runs a program.", clip(n), e.Name.Local)
		case n == "href":
			target, local := strings.CutPrefix(value, "#")
			if !local || !name.MatchString(target) {
				return nil, problem("Remove the reference %q from <%s>: a drawing may refer to its own parts only.", clip(value), e.Name.Local)
			}
			kept = append(kept, xml.Attr{Name: xml.Name{Local: "href"}, Value: value})
		case n == "style":
			for declaration := range strings.SplitSeq(value, ";") {
				property, v, _ := strings.Cut(declaration, ":")
				add(strings.TrimSpace(property), strings.TrimSpace(v))
			}
		case a.Name.Space == "":
			add(n, value)
		}
	}
	return kept, nil
}

// refer records the references of an element for every id around it.
func (r *rebuilder) refer(attrs []xml.Attr) {
	around := []string{""} // the whole drawing
	for _, id := range r.ids {
		if id != "" {
			around = append(around, id)
		}
	}
	for _, id := range around {
		r.weights[id]++
		for _, a := range attrs {
			if target, ok := strings.CutPrefix(a.Value, "#"); ok && a.Name.Local == "href" {
				r.edges[id] = append(r.edges[id], target)
			}
			for _, m := range urlTarget.FindAllStringSubmatch(a.Value, -1) {
				r.edges[id] = append(r.edges[id], m[1])
			}
		}
	}
}

// expansions counts the elements of a part after its references are followed.
func (r *rebuilder) expansions(id string, open map[string]bool, known map[string]int) (int, error) {
	if n, ok := known[id]; ok {
		return n, nil
	}
	if open[id] {
		return 0, problem("The drawing refers to itself in a circle at #%s. Remove the reference.", clip(id))
	}
	open[id] = true
	total := r.weights[id]
	for _, target := range r.edges[id] {
		n, err := r.expansions(target, open, known)
		if err != nil {
			return 0, err
		}
		if total += n; total > maxExpansions {
			return 0, problem("The drawing repeats its parts too often. Use PNG.")
		}
	}
	delete(open, id)
	known[id] = total
	return total, nil
}

// measure finds the size of a drawing: its width and height, or the size of its
// viewBox.
func (r *rebuilder) measure(attrs []xml.Attr) error {
	get := func(n string) string {
		for _, a := range attrs {
			if a.Name.Local == n {
				return a.Value
			}
		}
		return ""
	}
	w, wErr := strconv.ParseFloat(strings.TrimSuffix(get("width"), "px"), 64)
	h, hErr := strconv.ParseFloat(strings.TrimSuffix(get("height"), "px"), 64)
	if wErr != nil || hErr != nil {
		box := strings.FieldsFunc(get("viewBox"), func(c rune) bool { return c == ' ' || c == ',' || c == '\n' || c == '\t' })
		if len(box) != 4 {
			return problem("Give the drawing a viewBox, for example viewBox=\"0 0 24 24\".")
		}
		w, wErr = strconv.ParseFloat(box[2], 64)
		h, hErr = strconv.ParseFloat(box[3], 64)
	}
	if wErr != nil || hErr != nil || !(w > 0 && h > 0) || w > 100_000 || h > 100_000 {
		return problem("The drawing has no valid size. Give it a viewBox, for example viewBox=\"0 0 24 24\".")
	}
	r.width, r.height = max(1, int(math.Round(w))), max(1, int(math.Round(h)))
	return nil
}

var escaper = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", `"`, "&quot;", "'", "&#39;")

// escape writes text for an element or an attribute.
func escape(text string) string {
	return escaper.Replace(strings.Map(func(c rune) rune {
		if c < ' ' && c != '\n' && c != '\t' || c == utf8.RuneError || c == 0xfffe || c == 0xffff {
			return -1
		}
		return c
	}, text))
}
