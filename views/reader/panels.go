package reader

import (
	"strconv"

	"heliograph/views/ui"
)

// panel returns a tab. Choosing it shows what belongs to it among the samples too.
func panel(id, label string, p Panel) ui.Panel {
	tab := ui.Panel{ID: id, Label: label, Open: p.Open || p.Asked}
	if p.Href != "" {
		tab.Choice = chooses()
		tab.Choice["hx-get"], tab.Choice["hx-trigger"] = p.Href, "click delay:"+ui.Painted
	}
	return tab
}

func bodyPanels(list []Body) []ui.Panel {
	panels := make([]ui.Panel, len(list))
	for i, b := range list {
		panels[i] = panel(b.ID, b.ContentType, b.Panel)
		panels[i].Body = body(b, false)
	}
	return asked(panels, func(i int) Panel { return list[i].Panel })
}

func variantPanels(list []Variant) []ui.Panel {
	panels := make([]ui.Panel, len(list))
	for i, v := range list {
		panels[i] = panel(v.ID, v.Label, v.Panel)
		panels[i].Body = whole(v.Form)
	}
	return asked(panels, func(i int) Panel { return list[i].Panel })
}

// responsePanels makes one tab for each status.
func responsePanels(list []Response) []ui.Panel {
	panels := make([]ui.Panel, len(list))
	for i, r := range list {
		panels[i] = panel(r.id(), r.Status, r.Panel)
		panels[i].Body, panels[i].Tone = response(r), ui.StatusTone(r.Status)
		if r.Panel.Href != "" {
			panels[i].Choice["hx-include"] = "#calls [name=example]"
		}
	}
	return asked(panels, func(i int) Panel { return list[i].Panel })
}

// asked opens the panel that the address names in place of the one that belongs to
// the sample.
func asked(panels []ui.Panel, at func(i int) Panel) []ui.Panel {
	for i := range panels {
		if !at(i).Asked {
			continue
		}
		for j := range panels {
			panels[j].Open = j == i
		}
		break
	}
	return panels
}

// childMore returns the number of folded values of an enumeration.
func childMore(n int) string { return strconv.Itoa(n) + " more" }
