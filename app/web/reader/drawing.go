package reader

import (
	"github.com/a-h/templ"

	"heliograph/app/documentation/content"
	"heliograph/views/ui"
)

// newDrawing rebuilds the icon of a product. One that was stored before a rule was
// made shows nothing.
func newDrawing(svg string) ui.Drawing {
	icon, err := content.ReadIcon(svg)
	if err != nil {
		return ui.Drawing{}
	}
	return ui.Drawing{ViewBox: icon.ViewBox, Shapes: newShapes(icon.Shapes)}
}

func newShapes(list []content.Shape) (shapes []ui.Shape) {
	for _, s := range list {
		attributes := templ.Attributes{}
		for name, value := range s.Attributes {
			attributes[name] = value
		}
		shapes = append(shapes, ui.Shape{Name: s.Name, Attributes: attributes, Shapes: newShapes(s.Shapes)})
	}
	return shapes
}
