package admin

import (
	"cmp"
	"strings"

	"github.com/google/uuid"
	"github.com/labstack/echo/v4"

	"heliograph/app/web/page"
	"heliograph/db"
	"heliograph/db/models"
	"heliograph/db/queries"
	view "heliograph/views/admin"
	"heliograph/views/ui"
)

// tried completes the form that sends a test: with what is wrong with the one
// that was just sent, or with what came of the one that the address names.
func (d *Delivery) tried(c echo.Context, t *view.Trial, refused *page.Problems) error {
	if refused != nil {
		t.To.Value, t.To.Error = c.Request().PostFormValue("to"), cmp.Or(refused.Fields["to"], refused.Form)
		return nil
	}
	id, err := uuid.Parse(c.QueryParam(trialParameter))
	if err != nil {
		return nil // the address names none
	}
	to, attempt, err := queries.NotificationTrialGet(c.Request().Context(), d.handlers.DB, id, d.kind)
	if err != nil && !db.IsNoRows(err) {
		return err
	}
	if err == nil {
		t.To.Value = to
		outcome(t, attempt)
	}
	return nil
}

// unanswered says what happened where a provider did not answer, after its
// name, and what to do about it.
var unanswered = map[string]struct{ before, after, remedy string }{
	models.FaultAddress:     {"", " cannot be reached", "It leads to no address that this system may call. Check its spelling; a server within your own network has to be named in MAIL_NETWORKS."},
	models.FaultRefused:     {"No connection to ", "", "Nothing listens there, or a firewall turned the connection away. Check host and port."},
	models.FaultTimeout:     {"No answer from ", "", "Nothing came in time. Check host and port, and whether a firewall lets this system through. A message would be tried again until it expires."},
	models.FaultCertificate: {"No secure connection to ", "", "Its certificate was not accepted. It must be for this name, in date, and sent with its whole chain."},
	models.FaultTLS:         {"No secure connection to ", "", "TLS could not be agreed on. Check that port and security fit each other, such as 587 with STARTTLS and 465 with TLS."},
	models.FaultBroken:      {"The connection to ", " broke off", "It was closed, or spoke another protocol. Check that the port is the right one."},
	models.FaultUnsuited:    {"", " lacks what the settings ask for", "The last line names what is missing. Check security, and user name and password."},
	models.FaultMessage:     {"Nothing was sent to ", "", "The message could not be written. The last line says why."},
}

// outcome puts into words what came of a test.
func outcome(t *view.Trial, a models.NotificationAttempt) {
	t.Answer, t.Label, t.Tone = a.Answer, "What the provider answered:", ui.Bad
	if why, ok := unanswered[a.Fault]; ok {
		t.Label, t.Title, t.Remedy = "What happened:", why.before+a.Provider+why.after, why.remedy
		return
	}
	switch {
	case a.Provider == models.VirtualProvider:
		t.Tone, t.Title, t.Label, t.Answer = ui.Good, "Taken by "+a.Provider, "", ""
		t.Remedy, t.Next = "Nothing left this system.", ui.Link{Label: "Read it in the inbox", Href: inboxPath}
	case a.Outcome == models.OutcomeAccepted:
		t.Tone, t.Title = ui.Good, "Accepted by "+a.Provider
	case a.Outcome == models.OutcomeUnavailable:
		t.Tone, t.Title = ui.Warn, a.Provider+" cannot take messages now"
		t.Remedy = "It answered, and did not refuse for good. A message would be tried again until it expires."
	default:
		t.Title, t.Remedy = "Refused by "+a.Provider, refusal(a.Answer)
	}
}

// refusal says what to look at after an answer by which a provider refused for
// good: a status of HTTP or a reply of SMTP.
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
		return "It does not know who is asking. Check the key, or user name and password."
	case "301", "302", "303", "307", "308", "404", "405", "410":
		return "It takes no messages at this address. Check the URL."
	case "550", "551", "553", "554":
		return "It does not take this letter. Check the recipient, and that you may send from this address."
	}
	return "A message would not be tried again. The answer says what to change."
}
