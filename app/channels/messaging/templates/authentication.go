package templates

import (
	"cmp"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"unicode/utf8"

	"heliograph/app/channels/messaging/refusal"
	"heliograph/app/input"
)

// Limits of an authentication template.
const (
	maxExpiration    = 90 // minutes
	maxApps          = 5
	maxPackageName   = 224
	signatureHashLen = 11
)

// wording is the fixed text of authentication templates in one language.
type wording struct{ body, security, minute, minutes, button string }

// wordings maps a language, without region, to its wording. Other languages use
// the English one.
var wordings = map[string]wording{
	"en": {"*{{1}}* is your verification code.", "For your security, do not share this code.", "This code expires in 1 minute.", "This code expires in %d minutes.", "Copy code"},
	"de": {"*{{1}}* ist dein Bestätigungscode.", "Teile diesen Code zu deiner Sicherheit mit niemandem.", "Dieser Code läuft in 1 Minute ab.", "Dieser Code läuft in %d Minuten ab.", "Code kopieren"},
	"es": {"*{{1}}* es tu código de verificación.", "Por tu seguridad, no lo compartas.", "Este código caduca en 1 minuto.", "Este código caduca en %d minutos.", "Copiar código"},
	"fr": {"*{{1}}* est votre code de vérification.", "Pour votre sécurité, ne le communiquez à personne.", "Ce code expire dans 1 minute.", "Ce code expire dans %d minutes.", "Copier le code"},
	"hi": {"*{{1}}* आपका सत्यापन कोड है।", "अपनी सुरक्षा के लिए यह कोड किसी को न बताएं।", "यह कोड 1 मिनट में समाप्त हो जाएगा।", "यह कोड %d मिनट में समाप्त हो जाएगा।", "कोड कॉपी करें"},
	"id": {"*{{1}}* adalah kode verifikasi Anda.", "Demi keamanan, jangan bagikan kode ini.", "Kode ini kedaluwarsa dalam 1 menit.", "Kode ini kedaluwarsa dalam %d menit.", "Salin kode"},
	"it": {"*{{1}}* è il tuo codice di verifica.", "Per la tua sicurezza, non condividerlo.", "Questo codice scade tra 1 minuto.", "Questo codice scade tra %d minuti.", "Copia codice"},
	"pt": {"*{{1}}* é seu código de verificação.", "Para sua segurança, não o compartilhe.", "Este código expira em 1 minuto.", "Este código expira em %d minutos.", "Copiar código"},
}

// wordingOf returns the wording of a locale.
func wordingOf(locale string) wording {
	language, _, _ := strings.Cut(locale, "_")
	if w, ok := wordings[language]; ok {
		return w
	}
	return wordings["en"]
}

