package admin

import (
	"strings"
	"time"

	"heliograph/app/documentation/editorial"
	"heliograph/app/documentation/editorial/fields"
	"heliograph/app/documentation/openapi/markdown"
	view "heliograph/views/admin"
	"heliograph/views/ui"
)

// draftsTopic names the events of change sets on open pages.
const draftsTopic = "drafts"

// draftPath is the page of a change set.
func draftPath(id int64) string { return draftsPath + "/" + plain(id) }

// stateNames names the states of a change set.
var stateNames = map[string]string{
	editorial.StateDraft: "Draft", editorial.StateInReview: "In review", editorial.StateChangesRequested: "Changes requested", editorial.StateApproved: "Approved",
	editorial.StateScheduled: "Scheduled", editorial.StateBlocked: "Blocked", editorial.StatePublished: "Published", editorial.StateRejected: "Rejected", editorial.StateWithdrawn: "Discarded",
}

// stateTones holds the tones of the states.
var stateTones = map[string]ui.Tone{
	editorial.StateInReview: ui.Info, editorial.StateChangesRequested: ui.Warn, editorial.StateApproved: ui.Good, editorial.StateScheduled: ui.Info,
	editorial.StateBlocked: ui.Bad, editorial.StatePublished: ui.Good, editorial.StateDraft: ui.Warn,
}

// stateMark shows the state of a change set.
func stateMark(state string) view.Mark {
	return view.Mark{Tone: stateTones[state], Text: stateNames[state]}
}

// itemAnchor is the place of an item on the page of its change set.
func itemAnchor(id int64) string { return "item-" + plain(id) }

// prose renders what somebody wrote of a change set.
func prose(text string) ui.HTML { return ui.HTML(markdown.Render(strings.TrimSpace(text))) }

// fieldLabel is what the form of a kind calls a field.
func fieldLabel(kind, name string) string {
	for _, f := range fields.Of(kind) {
		if f.Name == name {
			return f.Label
		}
	}
	return name
}

// talkTime writes the time of a comment.
func talkTime(at time.Time) string { return at.UTC().Format("2 Jan, 15:04 UTC") }

// plainLines ends the lines of a form as texts are kept.
func plainLines(text string) string { return strings.ReplaceAll(text, "\r\n", "\n") }

// presencePath is where a page at a path says who else has it open.
func presencePath(path string) string { return path + "/presence" }

// mostRows is the number of lines that the field of a text shows at most.
const mostRows = 28

// itemDone holds the messages after a change of an item.
var itemDone = map[string]string{
	"saved": "The draft is saved.", "unchanged": "Nothing was changed.", "archive": "The item is in the change set: it is archived when that is published.",
	"moved": "The move is in the change set. The address changes when that is published.", "trashed": "The item is in the trash.",
	"thread": "The comment is added.", "reply": "The reply is added.", "resolve": "The comments are resolved.", "reopen": "The comments are open again.",
	"placed": "The item is moved. Readers see the new order when the change set is published.",
	"undone": "The last save is taken back.", "untrashed": "The item is out of the trash.", "restored": "The revision is restored as a draft.",
}
