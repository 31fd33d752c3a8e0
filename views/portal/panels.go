package portal

import (
	"strconv"

	"heliograph/views/ui"
)

func bodyPanels(list []Body) []ui.Panel {
	panels := make([]ui.Panel, len(list))
	for i, b := range list {
		panels[i] = ui.Panel{ID: b.ID, Label: b.ContentType, Body: body(b, false)}
	}
	return panels
}

func variantPanels(list []Variant) []ui.Panel {
	panels := make([]ui.Panel, len(list))
	for i, v := range list {
		panels[i] = ui.Panel{ID: v.ID, Label: v.Label, Body: whole(v.Form)}
	}
	return panels
}

// samplePanels makes one tab for each call.
func samplePanels(list []Sample) []ui.Panel {
	panels := make([]ui.Panel, len(list))
	for i, s := range list {
		panels[i] = ui.Panel{ID: "sample-" + strconv.Itoa(i+1), Label: s.Label, Body: sample(s), Example: s.Example, With: s.With, Status: s.Status}
	}
	return panels
}

// examplePanels makes one tab for each response that has examples.
func examplePanels(list []Response) (panels []ui.Panel) {
	for _, r := range list {
		if len(r.Examples) > 0 {
			panels = append(panels, ui.Panel{
				ID:    r.exampleID(),
				Label: r.Status,
				Tone:  ui.StatusTone(r.Status),
				Body:  examples(r),
				With:  []string{r.id()},
			})
		}
	}
	return panels
}

// exampleChoices makes one panel for each example of a response.
func exampleChoices(r Response) []ui.Panel {
	panels := make([]ui.Panel, len(r.Examples))
	for i, e := range r.Examples {
		panels[i] = ui.Panel{ID: r.exampleID() + "-" + strconv.Itoa(i+1), Label: e.Title, Body: ui.CodeBlock(e)}
	}
	return panels
}

// responsePanels makes one tab for each status, chosen together with the examples
// of the status.
func responsePanels(list []Response) []ui.Panel {
	panels := make([]ui.Panel, len(list))
	for i, r := range list {
		panels[i] = ui.Panel{ID: r.id(), Label: r.Status, Tone: ui.StatusTone(r.Status), Body: response(r)}
		if len(r.Examples) > 0 {
			panels[i].With = []string{r.exampleID()}
		}
	}
	return panels
}

// childMore returns the number of folded values of an enumeration.
func childMore(n int) string { return strconv.Itoa(n) + " more" }
