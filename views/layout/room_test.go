package layout

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"heliograph/views/ui"
)

func TestLinksStandBesideTheMenuWhereTheyFit(t *testing.T) {
	t.Parallel()
	guide := ui.Link{Label: "Product guide"}
	three := []ui.Link{{Label: "Company homepage"}, {Label: "Status of the service"}, {Label: "Community and help"}}
	six := append(three, three...)
	for _, c := range []struct {
		brand Brand
		want  string
	}{
		{Brand{}, "room-40"},
		{Brand{Links: []ui.Link{{Label: "Blog"}}}, "room-56"},
		{Brand{Links: three}, "room-88"},
		{Brand{Links: six}, ""},
		{Brand{Name: "Wunderbar Messaging Documentation Portal"}, "room-72"},
		{Brand{Name: "हेलियोग्राफ"}, "room-40"},
		{Brand{Name: strings.Repeat("信", 12)}, "room-64"},
		{Brand{Logo: "/logo.svg"}, "room-56"},
	} {
		if got := (Page{Links: []ui.Link{guide}, Brand: &c.brand}).room(); got != c.want {
			t.Errorf("the room of %+v is %q, want %q", c.brand, got, c.want)
		}
	}
}

func TestEveryRoomHasARule(t *testing.T) {
	t.Parallel()
	css, err := os.ReadFile("../../static/css/shell.css")
	if err != nil {
		t.Fatal(err)
	}
	widths := []float64{leastRoom}
	for _, r := range rooms {
		widths = append(widths, r.width)
	}
	for _, w := range widths {
		if rule := fmt.Sprintf("@media (min-width: %.0frem) { .%s {", w, roomClass(w)); !strings.Contains(string(css), rule) {
			t.Errorf("static/css/shell.css does not have %s", rule)
		}
	}
}
