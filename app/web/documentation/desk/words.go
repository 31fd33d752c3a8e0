package desk

import (
	"strings"
	"time"

	"heliograph/app/documentation/editorial"
	"heliograph/app/documentation/editorial/fields"
	"heliograph/app/documentation/openapi/markdown"
	"heliograph/app/web/listing"
	"heliograph/app/web/page"
	"heliograph/views/ui"
)

// DraftsTopic names the events of change sets on open pages.
const DraftsTopic = "drafts"

// DraftPath is the page of a change set.
func DraftPath(id int64) string { return page.DraftsPath + "/" + listing.Plain(id) }

// StateNames names the states of a change set.
var StateNames = map[string]string{
	editorial.StateDraft: "Draft", editorial.StateInReview: "In review", editorial.StateChangesRequested: "Changes requested", editorial.StateApproved: "Approved",
	editorial.StateScheduled: "Scheduled", editorial.StateBlocked: "Blocked", editorial.StatePublished: "Published", editorial.StateRejected: "Rejected", editorial.StateWithdrawn: "Discarded",
}

// StateTones holds the tones of the states.
var StateTones = map[string]ui.Tone{
	editorial.StateInReview: ui.Info, editorial.StateChangesRequested: ui.Warn, editorial.StateApproved: ui.Good, editorial.StateScheduled: ui.Info,
	editorial.StateBlocked: ui.Bad, editorial.StatePublished: ui.Good, editorial.StateDraft: ui.Warn,
}

// StateMark shows the state of a change set.
func StateMark(state string) ui.Mark {
	return ui.Mark{Tone: StateTones[state], Text: StateNames[state]}
}

// ItemAnchor is the place of an item on the page of its change set.
func ItemAnchor(id int64) string { return "item-" + listing.Plain(id) }

// Prose renders what somebody wrote of a change set.
func Prose(text string) ui.HTML { return ui.HTML(markdown.Render(strings.TrimSpace(text))) }

// FieldLabel is what the form of a kind calls a field.
func FieldLabel(kind, name string) string {
	for _, f := range fields.Of(kind) {
		if f.Name == name {
			return f.Label
		}
	}
	return name
}

// TalkTime writes the time of a comment.
func TalkTime(at time.Time) string { return at.UTC().Format("2 Jan, 15:04 UTC") }

// PlainLines ends the lines of a form as texts are kept.
func PlainLines(text string) string { return strings.ReplaceAll(text, "\r\n", "\n") }

// PresencePath is where a page at a path says who else has it open.
func PresencePath(path string) string { return path + "/presence" }

// MostRows is the number of lines that the field of a text shows at most.
const MostRows = 28

// ItemDone holds the messages after a change of an item.
var ItemDone = map[string]string{
	"saved": "The draft is saved.", "unchanged": "Nothing was changed.", "archive": "The item is in the change set: it is archived when that is published.",
	"moved": "The move is in the change set. The address changes when that is published.", "trashed": "The item is in the trash.",
	"thread": "The comment is added.", "reply": "The reply is added.", "resolve": "The comments are resolved.", "reopen": "The comments are open again.",
	"placed": "The item is moved. Readers see the new order when the change set is published.",
	"undone": "The last save is taken back.", "untrashed": "The item is out of the trash.", "restored": "The revision is restored as a draft.",
}
