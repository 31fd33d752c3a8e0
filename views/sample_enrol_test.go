package views_test

import (
	"heliograph/views/layout"
	codeview "heliograph/views/people/code"
	registrationview "heliograph/views/people/registration"
	"heliograph/views/ui"
)

// enrolPages are the forms before there is an account: as they open, and as
// they come back.
func enrolPages() []page {
	frame := func(title string) layout.Page { return layout.Page{Title: title} }
	password := "At least 12 characters. A sentence that only you would say is strong and easy to remember."
	register := registrationview.RegisterPage{
		Page: frame("Register an organisation"), CSRF: "token",
		Organisation: ui.Input{Name: "organisation", Label: "Organisation", Autocomplete: "organization", Required: true},
		Email:        ui.Input{Name: "email", Label: "Your email address", Type: "email", Autocomplete: "username", Required: true},
		Mobile:       ui.Input{Name: "mobile", Label: "Your mobile number", Type: "tel", Autocomplete: "tel", Required: true, Hint: "With the country code, such as +91 98123 45678. We send a code to it."},
		Password:     ui.Input{Name: "password", Label: "Password", Type: "password", Autocomplete: "new-password", Required: true, Hint: password},
		Confirmation: ui.Input{Name: "confirmation", Label: "Password once more", Type: "password", Autocomplete: "new-password", Required: true},
	}
	wrong, late := register, register
	late.Problem = "Too many attempts. Wait 12 minutes, then try again after 14:05 UTC."
	wrong.Organisation.Value, wrong.Email.Value, wrong.Mobile.Value = "Lighthouse Books", "asha@example.com", "+91 11 2345 6789"
	wrong.Mobile.Error = "This is not a mobile number. Enter a number that can receive SMS."
	wrong.Confirmation.Error = "Enter the same password again."
	code := ui.Input{Name: "code", Label: "Code", Autocomplete: "one-time-code", InputMode: "numeric", Required: true, Focus: true, Hint: "Valid for 10 minutes and five attempts."}
	verify := codeview.VerifyPage{
		Page: frame("Enter the code"), CSRF: "token", Action: "/register/verify", Phone: "+91 98123 45678", Code: code,
		Again: codeview.Again{Action: "/register/resend", Address: "/register/verify", Wait: 30, From: "14:05:30 UTC", At: "2026-11-21T14:05:30Z"},
	}
	mistyped := verify
	mistyped.Code.Value, mistyped.Code.Error = "481 926", "This code is wrong or no longer valid. Check the digits or request a new code."
	mistyped.Again = codeview.Again{Action: "/register/resend"}
	forgot := registrationview.ForgotPage{
		Page: frame("Forgot your password?"), CSRF: "token",
		Email: ui.Input{Name: "email", Label: "Email address", Type: "email", Autocomplete: "username", Required: true},
	}
	code.Focus = false
	reset := registrationview.ResetPage{
		Page: frame("Choose another password"), CSRF: "token", Address: "asha@example.com", Code: code,
		Password:     ui.Input{Name: "password", Label: "New password", Type: "password", Autocomplete: "new-password", Required: true, Hint: password},
		Confirmation: ui.Input{Name: "confirmation", Label: "New password once more", Type: "password", Autocomplete: "new-password", Required: true},
		Again:        codeview.Again{Action: "/forgot-password/resend"},
	}
	refused := reset
	refused.Code.Value = "481926"
	refused.Password.Error = "This is your current password. Choose a different one."
	number := codeview.MobilePage{Frame: accountFrame("Enter the code", "Profile", ""), VerifyPage: mistyped}
	number.VerifyPage.Action = "/account/profile/mobile/verify"
	return []page{
		{"mobile", number.Frame.Page, codeview.Mobile(number)},
		{"register", register.Page, registrationview.Register(register)},
		{"register-wrong", wrong.Page, registrationview.Register(wrong)},
		{"register-late", late.Page, registrationview.Register(late)},
		{"verify", verify.Page, codeview.Verify(verify)},
		{"verify-wrong", mistyped.Page, codeview.Verify(mistyped)},
		{"forgot", forgot.Page, registrationview.Forgot(forgot)},
		{"reset", reset.Page, registrationview.Reset(reset)},
		{"reset-wrong", refused.Page, registrationview.Reset(refused)},
	}
}