// checkAuthentication validates an authentication template and replaces its
// options by the text that is sent.
func (d *draft) checkAuthentication(seen map[input.Text]bool) error {
	if d.format != Positional {
		return refusal.New(refusal.Invalid, "parameter_format", "the variable of an authentication template is numbered: omit parameter_format")
	}
	if !seen["BUTTONS"] {
		return refuse(subcodeFieldMissing, "components", "components has no BUTTONS: an authentication template has one button of type OTP")
	}
	words := wordingOf(d.language)
	for i, c := range d.components {
		at := componentAt(i)
		var err error
		switch c.Type {
		case "BODY":
			d.components[i], err = expandBody(at, c, words)
		case "FOOTER":
			d.components[i], err = expandFooter(at, c, words)
		case "BUTTONS":
			d.components[i], err = expandButtons(at, c, words)
		default:
			err = refusal.New(refusal.Invalid, at, "an authentication template can have only BODY, FOOTER and BUTTONS: remove %q", truncate(c.Type))
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func expandBody(at string, c Component, words wording) (Component, error) {
	if c.Text != "" {
		return c, refuse(subcodeFormat, at, "the body of an authentication template is fixed for each language: omit text")
	}
	text := words.body
	if c.AddSecurityRecommendation != nil && bool(*c.AddSecurityRecommendation) {
		text += " " + words.security
	}
	return Component{
		Type: c.Type, Text: input.Text(text), AddSecurityRecommendation: c.AddSecurityRecommendation,
		Example: &Example{BodyText: [][]input.Text{{"123456"}}},
	}, nil
}

func expandFooter(at string, c Component, words wording) (Component, error) {
	minutes := c.CodeExpirationMinutes
	switch {
	case c.Text != "":
		return c, refuse(subcodeFooter, at, "the footer of an authentication template is fixed for each language: omit text and send code_expiration_minutes")
	case minutes == nil:
		return c, refuse(subcodeFieldMissing, at, "the footer needs code_expiration_minutes: omit the footer if the message should not say when the code expires")
	case *minutes < 1 || *minutes > maxExpiration:
		return c, refusal.New(refusal.Invalid, at, "code_expiration_minutes must be from 1 to %d", maxExpiration)
	}
	text := words.minute
	if *minutes > 1 {
		text = fmt.Sprintf(words.minutes, *minutes)
	}
	return Component{Type: c.Type, Text: input.Text(text), CodeExpirationMinutes: minutes}, nil
}

// expandButtons replaces the OTP button by the URL button that carries the code.
func expandButtons(at string, c Component, words wording) (Component, error) {
	at += ".buttons[0]"
	if len(c.Buttons) != 1 || Upper(c.Buttons[0].Type) != "OTP" {
		return c, refusal.New(refusal.Invalid, at, "an authentication template has exactly one button, of type OTP")
	}
	b := c.Buttons[0]
	kind := Upper(b.OTPType)
	query := url.Values{"otp_type": {string(kind)}}
	switch kind {
	case "COPY_CODE":
	case "ONE_TAP", "ZERO_TAP":
		if err := checkApps(at, b); err != nil {
			return c, err
		}
		if kind == "ZERO_TAP" && !b.ZeroTapTerms {
			return c, refusal.New(refusal.Invalid, at, "ZERO_TAP needs zero_tap_terms_accepted: true")
		}
		if b.AutofillText != "" {
			query.Set("cta_display_name", string(b.AutofillText))
		}
		for _, app := range b.SupportedApps {
			query.Add("package_name", string(app.PackageName))
			query.Add("signature_hash", string(app.SignatureHash))
		}
	default:
		return c, refusal.New(refusal.Invalid, at, "otp_type must be COPY_CODE, ONE_TAP or ZERO_TAP")
	}
	b.Text = cmp.Or(b.Text, input.Text(words.button))
	for _, label := range []input.Text{b.Text, b.AutofillText} {
		if err := atMost(at, "the label", label, maxLabel); err != nil {
			return c, err
		}
		if strings.Contains(string(label), "://") || strings.Contains(string(label), "{{") || hasEmoji(string(label)) {
			return c, refusal.New(refusal.Invalid, at, "write the label without links, variables and emoji")
		}
	}
	address := "https://example.com/otp/code/?" + query.Encode() + "&code=otp"
	return Component{Type: c.Type, Buttons: []Button{{
		Type: "URL", Text: b.Text, URL: input.Text(address + "{{1}}"), Example: texts{input.Text(address + "123456")},
	}}}, nil
}

// checkApps checks the apps that receive the code of a one-tap or zero-tap
// button.
func checkApps(at string, b Button) error {
	if len(b.SupportedApps) < 1 || len(b.SupportedApps) > maxApps {
		return refuse(subcodeFieldMissing, at, "%s needs supported_apps with 1 to %d apps", Upper(b.OTPType), maxApps)
	}
	for _, app := range b.SupportedApps {
		switch {
		case !strings.Contains(string(app.PackageName), ".") || utf8.RuneCountInString(string(app.PackageName)) > maxPackageName:
			return refusal.New(refusal.Invalid, at, "package_name must be the name of an app, such as com.example.lamps, with at most %d characters", maxPackageName)
		case utf8.RuneCountInString(string(app.SignatureHash)) != signatureHashLen:
			return refusal.New(refusal.Invalid, at, "signature_hash must have %d characters", signatureHashLen)
		}
	}
	return nil
}

// copiesCode reports whether the components of a request have a copy-code
// button.
func copiesCode(components []Component) bool {
	return slices.ContainsFunc(components, func(c Component) bool {
		return len(c.Buttons) == 1 && Upper(c.Buttons[0].OTPType) == "COPY_CODE"
	})
}
