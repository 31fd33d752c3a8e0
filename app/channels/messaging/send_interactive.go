package messaging

import (
	"heliograph/app/channels/messaging/shop"
	"heliograph/app/input"
)

// interactive is a message that the recipient answers by pressing a button or
// choosing an option.
type interactive struct {
	Type   input.Text         `json:"type"`
	Header *interactiveHeader `json:"header,omitempty"`
	Body   *interactiveText   `json:"body,omitempty"`
	Footer *interactiveText   `json:"footer,omitempty"`
	Action *action            `json:"action"`
}

// interactiveHeader is a text or a file above the body.
type interactiveHeader struct {
	Type     input.Text `json:"type"`
	Text     input.Text `json:"text,omitempty"`
	Image    *sentFile  `json:"image,omitempty"`
	Video    *sentFile  `json:"video,omitempty"`
	Document *sentFile  `json:"document,omitempty"`
}

// interactiveText is the body or the footer.
type interactiveText struct {
	Text input.Text `json:"text"`
}

// action holds the buttons or options. The type of the message selects the
// fields that are used.
type action struct {
	Name              input.Text        `json:"name,omitempty"`
	Button            input.Text        `json:"button,omitempty"`
	Buttons           []replyButton     `json:"buttons,omitempty"`
	Sections          []section         `json:"sections,omitempty"`
	CatalogID         input.Text        `json:"catalog_id,omitempty"`
	ProductRetailerID input.Text        `json:"product_retailer_id,omitempty"`
	Parameters        *actionParameters `json:"parameters,omitempty"`
}

// replyButton is a button that answers with its id.
type replyButton struct {
	Type  input.Text `json:"type"`
	Reply struct {
		ID    input.Text `json:"id"`
		Title input.Text `json:"title"`
	} `json:"reply"`
}

// section is a part of a list of choices or of products.
type section struct {
	Title        input.Text    `json:"title,omitempty"`
	Rows         []row         `json:"rows,omitempty"`
	ProductItems []productItem `json:"product_items,omitempty"`
}

// row is a choice of a list.
type row struct {
	ID          input.Text `json:"id"`
	Title       input.Text `json:"title"`
	Description input.Text `json:"description,omitempty"`
}

// productItem names a product of the catalogue.
type productItem struct {
	ProductRetailerID input.Text `json:"product_retailer_id"`
}

// actionParameters holds the parameters of an action, of one kind: a link
// (DisplayText, URL), a flow, a catalogue or an order.
type actionParameters struct {
	DisplayText input.Text `json:"display_text,omitempty"`
	URL         input.Text `json:"url,omitempty"`

	FlowMessageVersion input.Text   `json:"flow_message_version,omitempty"`
	FlowID             input.Text   `json:"flow_id,omitempty"`
	FlowName           input.Text   `json:"flow_name,omitempty"`
	FlowCTA            input.Text   `json:"flow_cta,omitempty"`
	FlowToken          input.Text   `json:"flow_token,omitempty"`
	Mode               input.Text   `json:"mode,omitempty"`
	FlowAction         input.Text   `json:"flow_action,omitempty"`
	FlowActionPayload  *flowPayload `json:"flow_action_payload,omitempty"`

	ThumbnailProductRetailerID input.Text `json:"thumbnail_product_retailer_id,omitempty"`

	ReferenceID          input.Text `json:"reference_id,omitempty"`
	Type                 input.Text `json:"type,omitempty"` // of the goods
	PaymentType          input.Text `json:"payment_type,omitempty"`
	PaymentConfiguration input.Text `json:"payment_configuration,omitempty"`
	Currency             input.Text `json:"currency,omitempty"`
	TotalAmount          *amount    `json:"total_amount,omitempty"`
	Order                *order     `json:"order,omitempty"`
}

// flowPayload is the first screen of a flow with its data.
type flowPayload struct {
	Screen input.Text   `json:"screen,omitempty"`
	Data   input.Object `json:"data,omitempty"`
}

// Limits of interactive messages, in characters and items.
const (
	maxHeaderText   = 60
	maxBodyText     = 1024
	maxFooterText   = 60
	maxReplies      = 3
	maxButtonID     = 256
	maxButtonTitle  = 20
	maxSections     = 10
	maxSectionTitle = 24
	maxRows         = 10 // of all sections
	maxRowID        = 200
	maxRowTitle     = 24
	maxRowText      = 72
	maxProducts     = 30 // of all sections
	maxFlowCTA      = 30
	pathInteractive = "interactive"
	pathAction      = pathInteractive + ".action"
	pathParameters  = pathAction + ".parameters"
	pathSections    = pathAction + ".sections"
)

func (m *interactive) review(v *review) {
	v.word(pathInteractive+".type", &m.Type, "button", "list", "cta_url", "flow", "product", "product_list", "catalog_message", "order_details", "order_status", "location_request_message")
	m.reviewFrame(v)
	m.Action = orEmpty(m.Action)
	a := m.Action
	switch m.Type {
	case "button":
		a.reviewButtons(v)
	case "list":
		a.reviewChoices(v)
	case "cta_url":
		p := a.reviewName(v, "cta_url")
		v.text(pathParameters+".display_text", p.DisplayText, maxButtonTitle)
		v.address(pathParameters+".url", p.URL)
	case "flow":
		a.reviewName(v, "flow").reviewFlow(v)
	case "product":
		v.catalogue(pathAction+".catalog_id", a.CatalogID)
		v.text(pathAction+".product_retailer_id", a.ProductRetailerID, shop.MaxRetailerID)
	case "product_list":
		v.catalogue(pathAction+".catalog_id", a.CatalogID)
		a.reviewProducts(v)
	case "catalog_message":
		p := a.reviewName(v, "catalog_message")
		v.atMost(pathParameters+".thumbnail_product_retailer_id", p.ThumbnailProductRetailerID, shop.MaxRetailerID)
	case "order_details":
		a.reviewName(v, "review_and_pay").reviewOrder(v)
	case "order_status":
		a.reviewName(v, "review_order").reviewOrderStatus(v)
	case "location_request_message":
		a.reviewName(v, "send_location")
		*a = action{Name: a.Name}
	}
}

