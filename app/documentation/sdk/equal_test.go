package sdk

import (
	"crypto/sha256"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"testing"

	"heliograph/app/documentation/openapi/corpus"
)

// equalVar says to TestArchiveHashes that it runs in a process of TestArchivesAreEqual.
const equalVar = "HELIOGRAPH_SDK_HASHES"

// TestArchiveHashes prints the hashes of archives for TestArchivesAreEqual.
func TestArchiveHashes(t *testing.T) {
	if os.Getenv(equalVar) == "" {
		t.Skip("run TestArchivesAreEqual")
	}
	for _, d := range corpus.Seeds(t) {
		if d.Name != "sms.yaml" {
			continue
		}
		for _, l := range Languages {
			data, _, err := Archive(readAPI(t, d), l)
			if err != nil {
				t.Fatal(err)
			}
			fmt.Printf("archive %s %d %x\n", l.Slug, len(data), sha256.Sum256(data))
		}
	}
}

// Two clean builds have equal bytes, whatever the folders, the processors, the language
// and the time zone of the machines.
func TestArchivesAreEqual(t *testing.T) {
	t.Parallel()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	hashes := func(environ ...string) (list string) {
		cmd := exec.CommandContext(t.Context(), self, "-test.run", "^TestArchiveHashes$")
		cmd.Env = append(append(os.Environ(), equalVar+"=1", "TMPDIR="+t.TempDir(), "HOME="+t.TempDir()), environ...)
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
		for line := range strings.Lines(string(out)) {
			if strings.HasPrefix(line, "archive ") {
				list += line
			}
		}
		return list
	}
	here := hashes("GOMAXPROCS=1", "LC_ALL=C", "LANG=C", "TZ=UTC", "USER=a")
	there := hashes("GOMAXPROCS=8", "LC_ALL=tr_TR.UTF-8", "LANG=tr_TR.UTF-8", "TZ=Pacific/Kiritimati", "USER=b", "GOGC=10")
	if strings.Count(here, "\n") != len(Languages) || here != there {
		t.Errorf("two builds differ:\n%s\n%s", here, there)
	}
}
