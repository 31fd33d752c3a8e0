package card

import (
	"bytes"
	"fmt"
	"image"
	"image/color"
	"image/draw"
	"image/png"

	"golang.org/x/image/font"
	"golang.org/x/image/math/fixed"
)

// The colours of the dark theme.
var (
	ink   = color.RGBA{0x0d, 0x12, 0x20, 0xff}
	paper = color.RGBA{0xef, 0xf2, 0xfb, 0xff}
	soft  = color.RGBA{0xae, 0xb4, 0xc9, 0xff}
	light = color.RGBA{0xf9, 0xb2, 0x33, 0xff}

	methods = map[string]color.RGBA{
		"GET": {0x9f, 0xd0, 0xfa, 0xff}, "POST": {0x8f, 0xe8, 0xa4, 0xff}, "PUT": {0xc7, 0xa9, 0xff, 0xff},
		"PATCH": {0xf6, 0xd2, 0x8b, 0xff}, "DELETE": {0xff, 0x9c, 0x94, 0xff},
	}
)

// Places of the drawing, in pixels. Texts stand between the header and the last
// line, which has method and path.
const (
	margin     = 80
	inside     = cardWidth - 2*margin
	productTop = 206 // baselines
	titleTop   = 284
	lastLine   = 552
	summaryEnd = 500
	requestEnd = 470 // of summaries above a request

	summaryLine = 44 // from one line to the next
)

// canvas is a picture under way. The first error ends the drawing.
type canvas struct {
	*image.RGBA
	err error
}

// drawPicture returns the picture as PNG. The time that it takes and the size of the
// result are bounded, whatever the texts are.
func drawPicture(c Card) ([]byte, error) {
	p := &canvas{RGBA: image.NewRGBA(image.Rect(0, 0, cardWidth, cardHeight))}
	draw.Draw(p, p.Bounds(), image.NewUniform(ink), image.Point{}, draw.Src)
	p.header(c.Site)
	p.product(shorten(c.Product))
	below := p.title(shorten(c.Title))
	end := summaryEnd
	if c.Path != "" && covers(c.Path) {
		p.request(c.Method, shorten(c.Path))
		end = requestEnd
	}
	if covers(c.Summary) {
		p.summary(shorten(c.Summary), below, end)
	}
	if p.err != nil {
		return nil, p.err
	}
	var out bytes.Buffer
	if err := png.Encode(&out, p); err != nil {
		return nil, fmt.Errorf("encoding a card: %w", err)
	}
	return out.Bytes(), nil
}

func (p *canvas) product(name string) {
	f := p.face(bold, 32)
	if p.err == nil {
		p.line(f, light, image.Pt(margin, productTop), cut(f, name, inside))
	}
}

// title draws the title in two large lines or three smaller ones and returns the
// baseline of the text below.
func (p *canvas) title(text string) (below int) {
	top, line := titleTop+6, 78
	f := p.face(bold, 68)
	if p.err != nil {
		return 0
	}
	lines := wrap(f, text, inside, 3)
	if len(lines) > 2 {
		top, line = titleTop, 60
		if f = p.face(bold, 50); p.err != nil {
			return 0
		}
		lines = wrap(f, text, inside, 3)
	}
	for i, words := range lines {
		p.line(f, paper, image.Pt(margin, top+i*line), words)
	}
	return top + (len(lines)-1)*line + 64
}

// summary draws as many lines of a text as there is room for.
func (p *canvas) summary(text string, top, end int) {
	f := p.face(regular, 32)
	if p.err != nil || top > end {
		return
	}
	for i, words := range wrap(f, text, inside, 1+(end-top)/summaryLine) {
		p.line(f, soft, image.Pt(margin, top+i*summaryLine), words)
	}
}

// request draws the method in its colour and the path.
func (p *canvas) request(method, path string) {
	f := p.face(mono, 32)
	if p.err != nil {
		return
	}
	hue, known := methods[method]
	if !known {
		hue = soft
	}
	p.line(f, hue, image.Pt(margin, lastLine), method)
	left := margin
	if method != "" {
		left += font.MeasureString(f, method+" ").Ceil()
	}
	p.line(f, paper, image.Pt(left, lastLine), cut(f, path, cardWidth-margin-left))
}

func (p *canvas) face(name face, size float64) font.Face {
	f, err := newFace(name, size)
	if p.err == nil {
		p.err = err
	}
	return f
}

// line draws one line of text with its baseline at a point.
func (p *canvas) line(f font.Face, c color.Color, at image.Point, text string) {
	if p.err != nil {
		return
	}
	pen := font.Drawer{Dst: p, Src: image.NewUniform(c), Face: f, Dot: fixed.P(at.X, at.Y)}
	pen.DrawString(text)
}
