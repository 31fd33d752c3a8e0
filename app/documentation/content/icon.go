package content

import (
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"heliograph/app/lists"
)

// Icon is the drawing of a product, rebuilt from a small part of SVG 1.1: shapes and
// groups of them in one colour. It has no script, style, text, link or reference.
type Icon struct {
	ViewBox string
	Shapes  []Shape
}

// Shape is an element of an Icon: g, path, rect, circle, ellipse, line, polyline or
// polygon.
type Shape struct {
	Name       string
	Attributes map[string]string
	Shapes     []Shape // of a g
}

// What an icon may be at most.
const (
	maxIconBytes  = 8 << 10
	maxIconShapes = 100
	maxIconDepth  = 6
)

const iconNumber = `[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?`

var (
	iconLength    = regexp.MustCompile(`^` + iconNumber + `(?:px)?$`)
	iconNumbers   = regexp.MustCompile(`^\s*` + iconNumber + `(?:[\s,]*` + iconNumber + `)*\s*$`)
	iconPath      = regexp.MustCompile(`^[MmZzLlHhVvCcSsQqTtAa\d.eE+,\s-]+$`)
	iconTransform = regexp.MustCompile(`^\s*(?:(?:translate|scale|rotate|skewX|skewY|matrix)\([\d.eE+,\s-]+\)[\s,]*)+$`)
	// iconInk matches the colours that stand for the only one.
	iconInk = regexp.MustCompile(`^(?i:currentcolor|black|#000|#000000)$`)
)

// iconAttributes are the attributes of all shapes, with their values.
var iconAttributes = map[string]*regexp.Regexp{
	"stroke-width": iconLength, "opacity": iconLength, "fill-opacity": iconLength, "stroke-opacity": iconLength, "stroke-miterlimit": iconLength,
	"stroke-linecap": regexp.MustCompile(`^(butt|round|square)$`), "stroke-linejoin": regexp.MustCompile(`^(miter|round|bevel)$`),
	"fill-rule": regexp.MustCompile(`^(nonzero|evenodd)$`), "transform": iconTransform,
}

// iconShapes are the shapes with the attributes that they have besides.
var iconShapes = map[string]map[string]*regexp.Regexp{
	"g":        {},
	"path":     {"d": iconPath},
	"rect":     lengths("x", "y", "width", "height", "rx", "ry"),
	"circle":   lengths("cx", "cy", "r"),
	"ellipse":  lengths("cx", "cy", "rx", "ry"),
	"line":     lengths("x1", "y1", "x2", "y2"),
	"polyline": {"points": iconNumbers},
	"polygon":  {"points": iconNumbers},
}

func lengths(names ...string) map[string]*regexp.Regexp {
	all := lists.Pairs(names, func(name string) (string, *regexp.Regexp) { return name, iconLength })
	return all
}

// iconNotes are elements without a drawing. They are left out with what they contain.
var iconNotes = []string{"title", "desc", "metadata"}

// ReadIcon rebuilds the drawing of an SVG document. The error says what to change.
// Attributes that draw nothing, such as ids, are left out.
func ReadIcon(text string) (Icon, error) {
	if len(text) > maxIconBytes {
		return Icon{}, fmt.Errorf("the icon has %d bytes: draw it with at most %d", len(text), maxIconBytes)
	}
	r := iconReader{decoder: xml.NewDecoder(strings.NewReader(text))}
	for {
		token, err := r.decoder.Token()
		if errors.Is(err, io.EOF) {
			return Icon{}, errors.New("this is no SVG document: begin with <svg>")
		}
		if err != nil {
			return Icon{}, fmt.Errorf("this is no SVG document: %w", err)
		}
		switch t := token.(type) {
		case xml.Directive:
			return Icon{}, errors.New("remove <!DOCTYPE>")
		case xml.StartElement:
			return r.root(t)
		}
	}
}

type iconReader struct {
	decoder *xml.Decoder
	count   int
}

