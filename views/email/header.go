package email

// HeaderDecided says what an administrator has decided about an SMS header, for the
// owners of the organisation that asked for it. reason is empty where there is none.
func HeaderDecided(header, outcome, reason, url string) Message {
	m := Message{Subject: "Your SMS header " + header + " " + outcome, blocks: []block{paragraph("The SMS header %s %s.", header, outcome)}}
	if reason != "" {
		m.blocks = append(m.blocks, paragraph("Reason: %s", reason))
	}
	m.blocks = append(m.blocks, link("Your headers", url))
	return m
}
