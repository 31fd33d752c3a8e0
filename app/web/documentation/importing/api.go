package importing

import (
	"encoding/hex"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/labstack/echo/v4"

	"heliograph/app/documentation/compare"
	rule "heliograph/app/documentation/importing"
	"heliograph/app/documentation/importing/finding"
	"heliograph/app/documentation/importing/prepare"
	"heliograph/app/fault"
	"heliograph/app/operation/limit"
	"heliograph/app/web/page"
	queries "heliograph/db/queries/documentation"
)

// APIPath is where programs bring documents in.
const APIPath = "/api/imports"

// The limits of programs: how many documents one token brings in, how often it asks,
// and how many wrong tokens come from one network.
var (
	startLimit = limit.Limit{Name: "import_start", Burst: 30, Period: time.Hour}
	askLimit   = limit.Limit{Name: "import_ask", Burst: 240, Period: time.Minute, Open: true}
	wrongLimit = limit.Limit{Name: "import_token", Burst: 20, Period: 15 * time.Minute}
)

// reported is an import as programs read it.
type reported struct {
	ID        int64             `json:"id"`
	State     string            `json:"state"`
	URL       string            `json:"url"` // of its page
	Product   string            `json:"product"`
	Version   string            `json:"version"`
	SHA256    string            `json:"sha256"`
	Progress  int               `json:"progress"`
	Error     string            `json:"error,omitempty"`
	Document  *document         `json:"document,omitempty"`
	Changes   *changed          `json:"changes,omitempty"`
	Breaking  []breaking        `json:"breaking,omitempty"`
	Findings  []finding.Finding `json:"findings,omitempty"`
	More      int               `json:"more_findings,omitempty"`
	ChangeSet *changeSet        `json:"change_set,omitempty"`
}

// document describes what was read.
type document struct {
	Format     string `json:"format"`
	Title      string `json:"title"`
	Version    string `json:"version"`
	Operations int    `json:"operations"`
	Schemas    int    `json:"schemas"`
}

// changed counts the operations by what would happen to them.
type changed struct {
	Added     int `json:"added"`
	Changed   int `json:"changed"`
	Removed   int `json:"removed"`
	Unchanged int `json:"unchanged"`
	Breaking  int `json:"breaking"` // changes that break clients
}

// breaking is a change that breaks clients.
type breaking struct {
	Method  string `json:"method"`
	Path    string `json:"path"`
	Message string `json:"message"`
	Place   string `json:"place,omitempty"`
}

type changeSet struct {
	ID  int64  `json:"id"`
	URL string `json:"url"`
}

// Program authenticates the program that sent a request. Wrong tokens count for the
// network that they come from.
func (h *Handlers) Program(c echo.Context) (rule.Program, error) {
	ctx, network := c.Request().Context(), limit.Client(c.RealIP())
	scheme, token, _ := strings.Cut(c.Request().Header.Get("Authorization"), " ")
	if !strings.EqualFold(scheme, "Bearer") {
		token = ""
	}
	p, err := h.Rule.Tokens.Authenticate(ctx, strings.TrimSpace(token))
	if fault.Is(err, fault.Unauthenticated) {
		if limited := h.Limiter.Take(ctx, wrongLimit, network); limited != nil {
			return p, limited
		}
		c.Response().Header().Set("WWW-Authenticate", `Bearer realm="imports"`)
	}
	if err != nil {
		return p, err
	}
	return p, h.Limiter.Take(ctx, askLimit, tokenKey(p))
}

func tokenKey(p rule.Program) string { return "import_token:" + strconv.FormatInt(p.Token.ID, 10) }

// APIStart brings the body of a request in.
func (h *Handlers) APIStart(c echo.Context, p rule.Program) error {
	ctx := c.Request().Context()
	if err := h.Limiter.Take(ctx, startLimit, tokenKey(p)); err != nil {
		return err
	}
	data, err := io.ReadAll(io.LimitReader(c.Request().Body, rule.MaxBytes+1))
	var tooLarge *http.MaxBytesError
	switch {
	case errors.As(err, &tooLarge) || len(data) > rule.MaxBytes:
		return fault.New(fault.TooLarge, "The document is over %d MiB. Split it into smaller documents.", rule.MaxBytes>>20)
	case err != nil:
		return fault.New(fault.Invalid, "Only a part of the document arrived. Send it again.")
	}
	id, err := h.Rule.StartFor(ctx, p, c.QueryParam("name"), c.QueryParam("version"), data)
	if err != nil {
		return err
	}
	c.Response().Header().Set("Location", h.PublicURL+APIPath+"/"+strconv.FormatInt(id, 10))
	return h.report(c, http.StatusAccepted, p, id)
}

// APIShow reports an import.
func (h *Handlers) APIShow(c echo.Context, p rule.Program) error {
	id, err := page.ID(c)
	if err != nil {
		return err
	}
	return h.report(c, http.StatusOK, p, id)
}

// APIAccept makes a change set of everything that an import changes.
func (h *Handlers) APIAccept(c echo.Context, p rule.Program) error {
	id, err := page.ID(c)
	if err != nil {
		return err
	}
	if _, err := h.Rule.Found(c.Request().Context(), p, id); err != nil {
		return err
	}
	if _, err := h.Rule.Accept(c.Request().Context(), p.Actor, id, nil); err != nil {
		return err
	}
	return h.report(c, http.StatusOK, p, id)
}

// report writes an import of the product of a token.
func (h *Handlers) report(c echo.Context, status int, p rule.Program, id int64) error {
	ctx := c.Request().Context()
	i, err := h.Rule.Found(ctx, p, id)
	if err != nil {
		return err
	}
	r := reported{
		ID: i.ID, State: i.State, URL: h.PublicURL + importPath(i.ID), Product: i.ProductSlug, Version: i.VersionSlug,
		SHA256: hex.EncodeToString(i.SHA256), Progress: i.Progress, Error: i.Error,
	}
	if i.ChangeSetID != 0 {
		r.ChangeSet = &changeSet{i.ChangeSetID, h.PublicURL + setPath(i.ChangeSetID)}
	}
	if i.Format != "" {
		r.Document = &document{i.Format + " " + i.FormatVersion, i.Title, i.TitleVersion, i.Operations, i.Schemas}
		r.Changes = &changed{i.Added, i.Changed, i.Removed, i.Unchanged, i.Breaking}
		rawFindings, rawPlan, err := queries.ImportDetails(ctx, h.DB, i.ID)
		if err != nil {
			return err
		}
		var plan prepare.Plan
		if err := errors.Join(json.Unmarshal(rawFindings, &r.Findings), json.Unmarshal(rawPlan, &plan)); err != nil {
			return err
		}
		r.Breaking, r.More = breakingOf(plan), plan.More
	}
	page.NoStore(c.Response().Header())
	return page.JSON(c, status, "application/json", r)
}

// breakingOf lists the changes of a plan that break clients.
func breakingOf(plan prepare.Plan) (list []breaking) {
	for _, o := range plan.Operations {
		switch o.Class {
		case compare.Removed:
			list = append(list, breaking{o.Method, o.Path, "The operation is removed.", ""})
		case compare.Changed:
			for _, change := range o.Changes {
				if change.Level == compare.Breaking {
					list = append(list, breaking{o.Method, o.Path, change.Title, change.Place})
				}
			}
		}
	}
	return list
}

func setPath(id int64) string { return "/admin/drafts_and_reviews/" + strconv.FormatInt(id, 10) }
