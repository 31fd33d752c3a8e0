package simulate

import (
	"encoding/json"
)

// The parts of a stored message and of a template that a phone shows.
type (
	sentMessage struct {
		Type        string
		Text        struct{ Body string }
		Image       *sentFile
		Video       *sentFile
		Audio       *sentFile
		Document    *sentFile
		Sticker     *sentFile
		Location    *sentPlace
		Contacts    []sentContact
		Reaction    *struct{ Emoji string }
		Interactive *sentInteractive
		Template    *struct{ Components []sentComponent }
		Context     *struct {
			MessageID string `json:"message_id"`
		}
	}
	sentFile  struct{ ID, Link, Caption, Filename string }
	sentPlace struct {
		Latitude, Longitude float64
		Name, Address       string
	}
	sentContact struct {
		Name struct {
			FormattedName string `json:"formatted_name"`
		}
		Birthday string
		Phones   []struct{ Phone, Type string }
		Emails   []struct{ Email string }
		URLs     []struct{ URL string }
		Org      *struct{ Company, Title string }
	}
	sentInteractive struct {
		Type   string
		Header *struct {
			Type, Text             string
			Image, Video, Document *sentFile
		}
		Body, Footer *struct{ Text string }
		Action       struct {
			Button  string
			Buttons []struct {
				Reply struct{ ID, Title string }
			}
			Sections          []sentSection
			CatalogID         string `json:"catalog_id"`
			ProductRetailerID string `json:"product_retailer_id"`
			Parameters        sentParameters
		}
	}
	sentSection struct {
		Title        string
		Rows         []struct{ ID, Title, Description string }
		ProductItems []struct {
			ProductRetailerID string `json:"product_retailer_id"`
		} `json:"product_items"`
	}
	sentParameters struct {
		DisplayText                string `json:"display_text"`
		URL                        string
		FlowCTA                    string `json:"flow_cta"`
		FlowID                     string `json:"flow_id"`
		FlowName                   string `json:"flow_name"`
		ThumbnailProductRetailerID string `json:"thumbnail_product_retailer_id"`
		ReferenceID                string `json:"reference_id"`
		Currency                   string
		TotalAmount                *sentAmount `json:"total_amount"`
		Order                      *struct {
			Status, Description               string
			Items                             []sentItem
			Subtotal, Tax, Shipping, Discount *sentAmount
		}
	}
	sentAmount struct {
		Value, Offset json.Number
	}
	sentItem struct {
		Name       string
		Amount     *sentAmount
		SaleAmount *sentAmount `json:"sale_amount"`
		Quantity   json.Number
	}
	sentComponent struct {
		Type, Index string
		SubType     string `json:"sub_type"`
		Parameters  []sentParameter
		Cards       []struct{ Components []sentComponent }
	}
	sentParameter struct {
		Type          string
		ParameterName string `json:"parameter_name"`
		Text, Payload string
		CouponCode    string `json:"coupon_code"`
		Currency      struct {
			FallbackValue string `json:"fallback_value"`
		}
		DateTime struct {
			FallbackValue string `json:"fallback_value"`
		} `json:"date_time"`
		Image, Video, Document *sentFile
		Location               *sentPlace
		Offer                  *struct {
			ExpirationTimeMs json.Number `json:"expiration_time_ms"`
		} `json:"limited_time_offer"`
	}
	storedPart struct {
		Type, Format, Text string
		Buttons            []struct {
			Type, Text, URL string
			PhoneNumber     string `json:"phone_number"`
		}
		Offer struct{ Text string } `json:"limited_time_offer"`
		Cards []struct{ Components []storedPart }
	}
)
