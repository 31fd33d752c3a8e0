package dev

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"

	embeddedpostgres "github.com/fergusstrange/embedded-postgres"
)

// The oldest major version of PostgreSQL that the migrations run on.
const oldest = 15

// The builds that can be downloaded, newest first.
var downloads = map[int]embeddedpostgres.PostgresVersion{
	15: embeddedpostgres.V15, 16: embeddedpostgres.V16, 17: embeddedpostgres.V17, 18: embeddedpostgres.V18,
}

// The major version that is downloaded when there is no data yet.
const preferred = 17

// binaries is one installation of PostgreSQL.
type binaries struct {
	dir   string // holds postgres and initdb
	major int
}

var versionLine = regexp.MustCompile(`\(PostgreSQL\) (\d+)`)

// findBinaries returns an installation that can work on data of the major
// version (0: there is no data yet, any from oldest on): the one on PATH, else
// the newest of Debian's versioned folders, else a downloaded one.
func findBinaries(ctx context.Context, major int) (binaries, error) {
	var found []binaries
	for _, dir := range candidates() {
		b, err := inspect(ctx, dir)
		if err != nil || b.major < oldest {
			continue
		}
		if major == 0 || b.major == major {
			return b, nil
		}
		found = append(found, b)
	}
	if len(found) > 0 {
		return binaries{}, fmt.Errorf("the data was made by PostgreSQL %d but only version %d is installed here: install PostgreSQL %d, or discard the data with --fresh", major, found[0].major, major)
	}
	b, err := download(ctx, major)
	if err != nil {
		return binaries{}, fmt.Errorf("no PostgreSQL %d or newer was found and none could be downloaded: install it (on Debian: apt-get install postgresql) or set DATABASE_URL: %w", max(oldest, major), err)
	}
	return b, nil
}

// candidates lists the folders to look into, best first.
func candidates() []string {
	var dirs []string
	if path, err := exec.LookPath("postgres"); err == nil {
		dirs = append(dirs, filepath.Dir(path))
	}
	versioned, _ := filepath.Glob("/usr/lib/postgresql/*/bin") // a constant pattern is never malformed
	slices.SortFunc(versioned, func(a, b string) int { return folderVersion(b) - folderVersion(a) })
	return append(dirs, versioned...)
}

func folderVersion(bin string) int {
	n, _ := strconv.Atoi(filepath.Base(filepath.Dir(bin))) // anything else sorts last
	return n
}

// inspect asks the postgres in dir for its version and looks for initdb beside it.
func inspect(ctx context.Context, dir string) (binaries, error) {
	if _, err := os.Stat(filepath.Join(dir, "initdb")); err != nil {
		return binaries{}, err
	}
	out, err := exec.CommandContext(ctx, filepath.Join(dir, "postgres"), "--version").Output()
	if err != nil {
		return binaries{}, err
	}
	match := versionLine.FindSubmatch(out)
	if match == nil {
		return binaries{}, fmt.Errorf("postgres --version says %q", out)
	}
	major, err := strconv.Atoi(string(match[1]))
	return binaries{dir: dir, major: major}, err
}

// download fetches a build once and keeps it in the machine's cache.
func download(ctx context.Context, major int) (binaries, error) {
	major = cmp.Or(major, preferred)
	version, ok := downloads[major]
	if !ok {
		return binaries{}, fmt.Errorf("there is no build of PostgreSQL %d to download", major)
	}
	cache, err := cacheFolder()
	if err != nil {
		return binaries{}, err
	}
	home := filepath.Join(cache, "postgresql-"+string(version))
	if b, err := inspect(ctx, filepath.Join(home, "bin")); err == nil {
		return b, nil
	}
	if err := os.MkdirAll(cache, 0o755); err != nil {
		return binaries{}, err
	}
	unpacked, err := os.MkdirTemp(cache, "download-")
	if err != nil {
		return binaries{}, err
	}
	defer os.RemoveAll(unpacked)
	if err := fetch(version, unpacked); err != nil {
		return binaries{}, err
	}
	if err := os.Chmod(unpacked, 0o755); err != nil {
		return binaries{}, err
	}
	// Another process may have been quicker: its copy is as good.
	if err := os.Rename(unpacked, home); err != nil && !errors.Is(err, os.ErrExist) {
		return binaries{}, err
	}
	return inspect(ctx, filepath.Join(home, "bin"))
}

// fetch unpacks a build into dir. The library has no call for the download
// alone, so it is asked to start; whether that works (root is refused) does
// not matter once the programs lie there.
func fetch(version embeddedpostgres.PostgresVersion, dir string) error {
	port, err := freePort(0)
	if err != nil {
		return err
	}
	work := filepath.Join(dir, "work")
	server := embeddedpostgres.NewDatabase(embeddedpostgres.DefaultConfig().
		Version(version).Port(uint32(port)).Logger(io.Discard).
		CachePath(work).RuntimePath(filepath.Join(work, "run")).BinariesPath(dir))
	started := server.Start()
	if started == nil {
		if err := server.Stop(); err != nil {
			return err
		}
	}
	_, err = os.Stat(filepath.Join(dir, "bin", "initdb"))
	switch {
	case err == nil:
		return os.RemoveAll(work)
	case started != nil:
		return started
	default:
		return err
	}
}

// cacheFolder is where downloads are kept. Root's own cache lies behind a
// closed home, where the user that PostgreSQL runs as cannot execute them.
func cacheFolder() (string, error) {
	if os.Geteuid() == 0 {
		return "/var/cache/heliograph", nil
	}
	dir, err := os.UserCacheDir()
	return filepath.Join(dir, "heliograph"), err
}
