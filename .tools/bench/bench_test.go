package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// repository makes a repository with a commit for each list of files, tagged v0,
// v1 and so on.
func repository(t *testing.T, commits ...map[string]string) string {
	t.Helper()
	root := t.TempDir()
	git := func(args ...string) {
		t.Helper()
		args = append([]string{"-C", root, "-c", "user.name=Asha", "-c", "user.email=asha@example.com", "-c", "commit.gpgsign=false"}, args...)
		if out, err := exec.CommandContext(t.Context(), "git", args...).CombinedOutput(); err != nil {
			t.Fatalf("git %v: %v\n%s", args, err, out)
		}
	}
	git("init", "--quiet")
	for i, files := range commits {
		for name, text := range files {
			path := filepath.Join(root, name)
			if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		git("add", "--all")
		git("commit", "--quiet", "--message", "Change")
		git("tag", "v"+string(rune('0'+i)))
	}
	return root
}

func TestListAndRun(t *testing.T) {
	t.Parallel()
	const common = "package lamp\n\nimport \"testing\"\n\nfunc BenchmarkLight(b *testing.B) { for b.Loop() {} }\n"
	root := repository(t, map[string]string{
		"go.mod":            "module example.com/lamp\n\ngo 1.26\n",
		"lamp/lamp.go":      "package lamp\n",
		"lamp/lamp_test.go": common + "\nfunc BenchmarkOld(b *testing.B) {}\n",
	}, map[string]string{
		"lamp/lamp_test.go":  common + "\nfunc BenchmarkNew(b *testing.B) {}\n",
		"lamp/drill_test.go": "//go:build drill\n\n" + strings.ReplaceAll(common, "Light", "Drill"),
	})
	sides := [2]*side{{name: "before"}, {name: "after"}}
	for i, tag := range []string{"v0", "v1"} {
		if err := sides[i].checkOut(t.Context(), root, tag, filepath.Join(t.TempDir(), tag)); err != nil {
			t.Fatal(err)
		}
	}
	var out strings.Builder
	both := compareLists(&out, sides[0].benchmarks, sides[1].benchmarks)
	want := "In both (1):\n  lamp.BenchmarkLight\nOnly before, not run (1):\n  lamp.BenchmarkOld\nOnly after, not run (1):\n  lamp.BenchmarkNew\n"
	if out.String() != want {
		t.Errorf("printed\n%s\nwant\n%s", out.String(), want)
	}
	o := options{out: t.TempDir(), rounds: 2, only: regexp.MustCompile("")}
	if err := runRounds(t.Context(), o, sides, both); err != nil {
		t.Fatal(err)
	}
	for _, s := range sides {
		results, err := readResults(filepath.Join(o.out, s.name+".txt"))
		if err != nil {
			t.Fatal(err)
		}
		for m, values := range results {
			if m.pkg != "example.com/lamp/lamp" || !strings.HasPrefix(m.name, "BenchmarkLight") || len(values) != 2 {
				t.Errorf("%s: %v %v", s.name, m, values)
			}
		}
		if len(results) == 0 {
			t.Errorf("%s has no results", s.name)
		}
	}
	if err := (&side{}).checkOut(t.Context(), root, "v9", t.TempDir()); err == nil {
		t.Error("a commit that does not exist was checked out")
	}
}

func TestFindSlower(t *testing.T) {
	t.Parallel()
	before, after := map[measure][]float64{}, map[measure][]float64{}
	add := func(unit string, was, is []float64) {
		before[measure{"lamp", "Benchmark", unit}], after[measure{"lamp", "Benchmark", unit}] = was, is
	}
	add("ns/op", []float64{100, 100, 200}, []float64{101, 202, 202}) // the machine, not the program
	add("pages/s", []float64{100}, []float64{94})
	add("p99-ms", []float64{10, 10}, []float64{10, 12})
	add("ratio", []float64{0.5}, []float64{0.6})
	add("p99-ratio", []float64{2}, []float64{1})
	add("B/op", []float64{0}, []float64{8})
	got := strings.Join(findSlower(before, after, 0.95), "\n")
	want := "0.92 ×  lamp.Benchmark: 10 before, 11 after, p99-ms\n0.94 ×  lamp.Benchmark: 100 before, 94 after, pages/s"
	if got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}