func (r *iconReader) root(e xml.StartElement) (icon Icon, err error) {
	if e.Name.Local != "svg" {
		return icon, fmt.Errorf("the document begins with <%s>: begin with <svg>", e.Name.Local)
	}
	for _, a := range e.Attr {
		if a.Name.Local == "viewBox" {
			icon.ViewBox = strings.Join(strings.FieldsFunc(a.Value, func(c rune) bool { return c == ' ' || c == ',' }), " ")
		}
	}
	if err := checkViewBox(icon.ViewBox); err != nil {
		return icon, err
	}
	whole := Shape{Name: "g"}
	if whole.Attributes, err = attributes("g", e.Attr); err != nil {
		return icon, err
	}
	if whole.Shapes, err = r.within(1); err != nil {
		return icon, err
	}
	if r.count == 0 {
		return icon, errors.New("the icon draws nothing: add a path or another shape")
	}
	if icon.Shapes = whole.Shapes; len(whole.Attributes) > 0 {
		icon.Shapes = []Shape{whole}
	}
	for {
		switch token, err := r.decoder.Token(); t := token.(type) {
		case nil:
			if errors.Is(err, io.EOF) {
				return icon, nil
			}
			return icon, fmt.Errorf("this is no SVG document: %w", err)
		case xml.StartElement:
			return icon, fmt.Errorf("remove <%s> after the drawing", t.Name.Local)
		}
	}
}

// checkViewBox wants four numbers, of a drawing that is about as wide as high.
func checkViewBox(box string) error {
	var n [4]float64
	parts := strings.Fields(box)
	for i, part := range parts {
		f, err := strconv.ParseFloat(part, 64)
		if err != nil || i >= len(n) || !iconLength.MatchString(part) {
			return fmt.Errorf("the viewBox %q is none: write four numbers, for example 0 0 24 24", box)
		}
		n[i] = f
	}
	if len(parts) != len(n) || n[2] <= 0 || n[3] <= 0 {
		return errors.New("give the drawing a viewBox, for example 0 0 24 24")
	}
	if ratio := n[2] / n[3]; ratio > 2 || ratio < 0.5 {
		return errors.New("the drawing is more than twice as long as wide: draw it in a square, for example 0 0 24 24")
	}
	return nil
}

// within reads the shapes up to the end of their parent.
func (r *iconReader) within(depth int) (list []Shape, err error) {
	if depth > maxIconDepth {
		return nil, fmt.Errorf("groups are within each other more than %d times: draw it with fewer", maxIconDepth)
	}
	for {
		token, err := r.decoder.Token()
		if err != nil {
			return nil, fmt.Errorf("this is no SVG document: %w", err)
		}
		switch t := token.(type) {
		case xml.EndElement:
			return list, nil
		case xml.StartElement:
			if slices.Contains(iconNotes, t.Name.Local) {
				if err := r.decoder.Skip(); err != nil {
					return nil, fmt.Errorf("this is no SVG document: %w", err)
				}
				continue
			}
			s, err := r.shape(t, depth)
			if err != nil {
				return nil, err
			}
			list = append(list, s)
		}
	}
}

func (r *iconReader) shape(e xml.StartElement, depth int) (s Shape, err error) {
	s.Name = e.Name.Local
	if iconShapes[s.Name] == nil {
		return s, fmt.Errorf("remove <%s>: an icon has only path, rect, circle, ellipse, line, polyline, polygon and g", s.Name)
	}
	if s.Name != "g" {
		r.count++
	}
	if r.count > maxIconShapes {
		return s, fmt.Errorf("the icon has more than %d shapes: draw it with fewer", maxIconShapes)
	}
	if s.Attributes, err = attributes(s.Name, e.Attr); err != nil {
		return s, err
	}
	s.Shapes, err = r.within(depth + 1)
	if err == nil && len(s.Shapes) > 0 && s.Name != "g" {
		err = fmt.Errorf("a <%s> contains a <%s>: draw them one after the other", s.Name, s.Shapes[0].Name)
	}
	return s, err
}

// attributes returns those that draw, and refuses those that act or refer.
func attributes(shape string, list []xml.Attr) (map[string]string, error) {
	kept := map[string]string{}
	for _, a := range list {
		name, value := a.Name.Local, strings.TrimSpace(a.Value)
		allowed := iconAttributes[name]
		if own := iconShapes[shape][name]; own != nil {
			allowed = own
		}
		switch {
		case strings.HasPrefix(strings.ToLower(name), "on"), name == "href":
			return nil, fmt.Errorf("remove the attribute %s", name)
		case name == "style":
			return nil, errors.New("write fill and stroke as attributes in place of style")
		case name == "fill", name == "stroke":
			if value != "none" && !iconInk.MatchString(value) {
				return nil, fmt.Errorf("draw it in one colour: write currentColor or none in place of %s %q", name, value)
			}
			if value != "none" {
				value = "currentColor"
			}
			kept[name] = value
		case allowed == nil: // draws nothing
		case !allowed.MatchString(value):
			return nil, fmt.Errorf("the value of %s in <%s> is none: write numbers", name, shape)
		default:
			kept[name] = value
		}
	}
	return kept, nil
}
