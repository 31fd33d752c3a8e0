package carriers

import (
	"context"

	"heliograph/app/web/channels/assets"
	"heliograph/app/web/listing"
	"heliograph/db"
	queries "heliograph/db/queries/channels"
	"heliograph/views/ui"
)

// mostUpstreamStates is how many numbers and accounts are listed.
const mostUpstreamStates = 200

// upstreamTable lists the numbers and accounts that live at upstreams, with what was
// said about each when it was last read.
func upstreamTable(ctx context.Context, q db.Querier) (ui.Table, error) {
	t := ui.Table{Caption: "Numbers and accounts at upstreams", Quiet: true, Columns: []ui.Column{
		{Label: "Id here", Lead: true}, {Label: "Kind", Plain: true}, {Label: "Carrier", Plain: true}, {Label: "State"}, {Label: "Quality", Plain: true}, {Label: "Problem", Plain: true}, {Label: "Since"}, {Label: "Read"},
	}}
	states, err := queries.UpstreamStateList(ctx, q, mostUpstreamStates)
	if err != nil {
		return t, err
	}
	for _, s := range states {
		state := ui.Cell{Text: "Fine", Badge: true, Tone: ui.Good}
		if s.State != "" {
			state.Text = s.State
		}
		if s.Problem != "" {
			state.Tone = ui.Bad
			if s.State == "" {
				state.Text = "Unknown"
			}
		}
		t.Rows = append(t.Rows, []ui.Cell{
			{Text: listing.Plain(s.AssetID), Mono: true}, {Text: map[string]string{"number": "Number", "account": "Account"}[s.Kind]}, {Text: s.Carrier}, state, {Text: s.Quality}, {Text: s.Problem}, ui.Minute(s.Since), ui.Minute(s.ReadAt),
		})
	}
	return t, nil
}

// changeTable lists what partners changed and no upstream has taken.
func changeTable(ctx context.Context, q db.Querier) (ui.Table, error) {
	changes, err := queries.UpstreamAssetProblems(ctx, q, 0, mostUpstreamStates)
	if err != nil {
		return ui.Table{}, err
	}
	return assets.ChangeTable(changes, true), nil
}
