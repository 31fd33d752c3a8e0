package email

// BotChanged says what has happened to an RCS bot, for the owners of its
// organisation. reason is empty where there is none.
func BotChanged(name, outcome, reason, url string) Message {
	m := Message{Subject: "Your RCS bot " + outcome, blocks: []block{paragraph("Your RCS bot %s %s.", name, outcome)}}
	if reason != "" {
		m.blocks = append(m.blocks, paragraph("Reason: %s", reason))
	}
	m.blocks = append(m.blocks, link("Its details", url))
	return m
}
