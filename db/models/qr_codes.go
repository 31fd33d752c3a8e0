package models

// QRCode opens a chat with a number and a message in it.
type QRCode struct {
	Code          string // 14 of A–Z and 0–9
	PhoneNumberID int64
	Message       string
	Position      int64 // newest has the highest
}
