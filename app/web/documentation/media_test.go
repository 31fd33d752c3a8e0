package documentation_test

import (
	"net/url"
	"strings"
	"testing"

	"heliograph/app/people/identity"
	"heliograph/app/web/webtest"
)

const square = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><path d="M0 0h9v9z"/></svg>`

// exec runs a statement on the database of a site.
func exec(t *testing.T, site *webtest.Site, sql string, args ...any) {
	t.Helper()
	if _, err := site.DB.Exec(t.Context(), sql, args...); err != nil {
		t.Fatal(err)
	}
}

// idOf returns the id of the item with a name.
func idOf(t *testing.T, site *webtest.Site, name string) (id string) {
	t.Helper()
	if err := site.DB.QueryRow(t.Context(), `select id from gallery_items where name = $1`, name).Scan(&id); err != nil {
		t.Fatalf("looking for %s: %v", name, err)
	}
	return id
}

func TestUploadTellsWhatBecameOfEachFile(t *testing.T) {
	t.Parallel()
	site := webtest.New(t, nil)
	c := site.SignInAdmin(t, identity.Editor)
	c.Get("/admin/media")
	a := c.UploadFiles("/admin/media/upload", "files", [2]string{"a.txt", "words"}, [2]string{"evil.html", "<html><script>1</script>"}, [2]string{"logo.svg", square},
		[2]string{"x.svg", `<svg viewBox="0 0 1 1"><script/></svg>`}, [2]string{"b.txt", "words"})
	if a.Status != 422 || a.Find(".media-results li").Length() != 5 {
		t.Fatalf("five files give %d and %d results", a.Status, a.Find(".media-results li").Length())
	}
	want := []string{"Added", "Refused", "Added", "Refused", "Exists"}
	for i, mark := range want {
		if got := a.Find(".media-results li .badge").Eq(i).Text(); got != mark {
			t.Errorf("file %d is %q, want %q", i, got, mark)
		}
	}
	if a.Find(".media-why").First().Text() == "" || a.Find(".media-describe input").Length() != 1 {
		t.Error("the reason or the field of the description is missing")
	}
	id := idOf(t, site, "logo.svg")
	if a := c.Post("/admin/media/descriptions", url.Values{"alt-" + id: {" "}}); a.Status != 422 || a.Find(".media-describe .error").Length() != 1 {
		t.Errorf("an empty description gives %d", a.Status)
	}
	if a := c.Post("/admin/media/descriptions", url.Values{"alt-" + id: {"A square"}}); a.Status != 303 {
		t.Errorf("a description gives %d", a.Status)
	}
	if a := c.UploadFiles("/admin/media/upload", "files"); a.Status != 422 || a.Find(".media-upload .error").Length() != 1 {
		t.Errorf("no file gives %d", a.Status)
	}
	if a := c.UploadFiles("/admin/media/upload", "files", [2]string{"fine.txt", "fine"}); a.Status != 200 {
		t.Errorf("a file gives %d", a.Status)
	}
	if a := c.Get("/admin/media?q=SQUARE"); a.Find(".media-card").Length() != 1 {
		t.Errorf("the search finds %d files", a.Find(".media-card").Length())
	}
}

func TestItemIsChangedReplacedAndTrashed(t *testing.T) {
	t.Parallel()
	site := webtest.New(t, nil)
	c := site.SignInAdmin(t, identity.SuperAdmin)
	c.Get("/admin/media")
	c.UploadFiles("/admin/media/upload", "files", [2]string{"logo.svg", square})
	at := "/admin/media/items/" + idOf(t, site, "logo.svg")
	if a := c.Post(at, url.Values{"name": {"mark.png"}, "alt": {""}, "folder": {"0"}}); a.Status != 422 || a.Find("input[name=name]").AttrOr("value", "") != "mark.png" {
		t.Errorf("wrong details give %d", a.Status)
	}
	if a := c.Post(at, url.Values{"name": {"mark.svg"}, "alt": {"A [square]"}, "folder": {"0"}}); a.Status != 303 {
		t.Errorf("details give %d", a.Status)
	}
	if a := c.Get(at); !strings.Contains(a.Find("main .code, main pre").Text(), `![A \[square\]](/media/`) {
		t.Errorf("the Markdown is missing: %s", a.Find("main pre").Text())
	}
	if a := c.UploadFiles(at+"/replacement", "files", [2]string{"x.txt", "words"}); a.Status != 422 {
		t.Errorf("a text for an image gives %d", a.Status)
	}
	if a := c.UploadFiles(at+"/replacement", "files", [2]string{"x.svg", strings.ReplaceAll(square, "9", "8")}); a.Status != 303 {
		t.Errorf("a replacement gives %d", a.Status)
	}
	exec(t, site, `update gallery_items set public_at = null`)
	if a := c.Post(at+"/publication", nil); a.Status != 303 {
		t.Errorf("making it public gives %d", a.Status)
	}
	if a := c.Get(at + "/trash"); a.Status != 200 {
		t.Errorf("asking gives %d", a.Status)
	}
	if a := c.Post(at+"/trash", nil); a.Status != 303 {
		t.Errorf("the trash gives %d", a.Status)
	}
	if a := c.Get("/admin/media/trash"); a.Find(".media-card").Length() != 1 {
		t.Error("it is not in the trash")
	}
	if a := c.Post(at+"/restoration", nil); a.Status != 303 {
		t.Errorf("restoring gives %d", a.Status)
	}
	if a := c.Post("/admin/media/trash/emptying", nil); a.Status != 303 {
		t.Errorf("emptying gives %d", a.Status)
	}
}

func TestFolderPages(t *testing.T) {
	t.Parallel()
	site := webtest.New(t, nil)
	c := site.SignInAdmin(t, identity.Editor)
	c.Get("/admin/media")
	if a := c.Post("/admin/media/folders", url.Values{"name": {"a/b"}, "parent": {"0"}}); a.Status != 422 || a.Find("input[name=name]").AttrOr("value", "") != "a/b" {
		t.Errorf("a wrong name gives %d", a.Status)
	}
	if a := c.Post("/admin/media/folders", url.Values{"name": {"Guides"}, "parent": {"0"}}); a.Status != 303 {
		t.Errorf("a folder gives %d", a.Status)
	}
	href := c.Get("/admin/media").Find(".media-folders a").AttrOr("href", "")
	_, id, _ := strings.Cut(href, "folder=")
	if a := c.Post("/admin/media/folders/"+id, url.Values{"name": {"Help"}, "parent": {"0"}}); a.Status != 303 {
		t.Errorf("renaming gives %d", a.Status)
	}
	if a := c.Get("/admin/media/folders/" + id + "/deletion"); a.Status != 200 {
		t.Errorf("asking gives %d", a.Status)
	}
	if a := c.Post("/admin/media/folders/"+id+"/deletion", nil); a.Status != 303 {
		t.Errorf("deleting gives %d", a.Status)
	}
	if a := c.Get("/admin/media?folder=" + id); a.Status != 404 {
		t.Errorf("a deleted folder gives %d", a.Status)
	}
}

func TestLimitsPage(t *testing.T) {
	t.Parallel()
	c := webtest.New(t, nil).SignInAdmin(t, identity.SuperAdmin)
	c.Get("/admin/media/settings")
	form := url.Values{"image": {"5"}, "video": {"x"}, "audio": {"5"}, "document": {"5"}}
	if a := c.Post("/admin/media/settings", form); a.Status != 422 || a.Find("#field-video-error").Length() != 1 {
		t.Errorf("a wrong limit gives %d", a.Status)
	}
	form.Set("video", "7")
	if a := c.Post("/admin/media/settings", form); a.Status != 303 {
		t.Errorf("limits give %d", a.Status)
	}
	if v := c.Get("/admin/media/settings").Find("input[name=video]").AttrOr("value", ""); v != "7" {
		t.Errorf("the limit is %q", v)
	}
}

func TestPublicAddress(t *testing.T) {
	t.Parallel()
	site := webtest.New(t, nil)
	c := site.SignInAdmin(t, identity.Editor)
	c.Get("/admin/media")
	c.UploadFiles("/admin/media/upload", "files", [2]string{"notes.txt", "0123456789"}, [2]string{"guide.pdf", "%PDF-1.4 x"})
	visitor := site.Client(t)
	address := "/media/" + idOf(t, site, "notes.txt") + "/notes.txt"
	a := visitor.Get(address)
	tag := a.Header.Get("ETag")
	if a.Status != 200 || a.Body != "0123456789" || a.Header.Get("X-Content-Type-Options") != "nosniff" || !strings.Contains(a.Header.Get("Content-Security-Policy"), "sandbox") || a.Header.Get("Cache-Control") != "public, no-cache" {
		t.Errorf("the file gives %d with %v", a.Status, a.Header)
	}
	for _, tt := range []struct {
		headers []string
		status  int
		body    string
	}{
		{[]string{"Range", "bytes=2-4"}, 206, "234"}, {[]string{"Range", "bytes=-2"}, 206, "89"}, {[]string{"Range", "bytes=8-"}, 206, "89"}, {[]string{"Range", "bytes=10-"}, 416, ""},
		{[]string{"Range", "bytes=0-0", "If-Range", tag}, 206, "0"}, {[]string{"Range", "bytes=0-0", "If-Range", `"other"`}, 200, "0123456789"},
		{[]string{"If-None-Match", tag}, 304, ""}, {[]string{"Range", "lines=1"}, 200, "0123456789"},
	} {
		v := visitor
		for i := 0; i < len(tt.headers); i += 2 {
			v = v.With(tt.headers[i], tt.headers[i+1])
		}
		got := v.Send("GET", address, "", nil)
		if got.Status != tt.status || tt.body != "" && got.Body != tt.body {
			t.Errorf("%v gives %d %q, want %d %q", tt.headers, got.Status, got.Body, tt.status, tt.body)
		}
	}
	several := visitor.With("Range", "bytes=0-1,8-9").Send("GET", address, "", nil)
	if several.Status != 206 || !strings.HasPrefix(several.Header.Get("Content-Type"), "multipart/byteranges") {
		t.Errorf("two ranges give %d, %s", several.Status, several.Header.Get("Content-Type"))
	}
	if h := visitor.Head(address); h.Status != 200 || h.Body != "" || h.Header.Get("Content-Length") != "10" {
		t.Errorf("HEAD gives %d, %q", h.Status, h.Body)
	}
	fixed := strings.Replace(address, "/notes.txt", "/"+tag[1:17]+"/notes.txt", 1)
	if a := visitor.Get(fixed); a.Status != 200 || !strings.Contains(a.Header.Get("Cache-Control"), "immutable") {
		t.Errorf("the address of the bytes gives %d", a.Status)
	}
	for _, old := range []string{strings.Replace(fixed, tag[1:17], "0123456789abcdef", 1), strings.Replace(address, "notes", "old", 1)} {
		if a := visitor.Get(old); a.Status != 302 || a.Header.Get("Location") != address {
			t.Errorf("%s gives %d to %s", old, a.Status, a.Header.Get("Location"))
		}
	}
	if a := visitor.Get("/media/" + idOf(t, site, "guide.pdf") + "/guide.pdf"); !strings.HasPrefix(a.Header.Get("Content-Disposition"), "attachment") {
		t.Errorf("a PDF is %q", a.Header.Get("Content-Disposition"))
	}
	exec(t, site, `update gallery_items set public_at = null`)
	if a := visitor.Get(address); a.Status != 404 || a.Header.Get("Cache-Control") != "no-store" {
		t.Errorf("a held file gives %d", a.Status)
	}
}

// An editor chooses an image for a text, or adds one, which waits for its release.
func TestImagesAreChosenForTexts(t *testing.T) {
	t.Parallel()
	site := webtest.New(t, nil)
	c := site.SignInAdmin(t, identity.Editor)
	if a := c.Get("/admin/media/choice"); a.Status != 200 || a.Find("[data-picture]").Length() != 0 || !strings.Contains(a.Find("#pick-list").Text(), "no image yet") {
		t.Errorf("an empty gallery gives %d: %s", a.Status, a.Find("#pick").Text())
	}
	if a := c.UploadFiles("/admin/media/choice", "files"); a.Status != 422 || a.Find(".pick-add .error").Length() != 1 {
		t.Errorf("no image gives %d", a.Status)
	}
	if a := c.UploadFiles("/admin/media/choice", "files", [2]string{"notes.txt", "words"}); a.Status != 422 || !strings.Contains(a.Find(".pick-add .error").Text(), "Choose an image. The file is a document.") {
		t.Errorf("a text gives %d: %s", a.Status, a.Find(".pick-add").Text())
	}
	a := c.UploadFiles("/admin/media/choice", "files", [2]string{"brand-logo.svg", square})
	if field := a.Find(".pick-add [name=alt]"); a.Status != 200 || field.AttrOr("value", "") != "Brand logo" || a.Find(".pick-add img").Length() != 1 {
		t.Fatalf("an image gives %d and suggests %q: %s", a.Status, field.AttrOr("value", ""), a.Find("main").Text())
	}
	id := idOf(t, site, "brand-logo.svg")
	if got := a.Find("[name=image]").AttrOr("value", ""); got != id {
		t.Errorf("the form is of %q, want %s", got, id)
	}
	if a := c.Get("/admin/media/choice?image=" + id); a.Find(".pick-add img").Length() != 1 {
		t.Error("the image is not shown again")
	}
	if a := c.UploadForm("/admin/media/choice", url.Values{"image": {id}, "alt": {" "}}, "files"); a.Status != 422 || a.Find(".pick-add .field.invalid [name=alt]").Length() != 1 {
		t.Errorf("an empty description gives %d: %s", a.Status, a.Find("main").Text())
	}
	if a = c.UploadForm("/admin/media/choice", url.Values{"image": {id}, "alt": {"A square"}}, "files"); a.Status != 200 {
		t.Fatalf("a description gives %d: %s", a.Status, a.Find("main").Text())
	}
	exec(t, site, `update gallery_items set name = 'logo.svg'`)
	if a = c.UploadForm("/admin/media/choice", url.Values{"alt": {"Another"}}, "files", [2]string{"logo.svg", square}); a.Status != 200 {
		t.Fatalf("the same image gives %d: %s", a.Status, a.Find("main").Text())
	}
	want := "![A square](/media/" + id + "/logo.svg)"
	if got, _ := a.Find("[data-picked]").Attr("data-picked"); got != want {
		t.Errorf("the Markdown is %q, want %q", got, want)
	}
	if a := site.Client(t).Get("/media/" + id + "/logo.svg"); a.Status != 404 {
		t.Errorf("readers get the image before its release: %d", a.Status)
	}
	if got, _ := c.Get("/admin/media/choice?q=SQUARE").Find("[data-picture]").Attr("data-picture"); got != want {
		t.Errorf("the choice offers %q", got)
	}
	if a := c.Get("/admin/media/choice?q=circle"); a.Find("[data-picture]").Length() != 0 {
		t.Error("a search for nothing finds something")
	}
}
