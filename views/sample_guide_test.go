package views_test

import (
	"heliograph/views/reader"
	"heliograph/views/ui"
)

func guideNav(current string) reader.GuideNav {
	nav := reader.GuideNav{
		Overview: ui.Link{Label: "Product guide", Href: "/productguide", Current: current == ""},
		Groups: []reader.GuideGroup{{Title: "Business Messaging", Links: []ui.Link{
			{Label: "Send your first message", Href: "/productguide/business-messaging/send-your-first-message"},
			{Label: "Receive callbacks", Href: "/productguide/business-messaging/receive-callbacks"},
		}}, {Title: "SMS", Links: []ui.Link{{Label: "Reports", Href: "/productguide/sms/reports"}}}},
	}
	for i := range nav.Groups[0].Links {
		link := &nav.Groups[0].Links[i]
		link.Current = link.Label == current
	}
	return nav
}

func guidesPage() reader.GuidesPage {
	page := reader.GuidesPage{
		Page: crumbed(frame("Product guide"), []ui.Link{{Label: "Home", Href: "/"}, {Label: "Product guide", Current: true}}), Nav: guideNav(""),
		Products: []reader.GuideProduct{
			{
				ID: "guides-business-messaging", Name: "Business Messaging", Accent: "green",
				Reference: ui.Link{Label: "Reference", Href: "/docs/business-messaging/3.0"},
				Groups: []reader.GuideCards{
					{Title: "Start", Cards: guideCards()},
					{Title: "Run", Cards: guideCards()[:1]},
				},
			},
			{ID: "guides-sms", Name: "SMS", Accent: "blue", Groups: []reader.GuideCards{{Title: "Start", Cards: guideCards()[1:]}}},
		},
	}
	page.HasNav = true
	page.Links = []ui.Link{{Label: "Product guide", Href: "/productguide", Current: true}}
	return page
}

func guideCards() []reader.GuideCard {
	return []reader.GuideCard{
		{Link: ui.Link{Label: "Send your first message", Href: "/productguide/business-messaging/send-your-first-message"}, Summary: "From a key to a delivered message, in four requests."},
		{Link: ui.Link{Label: "Receive callbacks", Href: "/productguide/business-messaging/receive-callbacks"}, Summary: "Learn the outcome of each message."},
	}
}

// guidePage has what Markdown can become, as app/documentation/openapi renders it.
func guidePage() reader.GuidePage {
	page := reader.GuidePage{
		Page: crumbed(frame("Receive callbacks"), []ui.Link{
			{Label: "Product guide", Href: "/productguide"}, {Label: "Business Messaging", Href: "/docs/business-messaging"}, {Label: "Receive callbacks", Current: true},
		}), Nav: guideNav("Receive callbacks"),
		Name: "Receive callbacks", Summary: "Learn the outcome of each message, and check that it was us who told you.",
		Contents: []reader.ContentsLink{
			{Link: ui.Link{Label: "Check the signature", Href: "#check-the-signature"}},
			{Link: ui.Link{Label: "By hand", Href: "#by-hand"}, Nested: true},
			{Link: ui.Link{Label: "Answer at once", Href: "#answer-at-once"}},
		},
		Previous:  ui.Link{Label: "Send your first message", Href: "/productguide/business-messaging/send-your-first-message"},
		Next:      ui.Link{Label: "Templates", Href: "/productguide/business-messaging/templates"},
		Published: reader.Published{On: "12 March 2026", ISO: "2026-03-12T09:00:00Z"},
		Text: `<p>A callback is a <code>POST</code> to your <a href="/docs/business-messaging/3.0/set-webhook">webhook</a>.</p>
<h2 id="check-the-signature"><a class="anchor" href="#check-the-signature">Check the signature</a></h2>
<div class="tabs" role="group" aria-label="Language">
<details name="code-1-python" open=""><summary class="tab">Python</summary><div class="tab-panel" id="code-1-python"><pre data-title="Python"><code class="language-python">mine = hmac.new(secret, body, hashlib.sha256).hexdigest()
</code></pre>
</div></details>
<details name="code-1-python"><summary class="tab">Go</summary><div class="tab-panel" id="code-2-go"><pre data-title="Go"><code class="language-go">mac := hmac.New(sha256.New, secret)
</code></pre>
</div></details>
</div>
<div class="alert info" role="note"><strong class="alert-title">Note</strong>
<p>Compute it over the bytes as <a href="https://www.example.com" rel="noopener nofollow">they came</a>.</p>
</div>
<div class="alert good" role="note"><strong class="alert-title">Tip</strong>
<p>Keep <code>the secret</code> on the server.</p>
</div>
<div class="alert warn" role="note"><strong class="alert-title">Warning</strong>
<p>Compare in constant time.</p>
</div>
<div class="alert bad" role="note"><strong class="alert-title">Caution</strong>
<p>Never log it.</p>
</div>
<h3 id="by-hand"><a class="anchor" href="#by-hand">By hand</a></h3>
<blockquote>
<p>Words of others.</p>
</blockquote>
<ol><li>Read <em>all</em> of it.</li><li>Then <strong>answer</strong>.<ul><li>In any order</li></ul></li></ol>
<h2 id="answer-at-once"><a class="anchor" href="#answer-at-once">Answer at once</a></h2>
<table><thead><tr><th>Attempt</th><th align="right">Pause</th></tr></thead>
<tbody><tr><td data-label="Attempt">1</td><td align="right" data-label="Pause">none</td></tr><tr><td data-label="Attempt">2</td><td align="right" data-label="Pause">5 s</td></tr></tbody></table>
<pre><code>an_indented_line_that_is_longer_than_the_narrowest_screen_has_room_for = true
</code></pre>
`,
	}
	page.HasNav = true
	page.Links = []ui.Link{{Label: "Product guide", Href: "/productguide", Current: true}}
	return page
}
