package account

import (
	"net/http"
	"time"

	"github.com/labstack/echo/v4"

	"heliograph/app/people/identity"
	"heliograph/app/phone"
	"heliograph/app/web/page"
	view "heliograph/views/account"
	"heliograph/views/layout"
	"heliograph/views/ui"
)

// The cookie that says which code a browser waits for, sealed, and for how
// long: another code can be asked for after the first has expired.
const (
	codeCookie = "heliograph-code"
	codeWait   = time.Hour
)

// places are where the codes of a purpose are entered and asked for again.
var places = map[string]struct{ enter, resend, start string }{
	identity.ForRegistration: {"/register/verify", "/register/resend", "/register"},
	identity.ForRecovery:     {"/forgot-password/reset", "/forgot-password/resend", "/forgot-password"},
	identity.ForMobile:       {mobilePath, mobilePath + "/resend", profilePath},
}

// wait has the browser wait for a code, and goes where it is entered.
func (h *Handlers) wait(c echo.Context, challenge *identity.Challenge) error {
	if err := h.Gate.Keep(c, codeCookie, challenge, codeWait); err != nil {
		return err
	}
	return page.SeeOther(c, places[challenge.Purpose].enter)
}

// waiting returns the code that the browser waits for.
func (h *Handlers) waiting(c echo.Context, purpose string) (challenge identity.Challenge, ok bool) {
	ok = h.Gate.Kept(c, codeCookie, &challenge)
	return challenge, ok && challenge.Purpose == purpose
}

// Pending sends another code to who knows the password of an account that was
// never verified.
func (h *Handlers) Pending(c echo.Context, p *identity.PendingError) error {
	challenge, err := h.Enrolment.ContinueRegistration(c.Request().Context(), p, visitor(c))
	if err != nil {
		return err
	}
	return h.wait(c, challenge)
}

// enter begins the session of who entered a code and goes on to an address.
func (h *Handlers) enter(c echo.Context, session *identity.Session, to string) error {
	h.Gate.Forget(c, codeCookie)
	if err := h.Gate.Begin(c, session); err != nil {
		return err
	}
	return page.SeeOther(c, to)
}

// codeForm is the form of a registration's code, and what it is the code of.
type codeForm struct {
	Code      string `form:"code"`
	challenge identity.Challenge
}

// ShowVerify asks for the code of a registration.
func (h *Handlers) ShowVerify(c echo.Context) error {
	challenge, ok := h.waiting(c, identity.ForRegistration)
	if !ok {
		return page.SeeOther(c, places[identity.ForRegistration].start)
	}
	return h.renderVerify(c, http.StatusOK, codeForm{challenge: challenge}, &page.Problems{})
}

// Verify checks the code and goes on to the account.
func (h *Handlers) Verify(c echo.Context) error {
	var f codeForm
	if err := page.Bind(c, &f); err != nil {
		return err
	}
	challenge, ok := h.waiting(c, identity.ForRegistration)
	if !ok {
		return page.SeeOther(c, places[identity.ForRegistration].start)
	}
	f.challenge = challenge
	session, err := h.Enrolment.Verify(c.Request().Context(), challenge, f.Code, visitor(c))
	if err != nil {
		return page.Again(c, err, func(status int, problems *page.Problems) error {
			return h.renderVerify(c, status, f, problems)
		})
	}
	return h.enter(c, session, page.Account.Home)
}

// ResendRegistration sends another code of a registration.
func (h *Handlers) ResendRegistration(c echo.Context) error {
	return h.resend(c, identity.ForRegistration, func(challenge identity.Challenge, status int, problems *page.Problems) error {
		return h.renderVerify(c, status, codeForm{challenge: challenge}, problems)
	})
}

// resend sends another code, or shows the page of the present one with what is
// in the way.
func (h *Handlers) resend(c echo.Context, purpose string, show func(identity.Challenge, int, *page.Problems) error) error {
	challenge, ok := h.waiting(c, purpose)
	if !ok {
		return page.SeeOther(c, places[purpose].start)
	}
	next, err := h.Enrolment.Resend(c.Request().Context(), challenge, visitor(c))
	if err != nil {
		return page.Again(c, err, func(status int, problems *page.Problems) error { return show(challenge, status, problems) })
	}
	return h.wait(c, next)
}

func (h *Handlers) renderVerify(c echo.Context, status int, f codeForm, problems *page.Problems) error {
	again, announcement := againAfter(c, f.challenge, problems)
	p := view.VerifyPage{
		Page: layout.Page{Title: "Enter the code", Announcement: announcement},
		CSRF: page.Token(c), Problem: problems.Form, Action: places[identity.ForRegistration].enter,
		Phone: phone.Format(f.challenge.Phone), Code: codeInput(f.Code, problems), Again: again,
	}
	p.Code.Focus = true
	return page.Render(c, status, page.View{Frame: p.Page, Body: view.Verify(p)})
}

func codeInput(value string, problems *page.Problems) ui.Input {
	return ui.Input{
		Name: "code", Label: "Code", Autocomplete: "one-time-code", InputMode: "numeric", Required: true, Value: value,
		Hint: "Valid for 10 minutes and five attempts.", Error: problems.Fields["code"],
	}
}

// againAfter is the form for another code, with what is left of the pause, and what
// is announced when none is left. It takes the problem of who pressed its button.
func againAfter(c echo.Context, challenge identity.Challenge, problems *page.Problems) (a view.Again, announcement string) {
	at := places[challenge.Purpose]
	a = view.Again{Action: at.resend, Address: at.enter}
	if c.Path() == at.resend {
		a.Problem, problems.Form = problems.Form, ""
	}
	from := challenge.NextAt()
	if left := time.Until(from); left > 0 {
		a.Wait = int((left + time.Second - 1) / time.Second)
		a.From, a.At = from.Add(time.Second-1).UTC().Format("15:04:05 MST"), from.UTC().Format(time.RFC3339)
	} else if c.Request().Method == http.MethodGet {
		announcement = "Another code can be sent now"
	}
	return a, announcement
}
