package tutor

import (
	"cmp"
	"net/http"
	"strconv"
	"strings"

	"github.com/labstack/echo/v4"

	"heliograph/app/documentation/editorial/outline"
	"heliograph/app/documentation/published"
	rule "heliograph/app/documentation/tutor"
	"heliograph/app/fault"
	"heliograph/app/web/page"
	"heliograph/views/layout"
	"heliograph/views/ui"
)

const (
	products = "/admin/products"
	sets     = "/admin/drafts_and_reviews"
	preview  = sets + "/:id/items/:item/preview"
)

func plain(id int64) string { return strconv.FormatInt(id, 10) }

// address is where a control is. It ends in the anchor of the control, which the page
// marks.
func address(p *rule.Progress) string {
	set, product := sets+"/"+plain(p.SetID), products+"/"+plain(p.ProductID)
	switch p.Action.Target {
	case rule.ToProducts:
		return products + "#list"
	case rule.ToGuide:
		return product + "/items/" + plain(p.GuideID) + "#field-text"
	case rule.ToEndpoint:
		endpoint := product + "/items/" + plain(p.EndpointID)
		if name := p.Example(); name != "" {
			return endpoint + "#field-" + outline.ID(name)
		}
		return endpoint + "#item"
	case rule.ToDraft:
		return set + "#item-" + plain(p.GuideID)
	case rule.ToSubmit:
		return set + "#form-submit"
	case rule.ToAnswer:
		return set + "#thread-" + plain(p.ThreadID)
	case rule.ToApprove, rule.ToPublish:
		return set + "#review"
	case rule.ToLive:
		return Path + "/live/productguide/" + p.ProductSlug + "/" + p.GuideSlug
	case rule.ToHistory:
		return product + "/items/" + plain(p.GuideID) + "/history/1#restore"
	}
	return Path
}

// label names the place of a control.
func label(to rule.Target) string {
	return map[rule.Target]string{
		rule.ToProducts: "Go to the products", rule.ToGuide: "Go to the guide", rule.ToEndpoint: "Go to the endpoint", rule.ToDraft: "Go to the change set",
		rule.ToSubmit: "Go to the form", rule.ToAnswer: "Go to the comment", rule.ToApprove: "Go to the button", rule.ToPublish: "Go to the button",
		rule.ToLive: "See it live", rule.ToHistory: "Go to revision 1",
	}[to]
}

// Accompany shows the next step on the pages of the practice product, on its change sets,
// and on the lists that lead there. What somebody does on these pages is noted, whether
// the steps are shown or not.
func (h *Handlers) Accompany(next echo.HandlerFunc) echo.HandlerFunc {
	return func(c echo.Context) error {
		if page.IsLive(c) {
			return next(c)
		}
		ctx, user := c.Request().Context(), page.User(c)
		p, err := rule.Read(ctx, h.DB, user.ID)
		if err != nil || p == nil {
			return orElse(err, func() error { return next(c) })
		}
		at := c.Path()
		if !p.Found && strings.HasPrefix(at, products+"/:id") && c.Param("id") == plain(p.ProductID) {
			if err := rule.Note(ctx, h.DB, user.ID, rule.Found); err != nil {
				return err
			}
			if p, err = rule.Read(ctx, h.DB, user.ID); err != nil {
				return err
			}
		}
		if p != nil && !p.Paused && isAbout(c, p) {
			page.SetTutor(c, strip(c, p))
		}
		// Noted before the page is sent, so that the next page knows of it.
		var noted error
		if p != nil && at == preview && c.Param("id") == plain(p.SetID) {
			c.Response().Before(func() {
				if c.Response().Status == http.StatusOK {
					noted = rule.Note(ctx, h.DB, user.ID, rule.Previewed)
				}
			})
		}
		return cmp.Or(next(c), noted)
	}
}

func orElse(err error, do func() error) error {
	if err != nil {
		return err
	}
	return do()
}

// isAbout reports whether a page has to do with the practice product.
func isAbout(c echo.Context, p *rule.Progress) bool {
	switch at, id := c.Path(), c.Param("id"); {
	case at == products || at == sets:
		return true
	case strings.HasPrefix(at, products+"/:id"):
		return id == plain(p.ProductID)
	case strings.HasPrefix(at, sets+"/:id"):
		return id == plain(p.SetID)
	}
	return false
}

func strip(c echo.Context, p *rule.Progress) *layout.Tutor {
	t := &layout.Tutor{All: ui.Link{Label: "Editor tutor", Href: Path}}
	token := page.Token(c)
	away := ui.Post{Action: Path + "/pause", CSRF: token, Label: "Put away", Small: true}
	if p.IsFinished() {
		t.Place, t.Title, t.Text = strconv.Itoa(p.Done())+" of "+strconv.Itoa(len(p.Steps))+" done", "You are through", "Go on practising, or start again from the page of the tutor."
		t.Posts = []ui.Post{away}
		return t
	}
	s := p.Steps[p.Next]
	t.Place, t.Title, t.Text = "Step "+strconv.Itoa(p.Next+1)+" of "+strconv.Itoa(len(p.Steps)), s.Title, p.Action.Text
	t.Posts = []ui.Post{{Action: Path + "/steps/" + s.Name + "/skip", CSRF: token, Label: "Skip", Object: "this step", Small: true}, away}
	if p.Action.Target != rule.ToTutor {
		t.Next = ui.Link{Label: label(p.Action.Target), Href: address(p)}
	}
	return t
}

// Live shows a page of the practice product as readers would see it.
func (h *Handlers) Live(c echo.Context) error {
	ctx, r := c.Request().Context(), c.Request()
	p, err := rule.Read(ctx, h.DB, page.User(c).ID)
	if err != nil {
		return err
	}
	path := "/" + strings.TrimPrefix(c.Param("*"), "/")
	nothing := fault.New(fault.NotFound, "Your practice product has no such page.")
	if p == nil || !strings.HasPrefix(path+"/", "/docs/"+p.ProductSlug+"/") && !strings.HasPrefix(path+"/", "/productguide/"+p.ProductSlug+"/") {
		return nothing
	}
	now, err := h.Documentation.Practice(ctx, p.AdminUserID)
	if err != nil {
		return err
	}
	v, err := h.Reader(r, now, path)
	if f := fault.As(err); f != nil && f.Kind == fault.NotFound || published.IsBroken(err) {
		return nothing
	}
	if err != nil {
		return err
	}
	if p.Published && r.Method != http.MethodHead {
		if err := rule.Note(ctx, h.DB, p.AdminUserID, rule.Seen); err != nil {
			return err
		}
	}
	v.Frame.Style = "css/area.css" // has the style of the notice
	v.Frame.Practice = ui.Link{Label: "Back to the tutor", Href: Path}
	return page.Render(c, http.StatusOK, v)
}
