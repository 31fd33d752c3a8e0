package templates

import (
	"bytes"
	"encoding/json"
	"testing"

	"heliograph/app/fault"
	"heliograph/db/models"
)

// Whatever a partner sends is refused with code 100 or stored in a form that
// passes the same checks and stays as it is.
func FuzzTemplate(f *testing.F) {
	for _, seed := range []string{
		`{"name":"a","language":"en_US","category":"utility","components":[{"type":"BODY","text":"Hi {{1}} one two three","example":{"body_text":[["x"]]}},{"type":"FOOTER","text":"x"}]}`,
		`{"name":"a","language":"hi","category":"AUTHENTICATION","message_send_ttl_seconds":-1,"components":[{"type":"BODY"},{"type":"FOOTER","code_expiration_minutes":5},{"type":"BUTTONS","buttons":[{"type":"OTP","otp_type":"COPY_CODE"}]}]}`,
		`{"name":"a","language":"en","category":"MARKETING","parameter_format":"NAMED","components":[{"type":"HEADER","format":"TEXT","text":"For {{name}}","example":{"header_text_named_params":[{"param_name":"name","example":"x"}]}},{"type":"BODY","text":"x"},{"type":"BUTTONS","buttons":[{"type":"URL","text":"a","url":"https://example.com/{{name}}","example":"x"}]}]}`,
		`{"name":"a","language":"en","category":"MARKETING","components":"[{\"type\":\"BODY\",\"text\":\"x\"},{\"type\":\"CAROUSEL\",\"cards\":[{\"components\":[{\"type\":\"HEADER\",\"format\":\"IMAGE\",\"example\":{\"header_handle\":[\"4::x\"]}},{\"type\":\"BUTTONS\",\"buttons\":[{\"type\":\"QUICK_REPLY\",\"text\":\"a\"}]}]}]}]"}`,
		`{"name":1,"components":[[]]}`,
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		var in Input
		if json.Unmarshal(data, &in) != nil {
			return
		}
		row, _, err := in.template(models.BusinessAccount{ID: 1}, func(string) (string, error) { return "image/png", nil })
		if err != nil {
			if refused := fault.As(err); refused == nil || refused.Code != "100" || refused.Fields[0].Message == "" {
				t.Fatalf("%v is no refusal with code 100", err)
			}
			return
		}
		if _, err := reviewOutcome(row); err != nil {
			t.Fatalf("what was accepted cannot be reviewed: %v", err)
		}
		if row.Category == "AUTHENTICATION" {
			return // stored expanded, not as it was written
		}
		components, err := readComponents(row.Components)
		if err != nil {
			t.Fatalf("what was stored cannot be read: %v", err)
		}
		again, err := checkedComponents(row, components, nil)
		if err != nil || !bytes.Equal(again, row.Components) {
			t.Fatalf("stored %s, then %s: %v", row.Components, again, err)
		}
	})
}
