package simulate

import (
	"heliograph/app/channels/pipeline"
	rule "heliograph/app/channels/simulate"
	"heliograph/app/lists"
	views "heliograph/views/channels/simulate"
	"heliograph/views/ui"
)

// outcomeGroups are the parts of the choice of what follows.
var outcomeGroups = []struct{ kind, label string }{
	{pipeline.FollowsState, "Its state"}, {pipeline.FollowsFailure, "It fails"}, {pipeline.FollowsAnswer, "The recipient answers"},
}

// follow returns what can happen to a message, with the callbacks about the outcome
// that was chosen. An outcome that the message cannot have counts as none.
func (h *Handlers) follow(ch channel, r rule.Result, outcome string) (*views.Follow, error) {
	if len(r.Follows) == 0 {
		return nil, nil
	}
	f := &views.Follow{About: "the message", Secret: rule.Secret}
	if len(r.Screen.Bubbles) > 1 && r.Screen.Bubbles[0].To != "" {
		f.About = "the first message"
	}
	for _, g := range outcomeGroups {
		group := views.OutcomeGroup{Label: g.label}
		for _, following := range r.Follows {
			if following.Kind != g.kind {
				continue
			}
			group.Outcomes = append(group.Outcomes, ui.Option{Value: following.ID, Label: following.Label})
			if following.ID != outcome {
				continue
			}
			f.Outcome = outcome
			callbacks, err := h.rule.Callbacks(ch.declared, following)
			if err != nil {
				return nil, err
			}
			f.Callbacks = lists.Map(callbacks, newCallback)
		}
		if len(group.Outcomes) > 0 {
			f.Groups = append(f.Groups, group)
		}
	}
	return f, nil
}

func newCallback(c rule.Callback) views.Callback {
	v := views.Callback{Form: c.Form, CURL: ui.Code{Title: "Send it to a receiver", Language: "shell", Text: c.CURL()}}
	if body := c.Pretty(); body != "" {
		v.Body = ui.Code{Title: "Body, indented for reading", Language: "json", Text: body}
	}
	return v
}
