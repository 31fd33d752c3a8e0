package sms

import (
	"strings"
	"testing"
)

func TestMatchTemplate(t *testing.T) {
	t.Parallel()
	const parcel = "Dear {#var#}, parcel {#var#} arrives today."
	for _, tt := range []struct {
		template, text string
		want           dltFault
	}{
		{parcel, "Dear Asha, parcel A-1 arrives today.", ""},
		{parcel, "Dear , parcel A-1 arrives today.", ""},
		{parcel, "Dear  Asha,  parcel A-1 arrives today. ", ""},
		{parcel, "Dear " + strings.Repeat("x", 30) + ", parcel A-1 arrives today.", ""},
		{parcel, "Dear " + strings.Repeat("x", 31) + ", parcel A-1 arrives today.", faultVariable},
		{parcel, "dear Asha, parcel A-1 arrives today.", faultText},
		{parcel, "Dear Asha, parcel A-1 arrives today. Buy now!", faultText},
		{parcel, "", faultText},
		{parcel, "Dear\u00a0Asha, parcel A-1 arrives today.", faultText},
		{parcel, "Dear Asha, parcel A-1 arrives today.\n", faultText},
		{parcel, "Dear Asha, parcel\nA-1 arrives today.", faultText},
		{"One\r\ntwo", "One\ntwo", ""},
		{"{#var#}", strings.Repeat("ह", 30), ""},
		{"{#var#}", strings.Repeat("ह", 31), faultVariable},
		{"{#var#}{#var#}", strings.Repeat("a", 60), ""},
		{"{#var#}{#var#}", strings.Repeat("a", 61), faultVariable},
		{"Code {#NUMERIC#}", "Code 4711", ""},
		{"a{#var#}ab", "aaab", ""}, // a value that looks like what follows it
		{"No variables", "No variables", ""},
		{strings.Repeat("{#var#}a", 40), strings.Repeat("a", 1000), ""},
	} {
		if got := matchTemplate(tt.template, tt.text); got != tt.want {
			t.Errorf("MatchTemplate(%q, %q) = %q, want %q", tt.template, tt.text, got, tt.want)
		}
	}
}

func TestVariables(t *testing.T) {
	t.Parallel()
	for template, want := range map[string]int{
		"": 0, "plain": 0, "{#var#}": 1, "{#a#}{#B#}": 2, "{#{#var#}#}": 1, "{#var": 0, "{##}": 0, "{#v1#}": 0, "{#va r#} {#x#}": 1, "#}{#x#}{#": 1, "{#é#}": 0,
	} {
		if got := Variables(template); got != want {
			t.Errorf("%q has %d variables, want %d", template, got, want)
		}
	}
}

func TestFill(t *testing.T) {
	t.Parallel()
	if got := Fill("{#var#} and {#VAR#}", []string{"{#var#}", "$1"}); got != "{#var#} and $1" || Variables("{#var#} and {#VAR#}") != 2 {
		t.Errorf("Fill gave %q", got)
	}
}

func TestKindOfHeader(t *testing.T) {
	t.Parallel()
	for header, want := range map[string]HeaderKind{
		"HELIOG": Transactional, "heliog": Transactional, "600123": Promotional, "My Shop": International, "4915112345678": International,
		"": "", "This is too long": "", "हिन्दी": "", "a\nb": "", "-x": "",
	} {
		got, ok := KindOfHeader(header)
		if ok != (want != "") || ok && got != want {
			t.Errorf("KindOfHeader(%q) = %s, %v, want %q", header, got, ok, want)
		}
	}
	if bareHeader("HELIOG-T") != "HELIOG" || bareHeader("HELIOG") != "HELIOG" || bareHeader("My-S") != "My-S" {
		t.Error("bareHeader removes something other than the class of the operator")
	}
}
