package simulate

// Screen is what a phone shows.
type Screen struct {
	Sender   string // name in the header
	About    string // under the name
	Verified bool
	Color    string // of the brand, #RRGGBB; empty for none
	Bubbles  []Bubble
	// Notes say what the phone does not show, such as a fallback.
	Notes []string
}

// Bubble is one message, or one card of it.
type Bubble struct {
	// To is the recipient, where several get a message each.
	To string
	// Channel names the channel of a fallback; empty for the message itself.
	Channel  string
	Quoted   string // what a reply quotes
	Reaction string // an emoji on the message before
	Wide     bool   // a card of medium width in a carousel
	Media    *mediaFile
	Title    string
	Text     []Block
	Rows     []Row
	Footer   string
	Offer    *limitedOffer
	List     *choiceList
	Order    *orderSummary
	Buttons  []Button
	Cards    []Bubble
	Chips    []Button // below the bubble
	Parts    []Part   // of an SMS
	// Summary is about all parts of an SMS.
	Summary string
	Flash   bool
	// Caution is what an operator would object to.
	Caution string
}

// mediaFile is a placeholder for a file.
type mediaFile struct {
	Kind   string // image, video, audio, document, sticker or file
	Label  string // the address or the id
	Name   string // of the file
	Height string // short, medium, tall or empty
	Side   string // left or right; empty for above
}

// Row is a line of details with its label.
type Row struct{ Label, Text string }

// limitedOffer is a limited offer with its end.
type limitedOffer struct{ Title, Code, Until string }

// The kinds of buttons.
const (
	buttonReply    = "reply"
	buttonURL      = "url"
	buttonCall     = "call"
	buttonCopy     = "copy"
	buttonFlow     = "flow"
	buttonShop     = "shop"
	buttonPay      = "pay"
	buttonMap      = "map"
	buttonCalendar = "calendar"
	buttonShare    = "share"
)

// Button is something that can be tapped.
type Button struct {
	Kind  string
	Text  string
	Leads string // what follows: an address, a number or what is sent back
}

// choiceList opens from a button.
type choiceList struct {
	Button   string
	Sections []Section
}

// Section is a part of a list or of a shop.
type Section struct {
	Title string
	Items []Item
}

// Item is a choice of a list.
type Item struct{ ID, Title, Text string }

// orderSummary is what is to be paid, or the state of it.
type orderSummary struct {
	Reference string
	Items     []Row
	Sums      []Row
	Total     string
}

// Part is one short message of an SMS.
type Part struct {
	Text []Span
	// Size says how much of the room is used.
	Size string
}
