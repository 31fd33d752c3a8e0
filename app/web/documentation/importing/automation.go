package importing

import (
	"net/http"
	"strconv"

	"github.com/labstack/echo/v4"

	rule "heliograph/app/documentation/importing"
	"heliograph/app/people/identity"
	"heliograph/app/web/documentation/desk"
	"heliograph/app/web/page"
	"heliograph/db/models"
	queries "heliograph/db/queries/documentation"
	view "heliograph/views/documentation/importing"
	"heliograph/views/ui"
)

const (
	automation  = Path + "/automation"
	watchesPath = automation + "/watches"
	tokensPath  = automation + "/tokens"
)

// automationForm holds the fields of the form.
type automationForm struct {
	Product int64  `form:"product"`
	Address string `form:"address"`
	Version string `form:"version"`
	Hours   int    `form:"hours"`
}

// automated is what the page shows besides its lists.
type automated struct {
	watch    automationForm
	token    tokenForm
	wrong    ui.Region // the form that is shown again, empty for none
	problems *page.Problems
	status   int
}

// of returns the problems of a form.
func (a automated) of(form ui.Region) *page.Problems {
	if a.problems == nil || a.wrong != form {
		return &page.Problems{}
	}
	return a.problems
}

// Automation shows the watched addresses and the tokens of programs.
func (h *Handlers) Automation(c echo.Context) error {
	return h.renderAutomation(c, automated{status: http.StatusOK})
}

// Watch watches an address.
func (h *Handlers) Watch(c echo.Context, f automationForm) error {
	_, err := h.Rule.Watches.Add(c.Request().Context(), desk.Actor(c), models.ImportWatched{Address: f.Address, ProductID: f.Product, VersionSlug: f.Version, EveryHours: f.Hours})
	if err != nil {
		return page.Again(c, err, func(status int, problems *page.Problems) error {
			return h.renderAutomation(c, automated{watch: f, wrong: view.WatchRegion, problems: problems, status: status})
		})
	}
	return page.Done(c, automation, "watched")
}

// Unwatch ends watching an address.
func (h *Handlers) Unwatch(c echo.Context, id int64) error {
	if err := h.Rule.Watches.Remove(c.Request().Context(), desk.Actor(c), id); err != nil {
		return err
	}
	return page.Done(c, automation, "unwatched")
}

func (h *Handlers) renderAutomation(c echo.Context, a automated) error {
	ctx := c.Request().Context()
	user := page.User(c)
	mine := user.ID
	if user.Role == identity.SuperAdmin {
		mine = 0
	}
	watches, err := queries.ImportWatchList(ctx, h.DB, mine)
	if err != nil {
		return err
	}
	products, err := h.products(ctx, c)
	if err != nil {
		return err
	}
	if len(products) > 1 && products[0].Value == newProduct {
		products = products[1:]
	}
	tokens, err := queries.ImportTokenList(ctx, h.DB, mine)
	if err != nil {
		return err
	}
	p := view.AutomationPage{Frame: frame(c, "Watched addresses and tokens")}
	p.Up, p.Done = ui.Link{Label: "Imports", Href: Path}, done[c.QueryParam("done")]
	p.Watches, p.Tokens = watchTable(p.CSRF, watches), tokenTable(p.CSRF, tokens)
	if token := h.revealed(c); token != "" {
		p.Created = ui.Code{Text: token, Title: "The new token"}
	}
	p.Command = ui.Code{Text: "export HELIOGRAPH_TOKEN=…\nheliograph import --url " + h.PublicURL + " --version 1.0 --accept openapi.yaml", Language: "bash", Title: "Shell"}
	says := a.of(view.WatchRegion)
	p.Watch = view.WatchForm{
		Action: watchesPath, CSRF: p.CSRF, Problem: says.Form,
		Product: ui.Select{Name: "product", Label: "Product", Options: products, Value: strconv.FormatInt(a.watch.Product, 10), Error: says.Fields["product"]},
		Address: ui.Input{Name: "address", Label: "Address of the document", Value: a.watch.Address, Error: says.Fields["address"], InputMode: "url", Placeholder: "https://", Required: true},
		Version: ui.Input{Name: "version", Label: "Version", Value: a.watch.Version, Error: says.Fields["version"], Placeholder: "1.0", Required: true},
		Hours:   ui.Select{Name: "hours", Label: "Read it", Value: strconv.Itoa(a.watch.Hours), Options: hours(), Error: says.Fields["hours"]},
	}
	says = a.of(view.TokenRegion)
	p.Token = view.TokenForm{
		Action: tokensPath, CSRF: p.CSRF, Problem: says.Form,
		Name:    ui.Input{Name: "program", Label: "Program", Value: a.token.Name, Error: says.Fields["program"], Placeholder: "Pipeline of the orders API", Required: true},
		Product: ui.Select{Name: "into", Label: "Product of the token", Options: products, Value: strconv.FormatInt(a.token.Product, 10), Error: says.Fields["into"]},
		Days:    ui.Select{Name: "days", Label: "It works for", Value: strconv.Itoa(a.token.Days), Options: days(), Error: says.Fields["days"]},
	}
	return page.Render(c, a.status, page.View{Frame: p.Page, Body: view.Automation(p), Region: a.wrong})
}

func hours() (list []ui.Option) {
	words := map[int]string{1: "Every hour", 6: "Every 6 hours", 24: "Every day", 168: "Every week"}
	for _, n := range rule.WatchHours {
		list = append(list, ui.Option{Value: strconv.Itoa(n), Label: words[n]})
	}
	return list
}

func watchTable(csrf string, list []models.ImportWatched) ui.Table {
	t := ui.Table{
		Caption: "Watched addresses", Quiet: true,
		Columns: []ui.Column{{Label: "Address", Lead: true}, {Label: "Goes into"}, {Label: "Read last"}, {Label: "Outcome", Plain: true}, {Label: "By"}, {Label: "Action"}},
	}
	for _, w := range list {
		last := ui.Cell{Text: "Not yet"}
		if w.LastAt != nil {
			last = when(*w.LastAt)
		}
		t.Rows = append(t.Rows, []ui.Cell{
			{Text: rule.Masked(w.Address), Mono: true}, {Text: w.ProductSlug + " " + w.VersionSlug}, last, {Text: w.LastOutcome}, {Text: w.CreatorName},
			{Body: ui.PostButton(ui.Post{Action: watchesPath + "/" + strconv.FormatInt(w.ID, 10) + "/removal", CSRF: csrf, Label: "Remove", Object: rule.Masked(w.Address), Small: true})},
		})
	}
	return t
}
