package account_test

import (
	"strings"
	"testing"

	"heliograph/app/web/webtest"
)

// The logs say how long they are kept, and a message without its content says why.
func TestLogsSayWhatTheyLose(t *testing.T) {
	t.Parallel()
	o := open(t, webtest.New(t, nil))
	o.exec(t, `insert into retention (organisation_id, bodies_days, logs_days) select id, 7, 400 from organisations`)
	for _, path := range []string{"/account/messages", "/account/deliveries"} {
		if text := o.viewer.Get(path).Find(".lead").Text(); !strings.Contains(text, "deleted after 7 days and entries after 400 days, or up to 28 days later.") {
			t.Errorf("%s says %q", path, text)
		}
	}
}