// reviewFrame reviews the header, body and footer.
func (m *interactive) reviewFrame(v *review) {
	switch m.Type {
	case "product", "catalog_message", "order_status":
		m.Header = nil
	case "location_request_message":
		m.Header, m.Footer = nil, nil
	case "product_list":
		m.Header = orEmpty(m.Header)
	}
	if m.Header != nil {
		m.Header.review(v)
	}
	if m.Body != nil || m.Type != "product" {
		m.Body = orEmpty(m.Body)
		v.text(pathInteractive+".body.text", m.Body.Text, maxBodyText)
	}
	if m.Footer != nil {
		v.text(pathInteractive+".footer.text", m.Footer.Text, maxFooterText)
	}
}

func (h *interactiveHeader) review(v *review) {
	const path = pathInteractive + ".header"
	v.word(path+".type", &h.Type, "text", "image", "video", "document")
	sent := *h
	*h = interactiveHeader{Type: h.Type}
	switch h.Type {
	case "text":
		h.Text = sent.Text
		v.text(path+".text", h.Text, maxHeaderText)
	case "image":
		h.Image = orEmpty(sent.Image)
		h.Image.review(v, path+".image", "image")
	case "video":
		h.Video = orEmpty(sent.Video)
		h.Video.review(v, path+".video", "video")
	case "document":
		h.Document = orEmpty(sent.Document)
		h.Document.review(v, path+".document", "document")
	}
}

// reviewName checks that the action has the name and returns its parameters.
func (a *action) reviewName(v *review, name string) *actionParameters {
	v.word(pathAction+".name", &a.Name, name)
	a.Parameters = orEmpty(a.Parameters)
	return a.Parameters
}

func (a *action) reviewButtons(v *review) {
	const path = pathAction + ".buttons"
	v.count(path, len(a.Buttons), maxReplies)
	seen, titles := map[input.Text]bool{}, map[input.Text]bool{}
	for i := range a.Buttons {
		b, at := &a.Buttons[i], item(path, i)
		v.word(at+".type", &b.Type, "reply")
		v.text(at+".reply.id", b.Reply.ID, maxButtonID)
		v.text(at+".reply.title", b.Reply.Title, maxButtonTitle)
		v.unique(at+".reply.id", seen, b.Reply.ID)
		v.unique(at+".reply.title", titles, b.Reply.Title)
	}
}

// reviewSections reviews the sections of a list. items reviews the items of a
// section and returns their number.
func (a *action) reviewSections(v *review, limit int, items func(s *section, path string) int) {
	v.count(pathSections, len(a.Sections), maxSections)
	total := 0
	for i := range a.Sections {
		s, at := &a.Sections[i], item(pathSections, i)
		v.need(at+".title", s.Title != "" || len(a.Sections) == 1)
		v.atMost(at+".title", s.Title, maxSectionTitle)
		total += items(s, at)
	}
	if total > limit {
		v.refuse(pathSections, "%s has %d items in total: use at most %d", pathSections, total, limit)
	}
}

func (a *action) reviewChoices(v *review) {
	v.text(pathAction+".button", a.Button, maxButtonTitle)
	seen := map[input.Text]bool{}
	a.reviewSections(v, maxRows, func(s *section, path string) int {
		v.need(path+".rows", len(s.Rows) > 0)
		for i, r := range s.Rows {
			at := item(path+".rows", i)
			v.text(at+".id", r.ID, maxRowID)
			v.text(at+".title", r.Title, maxRowTitle)
			v.atMost(at+".description", r.Description, maxRowText)
			v.unique(at+".id", seen, r.ID)
		}
		return len(s.Rows)
	})
}

func (a *action) reviewProducts(v *review) {
	a.reviewSections(v, maxProducts, func(s *section, path string) int {
		v.need(path+".product_items", len(s.ProductItems) > 0)
		for i, p := range s.ProductItems {
			v.text(item(path+".product_items", i)+".product_retailer_id", p.ProductRetailerID, shop.MaxRetailerID)
		}
		return len(s.ProductItems)
	})
}

// reviewFlow reviews the flow that a button opens.
func (p *actionParameters) reviewFlow(v *review) {
	v.need(pathParameters+".flow_message_version", p.FlowMessageVersion != "")
	v.need(pathParameters+".flow_id or "+pathParameters+".flow_name", p.FlowID+p.FlowName != "")
	if p.FlowID != "" && p.FlowName != "" {
		v.refuse(pathParameters, "%s must have flow_id or flow_name, not both", pathParameters)
	}
	v.text(pathParameters+".flow_cta", p.FlowCTA, maxFlowCTA)
	v.choice(pathParameters+".mode", &p.Mode, "draft", "published")
	v.choice(pathParameters+".flow_action", &p.FlowAction, "navigate", "data_exchange")
}
