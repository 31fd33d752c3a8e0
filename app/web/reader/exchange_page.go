package reader

import (
	"net/url"
	"path"
	"strings"

	"heliograph/app/documentation/openapi/model"
	"heliograph/app/documentation/openapi/sample"
	views "heliograph/views/reader"
	"heliograph/views/ui"
)

// addExchange adds the call and the response of a choice to the page of an operation,
// with links to the others.
func addExchange(s *site, endpoint *views.EndpointPage, e *model.Endpoint, x exchange, c choice) {
	kept := c.kept(e.Servers)
	endpoint.Calls = views.Chooser{Label: "Request example", Name: exampleName, Action: path.Base(endpoint.Path), Kept: kept}
	if e.Callback {
		endpoint.Calls.Label = "Payload example"
	}
	for _, other := range x.calls {
		endpoint.Calls.Options = append(endpoint.Calls.Options, ui.Option{Value: other.name, Label: other.label})
	}
	if len(x.calls) > 0 {
		chosen := x.calls[c.call]
		endpoint.Calls.Value = chosen.name
		endpoint.Sample = views.Sample{Code: codeOf(s, e, c, chosen)}
		if !e.Callback {
			endpoint.Sample.Replace = replacements(e, endpoint.Sample.Code.Text)
		}
	}
	addAnswer(s, endpoint, x, c, kept)
	addExamples(&endpoint.Nav, x)
}

// codeOf writes a call.
func codeOf(s *site, e *model.Endpoint, c choice, chosen call) ui.Code {
	if e.Callback {
		return chosen.code
	}
	if chosen.cause == nil {
		return sampleOf(s, e, c, chosen.body)
	}
	l := languages[c.language]
	text, _ := sample.WriteCause(e, s.texts.Base(e, c.server), l.Slug, chosen.cause)
	return ui.Code{Title: l.Title, Quiet: l.Title == l.Name, Language: l.Syntax, Text: text}
}

// addAnswer adds the response that a choice shows. A link to another status keeps the
// call, unless that one gets an error.
func addAnswer(s *site, endpoint *views.EndpointPage, x exchange, c choice, kept []views.Kept) {
	at := x.answered(c)
	if at < 0 {
		return
	}
	if len(x.calls) > 0 && c.call > 0 && x.calls[c.call].cause == nil {
		kept = append(kept, views.Kept{Name: exampleName, Value: x.calls[c.call].name})
	}
	endpoint.Answer = x.answers[at].code
	endpoint.Answers = views.Chooser{Label: "Response example", Name: statusName, Value: x.answers[at].name, Action: endpoint.Calls.Action, Kept: kept}
	for _, a := range x.answers {
		status := strings.ToLower(a.status)
		if n := len(endpoint.Statuses); n == 0 || endpoint.Statuses[n-1].Label != a.status {
			href := "?" + statusName + "=" + status + queryOf(kept)
			endpoint.Statuses = append(endpoint.Statuses, views.Status{Tone: ui.StatusTone(a.status), Link: ui.Link{Label: a.status, Href: href, Current: a.status == x.answers[at].status}})
		}
		if a.status == x.answers[at].status {
			endpoint.Answers.Options = append(endpoint.Answers.Options, ui.Option{Value: a.name, Label: a.code.Title})
		}
	}
}

// kept returns language and server where they are not the first ones, for addresses
// with other choices.
func (c choice) kept(servers []model.Server) (list []views.Kept) {
	if c.language > 0 {
		list = append(list, views.Kept{Name: langName, Value: languages[c.language].Slug})
	}
	if c.server > 0 {
		list = append(list, views.Kept{Name: serverName, Value: servers[c.server].Slug})
	}
	return list
}

// queryOf returns parameters as the rest of the query of an address.
func queryOf(list []views.Kept) (text string) {
	for _, k := range list {
		text += "&" + k.Name + "=" + url.QueryEscape(k.Value)
	}
	return text
}

// keptBy returns the call and the response of a choice as the rest of a query.
func (x *exchange) keptBy(c choice) (list []views.Kept) {
	if c.call > 0 {
		list = append(list, views.Kept{Name: exampleName, Value: x.calls[c.call].name})
	}
	if c.answer > 0 {
		list = append(list, views.Kept{Name: statusName, Value: x.answers[c.answer-1].name})
	}
	return list
}

// panels returns what choosing a part of the reference shows beside it: the address of
// the first call that has it, or of its status, by the id of its panel; and the panels
// that belong to a choice.
func (x *exchange) panels(c choice) (hrefs map[string]string, open []string) {
	hrefs = map[string]string{}
	for i := len(x.calls) - 1; i >= 0 && len(x.calls) > 1; i-- {
		for _, id := range x.calls[i].shown {
			hrefs[id] = "?" + exampleName + "=" + url.QueryEscape(x.calls[i].name)
		}
	}
	for _, a := range x.answers {
		status := strings.ToLower(a.status)
		hrefs["response-"+status] = "?" + statusName + "=" + status
	}
	if len(x.calls) > 0 {
		open = append(open, x.calls[c.call].shown...)
	}
	if at := x.answered(c); at >= 0 {
		open = append(open, "response-"+strings.ToLower(x.answers[at].status))
	}
	return hrefs, open
}
