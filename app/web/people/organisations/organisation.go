package organisations

import (
	"cmp"
	"net/http"
	"net/url"
	"strconv"
	"time"

	"github.com/labstack/echo/v4"

	"heliograph/app/fault"
	"heliograph/app/people/identity"
	"heliograph/app/web/listing"
	"heliograph/app/web/page"
	"heliograph/db/models"
	channelsqueries "heliograph/db/queries/channels"
	queries "heliograph/db/queries/people"
	"heliograph/views/forms"
	view "heliograph/views/people/organisations"
	"heliograph/views/ui"
)

// usageDays is the number of days of usage that the page of an organisation shows.
const usageDays = 14

// Show shows one organisation.
func (h *Handlers) Show(c echo.Context, id int64) error {
	return h.renderOrganisation(c, http.StatusOK, id, &page.Problems{})
}

// activation is the form that activates or deactivates an organisation.
type activation struct {
	Active bool   `form:"active"`
	Reason string `form:"reason"`
}

// SetActive activates or deactivates an organisation.
func (h *Handlers) SetActive(c echo.Context, id int64) error {
	var form activation
	if err := page.Bind(c, &form); err != nil {
		return err
	}
	err := h.Administrators.SetOrganisationActive(c.Request().Context(), page.User(c), id, form.Active, form.Reason)
	if err != nil {
		return page.Again(c, err, func(status int, problems *page.Problems) error { return h.renderOrganisation(c, status, id, problems) })
	}
	done := map[bool]string{true: "active", false: "inactive"}[form.Active]
	return page.Done(c, page.OrganisationsPath+"/"+listing.Plain(id), done)
}

func (h *Handlers) renderOrganisation(c echo.Context, status int, id int64, problems *page.Problems) error {
	ctx, now := c.Request().Context(), time.Now()
	o, err := h.organisationEntry(c, id)
	if err != nil {
		return err
	}
	members, err := queries.OrganisationMemberList(ctx, h.DB, id)
	if err != nil {
		return err
	}
	keys, err := queries.OrganisationKeyList(ctx, h.DB, id)
	if err != nil {
		return err
	}
	webhooks, err := queries.OrganisationWebhookList(ctx, h.DB, id)
	if err != nil {
		return err
	}
	usage, _, err := channelsqueries.UsageList(ctx, h.DB, id, now.UTC().Truncate(24*time.Hour).AddDate(0, 0, 1-usageDays))
	if err != nil {
		return err
	}
	p := view.OrganisationPage{
		Frame: page.AdministrationFrame(c, o.Name, page.OrganisationsPath), Region: ui.Details.Of(listing.Plain(id)), Facts: organisationFacts(o, now),
		Users: memberTable(members, h.linkPosts(c, id, members), now), Keys: keyTable(keys, now), Webhooks: webhookTable(webhooks, now), Usage: usageTable(usage),
	}
	p.Up = ui.Link{Label: "Organisations", Href: page.OrganisationsPath}
	p.Done = map[string]string{
		"added": "The organisation is added, and its owner gets an email with a link that sets a password. Now give it numbers and accounts.",
		"link":  "The email with the link is on its way.", "active": "The organisation is active.", "inactive": "The organisation is deactivated. Its sessions have ended, and its API keys no longer work.",
	}[c.QueryParam("done")]
	if page.WantsFragment(c) && page.Target(c) == p.Region {
		p.Links = []ui.Link{{Label: "Users, keys and usage", Href: page.OrganisationsPath + "/" + listing.Plain(id)}}
	}
	p.Links = append(p.Links, ui.Link{Label: "Numbers and accounts", Href: organisationAssetsPath(id)}, ui.Link{Label: "SMS", Href: organisationSMSPath(id)})
	if page.User(c).Role == identity.SuperAdmin {
		p.Change = activationForm(o, p.CSRF, problems)
		p.Links = append(p.Links, ui.Link{Label: "Audit entries", Href: page.Address(page.AuditPath, page.Query("target", identity.OrganisationActor(id)))})
	}
	return page.Render(c, status, page.View{Frame: p.Page, Body: view.Organisation(p), Region: page.Current(status)})
}

func activationForm(o models.OrganisationEntry, csrf string, problems *page.Problems) forms.Form {
	f := forms.Form{
		Name: "activation", Action: page.OrganisationsPath + "/" + listing.Plain(o.ID) + "/activation", CSRF: csrf, Problem: problems.Form,
		Submit: "Activate the organisation", Quiet: true, Hidden: []ui.Pair{{Key: "active", Value: "true"}},
		Inputs: []ui.Input{{Name: "reason", Label: "Reason", Required: true, Hint: "The reason is stored in the audit.", Error: problems.Fields["reason"]}},
	}
	if o.Status == "active" {
		f.Submit, f.Danger, f.Hidden[0].Value = "Deactivate the organisation", true, "false"
		f.Inputs[0].Hint = "Its sessions end and its API keys stop working immediately. The reason is stored in the audit."
	}
	return f
}

func organisationFacts(o models.OrganisationEntry, now time.Time) []ui.Pair {
	kind := "Live"
	if o.Sandbox {
		kind = "Sandbox"
	}
	return []ui.Pair{
		{Key: "ID", Value: listing.Plain(o.ID), Mono: true}, {Key: "Status", Value: organisationStatus(o.Status).Text}, {Key: "Kind", Value: kind},
		{Key: "Number verified", Value: verified(o.VerifiedAt, now).Text}, {Key: "Registered", Value: ui.Moment(o.CreatedAt).Text + " UTC"},
		{Key: "Last sign-in", Value: listing.Lately(o.LastSignInAt, now).Text},
	}
}

