package theme

import (
	"cmp"
	"net/url"

	"github.com/labstack/echo/v4"

	rule "heliograph/app/operation/theme"
	"heliograph/app/web/page"
	view "heliograph/views/operation/theme"
	"heliograph/views/ui"
)

// historyLength is how many revisions a page lists.
const historyLength = 50

// render shows the page of a surface, or a region of it.
func (h *Handlers) render(c echo.Context, status int, e edit, region ui.Region) error {
	path := address(e.surface)
	p := view.EditPage{
		Frame: page.AdministrationFrame(c, names[e.surface], Path), Action: path, Lead: leads[e.surface],
		Problem: e.problems.Form, Export: path + "/export", Reset: path + "/reset", Import: path + "/import",
		File: ui.Input{Name: "file", Label: "Import a theme", Hint: "A JSON file that was exported here. Colours that cannot be read are refused.", Error: e.problems.Fields["file"]},
	}
	p.Up, p.Done = ui.Link{Label: "Themes", Href: Path}, done[c.QueryParam("done")]
	var err error
	if p.State, err = stateOf(c, h.Themes, e.surface, e.draft); err != nil {
		return err
	}
	p.Presets = append(p.Presets, view.Preset{Name: "default", Label: "Heliograph", Summary: "The default theme.", Palette: palette(rule.Document{})})
	for _, preset := range rule.Presets {
		p.Presets = append(p.Presets, view.Preset{Name: preset.Name, Label: preset.Label, Summary: preset.Summary, Palette: palette(preset.Document)})
	}
	p.Groups = e.groups()
	choices, err := pictureChoices(c.Request().Context(), h.Gallery)
	if err != nil {
		return err
	}
	e.fields(&p, choices)
	for _, group := range p.Groups {
		for _, color := range group.Colors {
			for _, f := range color.Fields {
				if f.Error != "" {
					p.Invalid = append(p.Invalid, ui.Input{Name: f.Name, Error: f.Label + ": " + f.Error})
				}
			}
		}
	}
	p.Trial = h.trial(e, p.State, p.Invalid)
	if p.History, err = historyOf(c, h.Themes, e.surface); err != nil {
		return err
	}
	return page.Render(c, status, page.View{Frame: p.Page, Body: view.Edit(p), Region: region})
}

// groups returns the colours of the form.
func (e edit) groups() (groups []view.Group) {
	for _, title := range rule.Groups {
		group := view.Group{Title: title, Open: title == rule.Groups[0] || title == rule.Groups[1]}
		for _, v := range rule.Variables {
			if v.Group != title {
				continue
			}
			color := view.Color{Label: v.Label, Token: v.Name}
			for _, s := range rule.Schemes {
				f := view.ColorField{
					Name: string(s) + "." + v.Name, Label: v.Label + ", " + string(s), Value: e.document.Light[v.Name],
					Default: rule.Document{}.Color(s, v.Name),
				}
				if s == rule.Dark {
					f.Value = e.document.Dark[v.Name]
				}
				f.Shown, f.Error = f.Default, e.problems.Fields[f.Name]
				if c, err := rule.ParseColor(f.Value); err == nil {
					f.Shown = c.Hex()
				}
				group.Open = group.Open || f.Error != ""
				color.Fields = append(color.Fields, f)
			}
			group.Colors = append(group.Colors, color)
		}
		groups = append(groups, group)
	}
	return groups
}

