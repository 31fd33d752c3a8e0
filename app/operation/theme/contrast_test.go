package theme

import (
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// The default theme can be read in both schemes.
func TestDefaultThemePasses(t *testing.T) {
	t.Parallel()
	for _, p := range (Document{}).Check() {
		t.Errorf("%s: %s", p.Scheme, p.Message())
	}
}

// judged measures a contrast by the text of WCAG 2.2, without the code of this package.
func judged(t *testing.T, a, b string) float64 {
	t.Helper()
	luminance := func(hex string) (sum float64) {
		for i, weight := range []float64{0.2126, 0.7152, 0.0722} {
			n, err := strconv.ParseUint(hex[1+2*i:3+2*i], 16, 8)
			if err != nil {
				t.Fatal(err)
			}
			v := float64(n) / 255
			if v <= 0.04045 {
				v /= 12.92
			} else {
				v = math.Pow((v+0.055)/1.055, 2.4)
			}
			sum += weight * v
		}
		return sum
	}
	x, y := luminance(a), luminance(b)
	return (max(x, y) + 0.05) / (min(x, y) + 0.05)
}

// plain are the pairs that need no mixing, apart from the list of this package.
var plain = []struct {
	on, ground string
	least      float64
}{
	{"text", "paper", 4.5}, {"text", "raised", 4.5}, {"text", "hover", 4.5}, {"text", "bad-wash", 4.5}, {"soft", "paper", 4.5}, {"soft", "raised", 4.5},
	{"faint", "paper", 4.5}, {"faint", "raised", 4.5}, {"control", "paper", 3}, {"on-amber", "amber", 4.5}, {"signal", "paper", 4.5}, {"signal", "signal-wash", 4.5},
	{"focus", "paper", 3}, {"good", "good-wash", 4.5}, {"warn", "warn-wash", 4.5}, {"bad", "bad-wash", 4.5}, {"info", "info-wash", 4.5}, {"get", "paper", 4.5},
}

func random(r *rand.Rand, share float64) (d Document) {
	for _, s := range Schemes {
		for _, v := range Variables {
			if r.Float64() < share {
				d = d.With(s, v.Name, fmt.Sprintf("#%06x", r.IntN(1<<24)))
			}
		}
	}
	return d
}

// What passes the check passes an independent formula too, and what is offered for what
// is refused passes in all.
func TestOffersPass(t *testing.T) {
	t.Parallel()
	count := 60
	if os.Getenv("HELIOGRAPH_PALETTES") != "" {
		count, _ = strconv.Atoi(os.Getenv("HELIOGRAPH_PALETTES"))
	}
	const parts = 4
	for part := range uint64(parts) {
		t.Run(fmt.Sprint("part ", part), func(t *testing.T) {
			t.Parallel()
			offersPass(t, rand.New(rand.NewPCG(48, part)), count/parts) //nolint:gosec // repeatable
		})
	}
}

func offersPass(t *testing.T, r *rand.Rand, count int) {
	refused := 0
	for i := range count {
		d := random(r, []float64{1, 0.3, 0.03}[i%3])
		problems := d.Check()
		if len(problems) > 0 {
			refused++
		}
		mended, err := d.Repair()
		if err != nil {
			t.Fatal(err)
		}
		if left := mended.Check(); len(left) > 0 {
			t.Fatalf("palette %d: after every offer: %s: %s", i, left[0].Scheme, left[0].Message())
		}
		for _, s := range Schemes {
			for _, p := range plain {
				if ratio := judged(t, mended.Color(s, p.on), mended.Color(s, p.ground)); ratio < p.least {
					t.Errorf("palette %d, %s: %s on %s is %.3f", i, s, p.on, p.ground, ratio)
				}
			}
		}
		for _, p := range problems {
			if p.Ratio >= p.Least {
				t.Errorf("palette %d: refused with %.2f where %.2f is enough", i, p.Ratio, p.Least)
			}
		}
	}
	if refused == 0 || refused == count {
		t.Errorf("%d of %d random palettes are refused", refused, count)
	}
}

// The focus ring of the dark scheme follows the accent that is offered, not the one that
// was refused.
func TestFocusFollowsTheOfferedAccent(t *testing.T) {
	t.Parallel()
	d := Document{}.With(Dark, "amber", "#744fe1").With(Dark, "hover", "#110955")
	mended, err := d.Repair()
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range mended.Check() {
		t.Errorf("%s: %s", p.Scheme, p.Message())
	}
}

// Nearly white and nearly black accents are refused with the figure.
func TestAccentAtTheEnds(t *testing.T) {
	t.Parallel()
	d := Document{}.With(Light, "signal", "#fefefe").With(Light, "amber", "#010101")
	var fields []string
	for _, p := range d.Check() {
		fields = append(fields, fmt.Sprintf("%s %.2f", p.Field(), p.Ratio))
	}
	got := strings.Join(fields, ", ")
	if !regexp.MustCompile(`light\.on-amber 1\.\d\d, light\.signal 1\.\d\d`).MatchString(got) {
		t.Errorf("refused: %s", got)
	}
}

// The style sheet has the same defaults.
func TestDefaultsAreTheTokens(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("../../../static/css/tokens.css")
	if err != nil {
		t.Fatal(err)
	}
	tokens := map[string]string{}
	for _, m := range regexp.MustCompile(`--([\w-]+): ([^;]+);`).FindAllStringSubmatch(string(text), -1) {
		if tokens[m[1]] == "" {
			tokens[m[1]] = m[2]
		}
	}
	variable := regexp.MustCompile(`var\(--([\w-]+)\)`)
	both := regexp.MustCompile(`^light-dark\((oklch\([^)]*\)), (oklch\([^)]*\))\)$`)
	for _, v := range Variables {
		value := tokens[v.Name]
		for variable.MatchString(value) {
			value = variable.ReplaceAllStringFunc(value, func(m string) string { return tokens[variable.FindStringSubmatch(m)[1]] })
		}
		light, dark := value, value
		if m := both.FindStringSubmatch(value); m != nil {
			light, dark = m[1], m[2]
		}
		if light != v.Light || dark != v.Dark {
			t.Errorf("--%s is %s and %s, here %s and %s", v.Name, light, dark, v.Light, v.Dark)
		}
	}
	if got := tokens["ink"]; got != ink {
		t.Errorf("--ink is %s, here %s", got, ink)
	}
}
