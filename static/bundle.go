package static

// bundles names the files that are joined, in order, into one. The order of
// the stylesheet matters only within a cascade layer; layers.css fixes the
// order of the layers themselves and comes first.
var bundles = map[string][]string{
	"css/site.css": {
		"css/layers.css",
		"css/reset.css",
		"css/tokens.css",
		"css/tints.css",
		"css/base.css",
		"css/prose.css",
		"css/shell.css",
		"css/drawer.css",
		"css/nav.css",
		"css/reference.css",
		"css/samples.css",
		"css/contents.css",
		"css/home.css",
		"css/search.css",
		"css/compare.css",
		"css/sign-in.css",
		"css/button.css",
		"css/badge.css",
		"css/method.css",
		"css/alert.css",
		"css/notice.css",
		"css/breadcrumb.css",
		"css/code.css",
		"css/disclosure.css",
		"css/tabs.css",
		"css/key-value.css",
		"css/table.css",
		"css/card.css",
		"css/guide.css",
		"css/form.css",
		"css/pager.css",
		"css/empty.css",
		"css/request-line.css",
		"css/field.css",
		"css/response.css",
		"css/error-codes.css",
		"css/utility.css",
		"css/print.css",
	},
	// For those who are signed in alone: public pages stay light.
	"css/area.css": {
		"css/frame.css",
		"css/filter.css",
		"css/settings.css",
		"css/chart.css",
		"css/log.css",
		"css/otp.css",
		"css/account.css",
		"css/bot.css",
		"css/contact.css",
	},
	// For administrators, who write documentation.
	"css/editor.css": {
		"css/editor.css",
		"css/gallery.css",
		"css/import.css",
		"css/theme.css",
		"css/insight.css",
		"css/tutor.css",
	},
	// For the API console, loaded where its form is.
	"css/console.css": {
		"css/console.css",
	},
	// For the message simulators.
	"css/simulate.css": {
		"css/simulate.css",
	},
	"js/simulate.js": {
		"js/simulate/simulate.js",
	},
	"js/site.js": {
		"js/site/announce.js",
		"js/site/swap.js",
		"js/site/dismiss.js",
		"js/site/theme.js",
		"js/site/copy.js",
		"js/site/search.js",
		"js/site/drawer.js",
		"js/site/nav.js",
		"js/site/choices.js",
		"js/site/fields.js",
		"js/site/links.js",
		"js/site/pages.js",
		"js/site/skip.js",
	},
	// A module for the search dialog, loaded when it is first opened.
	"js/search.js": {
		"vendor/combobox-nav/index.js",
		"js/search/dialog.js",
	},
	// For pages of an account or of the administration.
	"js/area.js": {
		"js/area/stream.js",
	},
	// For pages with times, in accounts and in the administration, and for pauses.
	"js/times.js": {
		"js/times/local.js",
	},
	// For public pages when the reader is signed in.
	"js/own.js": {
		"js/own/ids.js",
	},
	// For the contact form.
	"js/contact.js": {
		"js/contact/work.js",
	},
	// For pages that compare versions.
	"js/compare.js": {
		"js/compare/keys.js",
	},
	// For the page that sets assistants up.
	"js/assistant.js": {
		"js/assistant/try.js",
	},
	// For the API console, loaded where its form is.
	"js/console.js": {
		"js/console/value.js",
		"js/console/body.js",
		"js/console/direct.js",
		"js/console/call.js",
	},
	// For administrators, who write documentation.
	"js/editor.js": {
		"js/editor/unsaved.js",
		"js/editor/code.js",
		"js/editor/arrange.js",
		"js/editor/upload.js",
		"js/editor/choose.js",
		"js/editor/color.js",
	},
	// A module for what is dragged, loaded where a page has it.
	"js/drag.js": {
		"vendor/sortable/Sortable.min.js",
		"js/drag/drag.js",
	},
	// A module for fields of code and Markdown, loaded where a page has one.
	"js/code.js": {
		"vendor/codemirror/codemirror.min.js",
		"js/code/look.js",
		"js/code/markdown.js",
		"js/code/picture.js",
		"js/code/field.js",
	},
}