// SendLink sends a user of an organisation a link that sets a new password.
func (h *Handlers) SendLink(c echo.Context, id int64) error {
	user, err := strconv.ParseInt(c.Param("user"), 10, 64)
	if err != nil {
		return fault.New(fault.NotFound, "This user does not exist.")
	}
	if err := h.Administrators.SendUserLink(c.Request().Context(), page.User(c), id, user); err != nil {
		return err
	}
	return page.Done(c, page.OrganisationsPath+"/"+listing.Plain(id), "link")
}

// linkPosts returns, by user, the buttons that send active users a link to set a
// new password. Super Admins alone have them.
func (h *Handlers) linkPosts(c echo.Context, organisation int64, members []models.OrganisationMember) map[int64]ui.Post {
	posts := map[int64]ui.Post{}
	for _, m := range members {
		if m.Active && page.User(c).Role == identity.SuperAdmin {
			path := page.OrganisationsPath + "/" + listing.Plain(organisation) + "/users/" + listing.Plain(m.ID) + "/link"
			posts[m.ID] = ui.Post{Action: path, CSRF: page.Token(c), Label: "Send a password link", Object: "to " + m.Email, Small: true}
		}
	}
	return posts
}

func memberTable(members []models.OrganisationMember, links map[int64]ui.Post, now time.Time) ui.Table {
	t := ui.Table{Caption: "Users", Quiet: true, Columns: []ui.Column{{Label: "Email"}, {Label: "Name"}, {Label: "Mobile"}, {Label: "Role"}, {Label: "State"}, {Label: "Last sign-in"}}}
	if len(links) > 0 {
		t.Columns = append(t.Columns, ui.Column{Label: "Recovery", Plain: true})
	}
	for _, m := range members {
		state := ui.Cell{Text: "Inactive", Badge: true}
		if m.Active {
			state = ui.Cell{Text: "Active", Badge: true, Tone: ui.Good}
		}
		row := []ui.Cell{{Text: m.Email}, {Text: m.Name}, {Text: m.Mobile, Mono: true}, {Text: page.Roles[m.Role]}, state, listing.Lately(m.LastSignInAt, now)}
		if post, ok := links[m.ID]; ok {
			row = append(row, ui.Cell{Body: ui.PostButton(post)})
		} else if len(links) > 0 {
			row = append(row, ui.Cell{})
		}
		t.Rows = append(t.Rows, row)
	}
	return t
}

func keyTable(keys []models.OrganisationKey, now time.Time) ui.Table {
	t := ui.Table{Caption: "API keys", Quiet: true, Columns: []ui.Column{{Label: "Name"}, {Label: "Begins with"}, {Label: "Channels"}, {Label: "State"}, {Label: "Created (UTC)"}, {Label: "Last used"}}}
	for _, k := range keys {
		state := ui.Cell{Text: "Active", Badge: true, Tone: ui.Good}
		if k.RevokedAt != nil {
			state = ui.Cell{Text: "Revoked", Badge: true, Title: listing.Ago(*k.RevokedAt, now)}
		}
		t.Rows = append(t.Rows, []ui.Cell{{Text: k.Name}, {Text: k.Prefix, Mono: true}, {Text: ui.LabelsOf(listing.Channels, k.Channels)}, state, ui.Moment(k.CreatedAt), listing.Lately(k.LastUsedAt, now)})
	}
	return t
}

func webhookTable(webhooks []models.OrganisationWebhook, now time.Time) ui.Table {
	t := ui.Table{Caption: "Webhooks", Quiet: true, Columns: []ui.Column{{Label: "Number"}, {Label: "Channel"}, {Label: "Host"}, {Label: "State"}, {Label: "Since"}, {Label: "Failures in a row", Numeric: true}, {Label: "Last answer", Plain: true}}}
	for _, w := range webhooks {
		state, since := ui.Cell{Text: "Works", Badge: true, Tone: ui.Good}, ui.Cell{Text: "–"}
		switch {
		case w.DisabledAt != nil:
			state, since = ui.Cell{Text: "Disabled", Badge: true, Tone: ui.Bad}, listing.Lately(w.DisabledAt, now)
		case w.FailingSince != nil:
			state, since = ui.Cell{Text: "Failing", Badge: true, Tone: ui.Warn}, listing.Lately(w.FailingSince, now)
		}
		host := ui.Cell{Text: "–"}
		if u, err := url.Parse(w.URL); err == nil {
			host.Text = u.Host
		}
		t.Rows = append(t.Rows, []ui.Cell{{Text: w.Subject, Mono: true}, {Text: ui.LabelOf(listing.Channels, w.Channel)}, host, state, since, {Text: listing.Number(w.Failures)}, {Text: listing.Clip(cmp.Or(w.Answer, "–"), listing.ShortError)}})
	}
	return t
}

func usageTable(usage []models.Usage) ui.Table {
	t := ui.Table{
		Caption: "Usage of the last two weeks", Quiet: true,
		Columns: []ui.Column{{Label: "Day (UTC)"}, {Label: "Channel"}, {Label: "Messages", Numeric: true}, {Label: "Delivered", Numeric: true}, {Label: "Failed", Numeric: true}},
	}
	for i := len(usage) - 1; i >= 0; i-- {
		u := usage[i]
		t.Rows = append(t.Rows, []ui.Cell{
			{Text: u.Day.UTC().Format("Mon 2 Jan 2006")}, {Text: ui.LabelOf(listing.Channels, u.Channel)}, {Text: listing.Number(u.Messages)}, {Text: listing.Number(u.Delivered)}, {Text: listing.Number(u.Failed)},
		})
	}
	return t
}
