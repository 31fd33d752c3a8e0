package simulate

import (
	"bytes"
	"encoding/json"
	"strings"
)

// Example is a text to begin with. Freeflow marks one of send-freeflow-message.
type Example struct {
	Name, Title, Text string
	Freeflow          bool
}

// Examples returns texts that show what the examples of a contract do not: every kind
// of formatting, template and suggestion.
func Examples(channel string) []Example { return examples[channel] }

var examples = map[string][]Example{
	"messaging": {
		example("formatting", "Text in every format", `{"messaging_product":"msgapp","to":"+919812345678","type":"text","text":{"body":"*Bold*, _italic_, ~struck~ and `+"`code`"+`, *and _nested_*.\n- a list\n- with https://shop.example.com/t/KX-20417\n1. first\n2. second\n> a quote\n`+"```"+`code on\nits own lines`+"```"+`"}}`),
		example("template_buttons", "Template with header, footer and four buttons", `{"messaging_product":"msgapp","to":"+919812345678","type":"template","template":{"name":"delivery_question","language":{"code":"en_US"},"components":[{"type":"header","parameters":[{"type":"text","text":"A-1042"}]},{"type":"body","parameters":[{"type":"text","text":"Friday"}]},{"type":"button","sub_type":"quick_reply","index":"0","parameters":[{"type":"payload","payload":"home-yes"}]}]}}`),
		example("template_offer", "Template with a limited offer", `{"messaging_product":"msgapp","to":"+919812345678","type":"template","template":{"name":"spring_offer","language":{"code":"en_US"},"components":[{"type":"header","parameters":[{"type":"image","image":{"link":"https://shop.example.com/img/lamp.jpg"}}]},{"type":"body","parameters":[{"type":"text","text":"Asha"}]},{"type":"limited_time_offer","parameters":[{"type":"limited_time_offer","limited_time_offer":{"expiration_time_ms":1798761600000}}]},{"type":"button","sub_type":"copy_code","index":"0","parameters":[{"type":"coupon_code","coupon_code":"SPRING25"}]},{"type":"button","sub_type":"url","index":"1","parameters":[{"type":"text","text":"spring"}]}]}}`),
		example("template_cards", "Template with a carousel", `{"messaging_product":"msgapp","to":"+919812345678","type":"template","template":{"name":"lamp_cards","language":{"code":"en_US"},"components":[{"type":"carousel","cards":[{"card_index":0,"components":[{"type":"header","parameters":[{"type":"image","image":{"link":"https://shop.example.com/img/brass.jpg"}}]},{"type":"body","parameters":[{"type":"text","text":"2,490 rupees"}]}]},{"card_index":1,"components":[{"type":"header","parameters":[{"type":"image","image":{"link":"https://shop.example.com/img/glass.jpg"}}]},{"type":"body","parameters":[{"type":"text","text":"1,990 rupees"}]}]}]}]}}`),
		example("location_request", "Question for the location", `{"messaging_product":"msgapp","to":"+919812345678","type":"interactive","interactive":{"type":"location_request_message","body":{"text":"Where shall we deliver?"},"action":{"name":"send_location"}}}`),
	},
	"rcs": {
		example("suggestions", "Suggestions of every kind", `{"botId":"UGFyY2VsVXBkYXRlcy0wMQ","to":"+919812345678","contentMessage":{"text":"Your parcel waits in the shop: https://parcels.example.com/t/A-1042","suggestions":[{"reply":{"text":"Thank you","postbackData":"thanks"}},{"action":{"text":"Track it","postbackData":"track","openUrlAction":{"url":"https://parcels.example.com/t/A-1042","application":"BROWSER"}}},{"action":{"text":"Call the shop","postbackData":"call","dialAction":{"phoneNumber":"+919812345670"}}},{"action":{"text":"Show the way","postbackData":"map","viewLocationAction":{"latLong":{"latitude":18.52,"longitude":73.85},"label":"The shop in Pune"}}},{"action":{"text":"Add to calendar","postbackData":"date","createCalendarEventAction":{"startTime":"2026-12-05T09:00:00Z","endTime":"2026-12-05T10:00:00Z","title":"Fetch the parcel"}}},{"action":{"text":"Send location","postbackData":"where","shareLocationAction":{}}}]}}`),
		example("card_horizontal", "Horizontal card", `{"botId":"UGFyY2VsVXBkYXRlcy0wMQ","to":"+919812345678","contentMessage":{"richCard":{"standaloneCard":{"cardOrientation":"HORIZONTAL","thumbnailImageAlignment":"LEFT","cardContent":{"title":"The lamp in brass","description":"Back in stock, and a quarter less this week.","media":{"height":"MEDIUM","contentInfo":{"fileUrl":"https://shop.example.com/img/lamp.jpg"}},"suggestions":[{"reply":{"text":"I take it","postbackData":"buy"}}]}}}}}`),
		example("card_tall", "Tall card with suggestions in it and below", `{"botId":"UGFyY2VsVXBkYXRlcy0wMQ","to":"+919812345678","contentMessage":{"richCard":{"standaloneCard":{"cardOrientation":"VERTICAL","cardContent":{"title":"Assembly","description":"How to put the lamp together.","media":{"height":"TALL","contentInfo":{"fileUrl":"https://shop.example.com/video/assembly.mp4"}},"suggestions":[{"reply":{"text":"It works","postbackData":"works"}}]}}},"suggestions":[{"reply":{"text":"Help","postbackData":"help"}}]}}`),
		example("file", "File", `{"botId":"UGFyY2VsVXBkYXRlcy0wMQ","to":"+919812345678","contentMessage":{"contentInfo":{"fileUrl":"https://shop.example.com/invoice-20417.pdf","fileName":"invoice-20417.pdf"}}}`),
		example("fallback_sms", "Template with an SMS as fallback", `{"botId":"UGFyY2VsVXBkYXRlcy0wMQ","messages":[{"to":"+919812345678","templateCode":"order_ok","customParams":{"name":"Asha"}}],"fallback":{"enabled":true,"channel":"SMS","after":"NOT_CAPABLE","text":"Dear Asha, your parcel A-1042 arrives today.","sms":{"header":"HELIOG","dltEntityId":"1101234567890123456","dltTemplateId":"1107123456789012345"}}}`),
	},
	"sms": {
		example("unicode", "Text with a character outside the GSM alphabet", `{"version":"1.0","messages":[{"dest":["919812345678"],"msg":"Dear Asha, your parcel – number A-1042 – arrives today.","header":"HELIOG","dlt_entity_id":"1101234567890123456","dlt_template_id":"1107123456789012345"}]}`),
		example("hindi", "Text in Devanagari", `{"version":"1.0","messages":[{"dest":["919812345678"],"type":"UC","msg":"प्रिय आशा, आपका पार्सल A-1042 आज पहुँचेगा। कृपया घर पर रहें या हमें दूसरा समय बताएँ।","header":"HELIOG","dlt_entity_id":"1101234567890123456","dlt_template_id":"1107123456789012345"}]}`),
		example("flash", "Text that is shown at once", `{"version":"1.0","messages":[{"dest":["919812345678"],"type":"FL","msg":"482913 is your code. It is valid for 10 minutes.","header":"HELIOG","dlt_entity_id":"1101234567890123456","dlt_template_id":"1107123456789012346"}]}`),
		example("binary", "Octets for an application", `{"version":"1.0","messages":[{"dest":["447400123456"],"type":"SP","port":"2948","msg":"00112233445566778899AABBCCDDEEFF","header":"Heliograph"}]}`),
		example("longest", "Text of 4,590 characters", `{"version":"1.0","messages":[{"dest":["447400123456"],"type":"PM","msg":"`+longest+`","header":"Heliograph"}]}`),
	},
}

// longest fills thirty parts to the last septet.
var longest = strings.Repeat("The lamp is in stock. ", 4590/22+1)[:4590]

// example returns an example with its text as people write it.
func example(name, title, text string) Example {
	var b bytes.Buffer
	if err := json.Indent(&b, []byte(text), "", "  "); err != nil {
		panic("simulate: example " + name + ": " + err.Error())
	}
	return Example{Name: name, Title: title, Text: b.String()}
}
