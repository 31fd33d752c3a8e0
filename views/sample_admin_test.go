package views_test

import (
	"heliograph/views/admin"
	"heliograph/views/layout"
	"heliograph/views/ui"
)

// adminFrame is the frame of a page of the administration, as a Super Admin
// sees it. done may be empty.
func adminFrame(title, section, done string) admin.Frame {
	f := admin.Frame{
		Page:    layout.Page{Title: title + " – Administration", HasNav: true, Account: ui.Link{Label: "Asha", Href: "/admin"}},
		Heading: title, Done: done, User: "Asha", Role: "Super Admin", CSRF: "token",
	}
	for _, label := range []string{"Overview", "Organisations", "Users", "Audit", "Jobs", "Synonyms", "SMS settings", "Email settings", "Inbox"} {
		f.Sections = append(f.Sections, ui.Link{Label: label, Href: "/admin/" + label, Current: label == section})
	}
	return f
}

// bareFrame has nothing that a frame can do without.
func bareFrame() admin.Frame {
	return admin.Frame{Page: layout.Page{HasNav: true}, Heading: "Administration"}
}

func adminPage() admin.HomePage {
	return admin.HomePage{
		Frame: adminFrame("Overview", "Overview", ""),
		Cards: []admin.Card{
			{Title: "Documentation", Facts: []ui.Pair{{Key: "Products", Value: "6"}, {Key: "Endpoints", Value: "71"}, {Key: "Last release", Value: "12 March 2026"}}, Link: ui.Link{Label: "Documentation", Href: "/"}},
			{Title: "Jobs", Facts: []ui.Pair{{Key: "Waiting", Value: "0"}, {Key: "Failed", Value: "2"}}},
		},
	}
}
