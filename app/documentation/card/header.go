package card

import (
	"image"
	"image/color"

	"golang.org/x/image/vector"
)

// site is the name of the portal beside its mark.
const site = "Heliograph"

// kappa places the control points of a curve that stands for a quarter of a circle.
const kappa = 0.5523

// header draws the mark with the name and, at the right edge, the word in short and
// long flashes. A portal with a name of its own has that name alone.
func (p *canvas) header(name string) {
	const top, height = 62, 60
	if name != "" {
		p.line(p.face(bold, 42), paper, image.Pt(margin, top+45), name)
		return
	}
	const unit = height / 20.0
	p.pill(paper, box{margin, top, 6 * unit, height})
	p.pill(paper, box{margin + 12*unit, top, 6 * unit, height})
	p.pill(light, box{margin + 6.5*unit, top + 7.5*unit, 5 * unit, 5 * unit})
	p.line(p.face(bold, 42), paper, image.Pt(margin+82, top+45), site)
	p.flashes(light, cardWidth-margin, top+height/2)
}

// box is a rectangle in pixels.
type box struct{ left, top, width, height float32 }

// flashes draws the first letters of the name in Morse code, the last flash at the
// right edge.
func (p *canvas) flashes(c color.Color, right, middle int) {
	const dot, gap = 10, 8
	left := float32(right)
	for _, flash := range "--- .. ..-. . ...." { // from the right
		switch flash {
		case ' ':
			left -= 2 * gap
			continue
		case '-':
			left -= 3 * dot
			p.pill(c, box{left, float32(middle - dot/2), 3 * dot, dot})
		default:
			left -= dot
			p.pill(c, box{left, float32(middle - dot/2), dot, dot})
		}
		left -= gap
	}
}

// pill fills a rectangle with half circles as short sides.
func (p *canvas) pill(c color.Color, b box) {
	area := image.Rect(int(b.left), int(b.top), int(b.left+b.width)+1, int(b.top+b.height)+1)
	r := min(b.width, b.height) / 2
	k := r * (1 - kappa)
	x0, y0 := b.left-float32(area.Min.X), b.top-float32(area.Min.Y)
	x1, y1 := x0+b.width, y0+b.height
	shape := vector.NewRasterizer(area.Dx(), area.Dy())
	shape.MoveTo(x0+r, y0)
	shape.LineTo(x1-r, y0)
	shape.CubeTo(x1-k, y0, x1, y0+k, x1, y0+r)
	shape.LineTo(x1, y1-r)
	shape.CubeTo(x1, y1-k, x1-k, y1, x1-r, y1)
	shape.LineTo(x0+r, y1)
	shape.CubeTo(x0+k, y1, x0, y1-k, x0, y1-r)
	shape.LineTo(x0, y0+r)
	shape.CubeTo(x0, y0+k, x0+k, y0, x0+r, y0)
	shape.ClosePath()
	shape.Draw(p, area, image.NewUniform(c), image.Point{})
}
