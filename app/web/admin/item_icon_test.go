package admin_test

import (
	"strings"
	"testing"
)

// An icon is a drawing of the gallery, copied when the draft is saved. Drawings that
// cannot be icons say why.
func TestIconFromTheGallery(t *testing.T) {
	t.Parallel()
	p := newPress(t, nil)
	page := p.page("product", "letters")
	if p.ada.Get(page).Find("[name=icon_gallery]").Length() != 0 {
		t.Error("an empty gallery offers drawings")
	}
	const black = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24"><path d="M4 4h16v16H4z"/></svg>`
	const red = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24"><path fill="#ff0000" d="M4 4h16v16H4z"/></svg>`
	if a := p.ada.UploadFiles("/admin/media/upload", "files", [2]string{"black.svg", black}, [2]string{"red.svg", red}); a.Status >= 400 {
		t.Fatalf("the upload gives %d", a.Status)
	}
	form := p.ada.Get(page)
	id := func(name string) (value string) {
		for _, o := range form.Find("[name=icon_gallery] option").EachIter() {
			if o.Text() == name {
				value = o.AttrOr("value", "")
			}
		}
		return value
	}
	if a := p.ada.Post(page, p.filled(form, "icon_gallery", id("red.svg"))); a.Status != 422 || !strings.Contains(a.Find(".field.invalid").Text(), "cannot be an icon") {
		t.Errorf("a coloured drawing gives %d: %s", a.Status, a.Find(".field.invalid").Text())
	}
	if a := p.ada.Post(page, p.filled(form, "icon_gallery", id("black.svg"))); a.Status != 303 {
		t.Fatalf("a drawing gives %d: %s", a.Status, a.Find(".field.invalid").Text())
	}
	if text := p.ada.Get(page).Find("[name=icon]").Text(); !strings.Contains(text, "M4 4h16v16H4z") {
		t.Errorf("the icon of the draft is %q", text)
	}
	if a := p.ada.Post(page, p.filled(p.ada.Get(page), "icon_gallery", "aaaaaaaaaa")); a.Status != 422 {
		t.Errorf("an unknown drawing gives %d", a.Status)
	}
}
