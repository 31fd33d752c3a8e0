package main

import (
	"strings"
	"testing"
)

func TestReport(t *testing.T) {
	t.Parallel()
	input := strings.Join([]string{
		`{"Action":"output","Package":"a","Test":"TestFast","Output":"quiet\n"}`,
		`{"Action":"pass","Package":"a","Test":"TestFast","Elapsed":0.5}`,
		`{"Action":"output","Package":"a","Test":"TestSlow","Output":"loud\n"}`,
		`{"Action":"fail","Package":"a","Test":"TestSlow","Elapsed":2}`,
		`{"Action":"pass","Package":"a","Test":"TestSlow/part","Elapsed":9}`,
		`{"Action":"output","Package":"a","Output":"FAIL\ta\t2.5s\n"}`,
		`{"Action":"fail","Package":"a","Elapsed":2.5}`,
	}, "\n")
	var out strings.Builder
	ok, err := report(strings.NewReader(input), &out)
	if err != nil || ok {
		t.Fatalf("ok = %v, error %v; want a failure that was read", ok, err)
	}
	want := "loud\nFAIL\ta\t2.5s\n\nThe slowest tests:\n     2.0 s  a TestSlow\n     0.5 s  a TestFast\n\nThe slowest packages:\n     2.5 s  a\n"
	if out.String() != want {
		t.Errorf("report printed\n%s\nwant\n%s", out.String(), want)
	}
}

func TestReportRefusesOtherText(t *testing.T) {
	t.Parallel()
	if _, err := report(strings.NewReader("not JSON"), new(strings.Builder)); err == nil {
		t.Error("a line that is not JSON was accepted")
	}
}

func TestReportPassesWithoutFailures(t *testing.T) {
	t.Parallel()
	ok, err := report(strings.NewReader(`{"Action":"pass","Package":"a","Elapsed":1}`), new(strings.Builder))
	if err != nil || !ok {
		t.Errorf("ok = %v, error %v", ok, err)
	}
}

func TestFailedPackages(t *testing.T) {
	t.Parallel()
	input := strings.Join([]string{
		`{"Action":"fail","Package":"a","Test":"TestSlow","Elapsed":2}`,
		`{"Action":"fail","Package":"a","Elapsed":2.5}`,
		`{"Action":"pass","Package":"b","Elapsed":2.5}`,
		`{"ImportPath":"c","Action":"build-fail"}`,
		`{"Action":"fail","Package":"c","Elapsed":0,"FailedBuild":"c"}`,
	}, "\n")
	if got, err := failedPackages(strings.NewReader(input)); err != nil || strings.Join(got, " ") != "a c" {
		t.Errorf("failedPackages = %q, %v", got, err)
	}
	if _, err := failedPackages(strings.NewReader("no JSON")); err == nil {
		t.Error("a line that is not JSON gives no error")
	}
}
