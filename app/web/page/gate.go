package page

import (
	"fmt"
	"mime/multipart"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/labstack/echo/v4"

	"heliograph/app/fault"
	"heliograph/app/keyring"
	"heliograph/app/people/identity"
	"heliograph/views/layout"
	"heliograph/views/ui"
)

// Gate protects the pages of an area. It refuses requests forged by other sites,
// looks the session up and checks the form token and the role, in this order. A
// request of htmx without a session is sent to sign in before its token is
// checked, because the token of an ended session is invalid.
type Gate struct {
	area      Area
	directory *identity.Directory
	sessions  []byte // signs session cookies
	tokens    []byte // signs form tokens
	keyring   *keyring.Keyring
	origins   *http.CrossOriginProtection
	https     bool
	brand     func() *layout.Brand
	stream    string // address of the events of pages without its time, or empty
}

// GateOptions holds the dependencies of a Gate.
type GateOptions struct {
	Area      Area
	Directory *identity.Directory
	Keyring   *keyring.Keyring
	// PublicURL is the public address of the server.
	PublicURL string
	// Brand returns the appearance of the area's pages; nil is the default one.
	Brand func() *layout.Brand
	// Streams says whether the area has a stream of events.
	Streams bool
}

// NewGate makes the gate of an area.
func NewGate(o GateOptions) (*Gate, error) {
	g := &Gate{
		area:      o.Area,
		directory: o.Directory,
		sessions:  o.Keyring.Subkey("session/" + string(o.Area.Surface)),
		tokens:    o.Keyring.Subkey("csrf"),
		keyring:   o.Keyring,
		origins:   http.NewCrossOriginProtection(),
		brand:     o.Brand,
		https:     strings.HasPrefix(o.PublicURL, "https://"),
	}
	if o.Streams {
		g.stream = o.Area.Stream()
	}
	if err := g.origins.AddTrustedOrigin(o.PublicURL); err != nil {
		return nil, fmt.Errorf("trusting %s: %w", o.PublicURL, err)
	}
	return g, nil
}

// visit is the session and the token of a request.
type visit struct {
	gate    *Gate
	session identity.Session // zero without one
	user    *identity.User   // nil without a session
	anchor  string           // what form tokens are bound to; see Token
	token   string           // for the forms of the answer, once there is one
	changed bool             // the request began or ended a session
	start   time.Time
	parts   *multipart.Reader // of a streamed form, once it is read
}

const visitKey = "page.visit"

func visitOf(c echo.Context) *visit {
	v, _ := c.Get(visitKey).(*visit)
	if v == nil {
		panic("page: the route has no session: give it another access")
	}
	return v
}

// User returns the signed-in user of the area, or nil.
func User(c echo.Context) *identity.User { return visitOf(c).user }

// Home returns the link of a signed-in user to the first page of the area. It is
// zero for everybody else.
func Home(c echo.Context) ui.Link {
	v, _ := c.Get(visitKey).(*visit)
	if v == nil || v.user == nil {
		return ui.Link{}
	}
	return ui.Link{Label: v.user.Name, Href: v.gate.area.Home}
}

// Session returns the session of the signed-in user.
func Session(c echo.Context) identity.Session { return visitOf(c).session }

// Guard calls next for users with one of the roles, or for everybody if there are
// no roles. Others are sent to sign in if they open a page, and refused otherwise.
func (g *Gate) Guard(next echo.HandlerFunc, roles ...string) echo.HandlerFunc {
	return func(c echo.Context) error {
		NoStore(c.Response().Header())
		if err := g.origins.Check(c.Request()); err != nil || g.isDowngraded(c.Request()) {
			return fault.New(fault.Forbidden, "This request came from another site and was refused.")
		}
		if err := legible(c.QueryParams()); err != nil {
			return err
		}
		v, err := g.identify(c)
		if err != nil {
			return err
		}
		c.Set(visitKey, v)
		if len(roles) > 0 && v.user == nil && (safe(c.Request().Method) || byScript(c)) {
			return g.signIn(c)
		}
		if n := c.Request().ContentLength; len(roles) > 0 && v.user == nil && (n < 0 || n > StrangersBody) {
			return errSessionEnded
		}
		if err := v.checkToken(c); err != nil {
			return err
		}
		switch {
		case len(roles) == 0 || v.user != nil && slices.Contains(roles, v.user.Role):
			return next(c)
		case v.user != nil:
			return g.area.refuse(v.user, roles)
		}
		return errSessionEnded
	}
}

// StrangersBody is how much of a form is read, in bytes, before its sender is known to
// be signed in.
const StrangersBody = 64 << 10

var errSessionEnded = fault.New(fault.Unauthenticated, "Your session has ended. Sign in again.")

// isDowngraded reports whether a request comes from a page of this host without TLS,
// which anybody on the way may have written. The origin check compares hosts alone.
func (g *Gate) isDowngraded(r *http.Request) bool {
	scheme, _, ok := strings.Cut(r.Header.Get(echo.HeaderOrigin), "://")
	return ok && g.https && !safe(r.Method) && !strings.EqualFold(scheme, "https")
}

// signIn sends the browser to the sign-in form, which leads back to the open page.
// For htmx that is the page it runs on, not the address of the request.
func (g *Gate) signIn(c echo.Context) error {
	if wantsStream(c) || isQuiet(c) {
		return c.NoContent(http.StatusNoContent) // which ends a stream for good
	}
	shown := c.Request().URL.RequestURI()
	if byScript(c) && current(c) != "" {
		shown = current(c)
	}
	return redirect(c, g.area.Login+"?next="+url.QueryEscape(shown))
}

func safe(method string) bool { return method == http.MethodGet || method == http.MethodHead }
