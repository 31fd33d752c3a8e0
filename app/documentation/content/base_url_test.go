package content

import "testing"

func TestReadBaseURL(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"": "", "  ": "", "https://api.example.com": "https://api.example.com", " https://api.example.com/v1/ ": "https://api.example.com/v1",
		"/": "/", "/v3": "/v3", "/v3/": "/v3",
		"http://[2001:db8::1]:8080/a": "http://[2001:db8::1]:8080/a",
	} {
		if got, err := ReadBaseURL(text); err != nil || got != want {
			t.Errorf("ReadBaseURL(%q) = %q, %v, want %q", text, got, err, want)
		}
	}
	for _, text := range []string{
		"nonsense", "api.example.com/v1", "/{v}", "/v1?x=1", "/v1#a", "./v1", "//api.example.com", "ftp://api.example.com", "javascript:alert(1)", "https://", "https://:443",
		"https://user:secret@api.example.com", "https://api.example.com?x=1", "https://api.example.com/?", "https://api.example.com/#v1", "https://api.example.com#",
		"https://{host}/v1", "https://api.example.com/a b", "https://api.example.com/%zz", "https://api.example.com/<v1>",
	} {
		if got, err := ReadBaseURL(text); err == nil {
			t.Errorf("ReadBaseURL(%q) = %q, want an error", text, got)
		}
		if list := Check(KindProduct, []byte(`{"name":"Fax","base_url":"`+text+`"}`)); len(list) != 1 || list[0].Field != "base_url" {
			t.Errorf("a product with the base URL %q can be published: %v", text, list)
		}
	}
}
