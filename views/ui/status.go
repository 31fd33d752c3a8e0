package ui

// StatusTone gives the meaning of a status code's first digit: success good,
// redirection information, the caller's fault a warning, the server's bad.
func StatusTone(code string) Tone {
	if code == "" {
		return ""
	}
	switch code[0] {
	case '2':
		return Good
	case '3':
		return Info
	case '4':
		return Warn
	case '5':
		return Bad
	}
	return ""
}

func alertRole(tone Tone) string {
	if tone == Bad {
		return "alert"
	}
	return "note"
}