// fields fills in the fields that are no colours. choices are pictures of the gallery.
func (e edit) fields(p *view.EditPage, choices []ui.Option) {
	d, wrong := e.document, e.problems.Fields
	p.Radius = ui.Input{Name: "radius", Label: "Corner radius (pixels)", Value: d.Radius, Placeholder: itoa(rule.DefaultRadius), InputMode: "numeric", Error: wrong["radius"]}
	for _, s := range []struct {
		name, label, value string
		choices            []rule.Choice
	}{{"density", "Density", d.Density, rule.Densities}, {"text", "Typeface of text", d.Text, rule.TextFaces}, {"mono", "Typeface of code", d.Mono, rule.MonoFaces}} {
		field := ui.Select{Name: s.name, Label: s.label, Value: s.value, Error: wrong[s.name]}
		for _, choice := range s.choices {
			field.Options = append(field.Options, ui.Option{Value: choice.Value, Label: choice.Label})
		}
		p.Selects = append(p.Selects, field)
	}
	p.Name = ui.Input{Name: "name", Label: "Name", Value: d.Brand.Name, Placeholder: "Heliograph", Error: wrong["name"]}
	for _, f := range pictures(&d.Brand) {
		field := view.PictureField{Name: f.name, Label: f.label, Hint: f.hint, Error: wrong[f.name], Value: *f.value, Dark: f.dark}
		if *f.value != "" {
			field.Address = rule.PicturePrefix + url.PathEscape(*f.value)
		}
		if len(choices) > 0 {
			field.Gallery = ui.Select{Name: f.name + "_gallery", Label: "Or from the gallery", Options: append([]ui.Option{{Label: "None"}}, choices...)}
		}
		p.Picture = append(p.Picture, field)
	}
	const hint = "One on each line: a label, a space and an address, such as Status https://status.example.com."
	p.Links = []ui.TextArea{
		{Name: "links", Label: "Links of the header", Value: e.links[0], Hint: hint, Rows: 3, Mono: true, Error: wrong["links"]},
		{Name: "footer_links", Label: "Links of the footer", Value: e.links[1], Hint: hint, Rows: 3, Mono: true, Error: wrong["footer_links"]},
	}
	p.Footer = ui.Input{Name: "footer", Label: "Sentence of the footer", Value: d.Brand.Footer, Error: wrong["footer"]}
	for _, in := range append([]ui.Input{p.Radius, p.Name, p.Footer}, p.Links[0].Input(), p.Links[1].Input()) {
		if in.Error != "" {
			p.Invalid = append(p.Invalid, in)
		}
	}
	for _, f := range p.Picture {
		if f.Error != "" {
			p.Invalid = append(p.Invalid, ui.Input{Name: f.Name, Error: f.Label + ": " + f.Error})
		}
	}
}

// trial returns the preview, and what keeps the draft from being saved.
func (h *Handlers) trial(e edit, state view.State, invalid []ui.Input) view.Trial {
	path := address(e.surface)
	t := view.Trial{Live: path + "/live", Version: itoa(e.draft.Version), State: state, Pages: h.pages(e.surface, e.of)}
	for _, problem := range e.offers {
		t.Offers = append(t.Offers, view.Offer{Field: problem.Field(), Text: labelOf[problem.Scheme] + ": " + problem.Message(), Value: problem.Offer})
	}
	if len(t.Offers) == 0 {
		if e.problems.Form != "" {
			t.Refused = append(t.Refused, e.problems.Form)
		}
		labelled := map[string]string{}
		for _, in := range invalid {
			labelled[in.Name] = in.Error
		}
		for _, name := range sortedNames(e.problems.Fields) {
			t.Refused = append(t.Refused, cmp.Or(labelled[name], e.problems.Fields[name]))
		}
	}
	for _, s := range rule.Schemes {
		query := url.Values{"of": {t.Pages.Value}, "scheme": {string(s)}, "draft": {cmp.Or(e.draft.Hash, "default") + "." + t.Version}}
		t.Frames = append(t.Frames, view.TrialFrame{Title: labelOf[s], Address: path + "/preview?" + query.Encode()})
	}
	return t
}

var labelOf = map[rule.Scheme]string{rule.Light: "Light", rule.Dark: "Dark"}

// historyOf lists the revisions of a surface.
func historyOf(c echo.Context, themes *rule.Themes, s rule.Surface) (t ui.Table, err error) {
	t = ui.Table{Caption: "Revisions", Quiet: true, Columns: []ui.Column{
		{Label: "Revision", Numeric: true}, {Label: "Colours"}, {Label: "Published", Lead: true}, {Label: "By"}, {Label: "How"}, {Label: "Action"},
	}}
	list, err := themes.History(c.Request().Context(), s, historyLength)
	if err != nil {
		return t, err
	}
	for i, r := range list {
		action := ui.Cell{Text: "Shown now", Badge: true, Tone: ui.Good}
		if i > 0 {
			action = ui.Cell{Text: "Restore", Href: address(s) + "/revisions/" + itoa(r.Number)}
		}
		t.Rows = append(t.Rows, []ui.Cell{
			{Text: itoa(r.Number)}, {Body: view.Strip(palette(r.Document))}, {Text: stamp(r.CreatedAt)},
			{Text: cmp.Or(r.Author, "A deleted administrator")}, {Text: cmp.Or(r.Origin, "Published")}, action,
		})
	}
	return t, nil
}
