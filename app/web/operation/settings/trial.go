package settings

import (
	"cmp"
	"strings"

	"github.com/google/uuid"
	"github.com/labstack/echo/v4"

	"heliograph/app/web/page"
	"heliograph/db"
	"heliograph/db/models"
	peoplequeries "heliograph/db/queries/people"
	view "heliograph/views/operation/settings"
	"heliograph/views/ui"
)

// tried completes the form that sends a test with the problems of the test that
// was refused, or with the result of the last one.
func (s *Sending) tried(c echo.Context, t *view.Trial, form sent) error {
	if form.test != nil {
		t.To.Value, t.To.Error = c.Request().PostFormValue("to"), cmp.Or(form.test.Fields["to"], form.test.Form)
		return nil
	}
	id, err := uuid.Parse(cmp.Or(form.testID, c.QueryParam(trialParameter)))
	if err != nil {
		return nil // no test was sent
	}
	to, attempt, err := peoplequeries.NotificationTrialGet(c.Request().Context(), s.handlers.DB, id, s.kind)
	if err != nil && !db.IsNoRows(err) {
		return err
	}
	if err == nil {
		t.To.Value = to
		outcome(t, attempt)
	}
	return nil
}

// unanswered holds the texts about a provider that did not answer: the words
// before and after its name, and the remedy.
var unanswered = map[string]struct{ before, after, remedy string }{
	models.FaultAddress:     {"", " cannot be reached", "The name resolves to no address that this system may call. Check its spelling. A server in your own network must be listed in MAIL_NETWORKS."},
	models.FaultRefused:     {"No connection to ", "", "No server listens there, or a firewall blocks the connection. Check host and port."},
	models.FaultTimeout:     {"No answer from ", "", "The server did not answer in time. Check host and port, and that a firewall allows the connection. A message would be tried again until it expires."},
	models.FaultCertificate: {"No secure connection to ", "", "The certificate was not accepted. It must match this name, be valid today, and come with its whole chain."},
	models.FaultTLS:         {"No secure connection to ", "", "TLS could not be negotiated. Check that port and security match, such as 587 with STARTTLS and 465 with TLS."},
	models.FaultBroken:      {"The connection to ", " broke off", "The server closed it or speaks another protocol. Check the port."},
	models.FaultUnsuited:    {"", " lacks a feature that the settings need", "The last line names the feature. Check security, user name and password."},
	models.FaultMessage:     {"Nothing was sent to ", "", "The message could not be written. The last line says why."},
}

// outcome describes the result of a test.
func outcome(t *view.Trial, a models.NotificationAttempt) {
	t.Answer, t.Label, t.Tone = a.Answer, "Answer of the provider:", ui.Bad
	if why, ok := unanswered[a.Fault]; ok {
		t.Label, t.Title, t.Remedy = "What happened:", why.before+a.Provider+why.after, why.remedy
		return
	}
	switch {
	case a.Provider == models.VirtualProvider:
		t.Tone, t.Title, t.Label, t.Answer = ui.Good, "Taken by "+a.Provider, "", ""
		t.Remedy, t.Next = "The message did not leave this system.", ui.Link{Label: "Read it in the inbox", Href: page.InboxPath}
	case a.Outcome == models.OutcomeAccepted:
		t.Tone, t.Title = ui.Good, "Accepted by "+a.Provider
	case a.Outcome == models.OutcomeUnavailable:
		t.Tone, t.Title = ui.Warn, a.Provider+" cannot take messages now"
		t.Remedy = "The provider refused for now. A message would be tried again until it expires."
	default:
		t.Title, t.Remedy = "Refused by "+a.Provider, refusal(a.Answer)
	}
}

// refusal returns the remedy for an answer by which a provider refused for good:
// a status of HTTP or a reply of SMTP.
func refusal(answer string) string {
	last := answer[strings.LastIndex(answer, "\nS: ")+1:]
	status := ""
	for _, text := range []string{answer, last} {
		if fields := strings.Fields(text); len(fields) > 1 && (strings.HasPrefix(fields[0], "HTTP/") || fields[0] == "S:") {
			status = fields[1]
		}
	}
	switch status {
	case "401", "403", "530", "534", "535":
		return "The credentials are wrong. Check the API key, or user name and password."
	case "301", "302", "303", "307", "308", "404", "405", "410":
		return "The provider accepts no messages at this address. Check the URL."
	case "550", "551", "553", "554":
		return "The provider does not accept this email. Check the recipient, and that you may send from this address."
	}
	return "A message would not be tried again. The answer explains the problem."
}
