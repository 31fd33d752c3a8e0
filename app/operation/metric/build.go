package metric

import (
	"runtime"
	"runtime/debug"
	"sync"

	"github.com/prometheus/client_golang/prometheus"

	"heliograph/app/lists"
)

// Version returns the commit that this program was built from, shortened, with the
// words "with changes" if the files differed from it. It is "Development" if the
// commit is not known.
var Version = sync.OnceValue(func() string {
	info, _ := debug.ReadBuildInfo()
	if info == nil {
		return "Development"
	}
	facts := lists.Pairs(info.Settings, func(s debug.BuildSetting) (string, string) { return s.Key, s.Value })
	revision := facts["vcs.revision"]
	if revision == "" {
		return "Development"
	}
	revision = revision[:min(len(revision), 7)]
	if facts["vcs.modified"] == "true" {
		revision += " with changes"
	}
	return revision
})

// registerBuild registers heliograph_build_info.
func registerBuild(r prometheus.Registerer) {
	g := prometheus.NewGaugeVec(prometheus.GaugeOpts{Name: "heliograph_build_info", Help: "Always 1. The labels name the version of the program and of Go."}, []string{"version", "go"})
	g.WithLabelValues(Version(), runtime.Version()).Set(1)
	r.MustRegister(g)
}
