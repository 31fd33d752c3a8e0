package sms

import (
	"cmp"
	"encoding/hex"
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"

	"heliograph/app/input"
	"heliograph/db/models"
)

// checkText finds the text and divides it.
func (a *Account) checkText(m *Message, _ envelope, p *prepared) error {
	text := string(m.Text)
	if m.TemplateID != "" {
		stored, err := a.storedText(m)
		if err != nil {
			return err
		}
		text = Fill(stored.Text, m.TemplateValues)
		if p.payload.TemplateID = stored.DLTTemplateID; stored.DLTTemplateID != "" && m.DLTTemplate == "" {
			m.DLTTemplate = input.Text(stored.DLTTemplateID)
		}
	}
	if text == "" {
		return refuse(codeNoText, "")
	}
	if input.IsBlank(text) {
		return refuse(codeNoText, "the text has no visible character")
	}
	if len(text) > 4*maxMessageText {
		return refuse(CodeBadRequest, "msg is too long")
	}
	content, err := a.content(m, text, p)
	if err != nil {
		return err
	}
	parts, err := content.Split()
	if err != nil {
		return err
	}
	most, err := number(m.MaxSplit, maxParts, 1, maxParts)
	if err != nil {
		return refuse(CodeBadRequest, "max_split must be 1 to 30")
	}
	if len(parts) > most {
		return tooManyParts(len(parts), most)
	}
	if numbered, _ := checkUDH(content.UDH); numbered && len(parts) > 1 {
		return refuse(codeUDH, "udh numbers parts already, and the text takes more than one")
	}
	p.parts = len(parts)
	return nil
}

// storedText returns the stored text that a message names, if its values fit.
func (a *Account) storedText(m *Message) (t models.SMSTemplate, err error) {
	for _, t = range a.Templates {
		if strconv.FormatInt(t.ID, 10) == string(m.TemplateID) {
			want := Variables(t.Text)
			if len(m.TemplateValues) != want || want > maxSlots {
				return t, refuse(codeTemplateValues, fmt.Sprintf("the stored text has %d variables", want))
			}
			for _, value := range m.TemplateValues {
				if utf8.RuneCountInString(value) > maxTemplateValue {
					return t, refuse(codeTemplateValues, fmt.Sprintf("a value has at most %d characters", maxTemplateValue))
				}
			}
			return t, nil
		}
	}
	return t, refuse(codeTemplate, "")
}

// content decides how a text is sent and fills the payload in.
func (a *Account) content(m *Message, text string, p *prepared) (c content, err error) {
	kind := strings.ToUpper(string(m.Type))
	kind = cmp.Or(kind, "AD")
	p.payload.Type, p.payload.Flash = kind, kind == "FL" || kind == "FU"
	switch kind {
	case "PM", "FL", "AD":
		c.Text, c.Encoding = text, encodingOf(text)
		if c.Encoding != gsm7 && kind != "AD" && !a.AutoUnicode {
			return c, refuse(codeType, "the text has characters outside GSM 7-bit: use UC or AD")
		}
	case "UC", "FU":
		c.Text, c.Encoding = text, ucs2
	case "BM", "SP":
		if c.Data, err = hex.DecodeString(text); err != nil {
			return c, refuse(codeType, "msg must be octets in hexadecimal for "+kind)
		}
		c.Encoding = data8
	default:
		return c, refuse(codeType, "")
	}
	if c.UDH, err = header(m, kind); err != nil {
		return c, err
	}
	dcs, err := number(m.DCS, 4, 0, 255)
	if err != nil {
		return c, refuse(codeDCS, "")
	}
	if c.Encoding == data8 {
		p.payload.DCS = dcs
	}
	c.WideReference = a.WideReference
	p.payload.setContent(c)
	return c, nil
}

// header returns the user data header that a message asks for.
func header(m *Message, kind string) (udh []byte, err error) {
	port, err := number(m.Port, 0, 1, 65535)
	if err != nil || kind == "SP" && port == 0 {
		return nil, refuse(codePort, "")
	}
	if m.UDHI != "" && m.UDHI != "0" && m.UDHI != "1" || m.UDHI == "0" && m.UDH != "" || m.UDHI == "1" && m.UDH == "" {
		return nil, refuse(codeUDHI, "")
	}
	if m.UDH != "" {
		if udh, err = hex.DecodeString(string(m.UDH)); err != nil {
			return nil, refuse(codeUDH, "")
		}
		if _, ok := checkUDH(udh); !ok {
			return nil, refuse(codeUDH, "")
		}
	}
	if kind == "SP" {
		own := portHeader(port)
		if len(udh) > 0 {
			own = append(own, udh[1:]...)
			own[0] = byte(len(own) - 1)
		}
		udh = own
	}
	return udh, nil
}

// number reads a whole number between least and most; an empty text is the
// default.
func number(text input.Text, otherwise, least, most int) (int, error) {
	if text == "" {
		return otherwise, nil
	}
	n, err := strconv.Atoi(string(text))
	if err == nil && (n < least || n > most) {
		err = strconv.ErrRange
	}
	return n, err
}
