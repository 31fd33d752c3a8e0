package reference

import (
	"testing"

	"heliograph/app/documentation/openapi/model"
)

// An empty text among the values of a field is shown as one.
func TestEmptyValuesAreShownInText(t *testing.T) {
	t.Parallel()
	for want, values := range map[string][]string{"one of `Low`, `\"\"`": {"Low", ""}, "one of `\"\"`": {""}, "one of `Low`, `High`": {"Low", "High"}} {
		if got := limitsOf(&model.Field{Enum: values}); got != want {
			t.Errorf("%q: %s, want %s", values, got, want)
		}
		if values[len(values)-1] == `""` {
			t.Errorf("the values of the field are changed to %q", values)
		}
	}
}
