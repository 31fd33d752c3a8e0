// Command heliograph is the whole program: the portal, the channel APIs, the
// workers and their operation, one subcommand each. Every command checks its
// configuration before it does anything.
//
// # Layers and wings
//
// A request passes through the layers from the outside in, and each layer has the same
// four wings. If you know layer and wing, you know the folder:
//
//	app/web/<wing>/<noun>       pages, of accounts and of the administration alike: /account/team is
//	                            web/people/team. The page of a noun, mostly a list, is in the file with its name
//	app/web/routes_*.go         the table of all routes, and of what each handler takes: page.Form, page.WithID,
//	                            page.Asked, page.With, and desk.WithItem for documentation
//	app/web/reader              what readers see, instead of a wing documentation; in views, too
//	app/web/api                 the operations of the three channel APIs; their files begin with the channel:
//	                            messaging_webhooks.go
//	app/web/page                how every page is answered: sign-in, forms, regions of htmx, and content that was
//	                            made before its request, compressed and with an ETag
//	app/web/listing, app/web/live
//	                            how lists are filtered and paged, and how open pages hear of changes
//	app/web/assistant           the Model Context Protocol
//	app/<wing>/<noun>           rules: they decide
//	jobs                        workers, a file for each wing: jobs/channels.go. A worker loads its rows, calls one
//	                            rule and completes
//	views/<wing>/<noun>         the pages as templ, in the folder with the name of their handlers; views/ui has what
//	                            they are made of
//	db                          the pool, and what all wings share of it: db.Group has those who wait share a commit
//	db/queries/<wing>           SQL that reads, in Go, a file for each table
//	db/queries/<wing>/writes    SQL that writes: db/queries/channels/writes/messages.go. Only rules of the wing may
//	                            use it
//	app/outbound                everything that dials out, and the carriers: carrier_kannel.go
//
// The tests of the pages of accounts and of the administration are in app/web/account and
// app/web/admin: linking the server once for many of them saves most of their time.
//
// The wings, with their folders below app:
//
//	documentation  what the portal publishes: card compare console content editorial feedback importing mcp media mock openapi published reference sdk search tutor
//	channels       what the three APIs carry: blocklist carry hlr listen messaging pipeline rcs refusal relay simulate sms upstream webhookrange
//	people         accounts, and the ways to reach them: contact identity notification otp
//	operation      what keeps it running: audit help insight limit metric queue retention setting theme
//
// Documentation and channels do not know each other. What both need is in people, in
// operation or in a leaf: config diff fault input keyring lists phone trace. A file has the name of
// what it holds or of what its handlers do, mostly in the singular, and a file of queries the name
// of its table. What several wings leave to be done later is in db/queries/errands.
//
// arch_test.go enforces which package may import which. The handbook follows three requests
// through the layers, file by file: operation/help/topics/walks.md.
//
// # Rules
//
// A rule that needs the database alone is a function, such as editorial.Publish. It takes
// a db.Querier to read, a db.Beginner to write, or the pgx.Tx of the rule that it is part
// of. So its callers decide what happens in one transaction, one rule can call another,
// and a test hands in a transaction that is rolled back.
//
// A rule that needs more, such as keys, limits, files or a clock, is a method of a type
// that is made once when the program is wired, so that no handler passes these on:
// relay.Endpoints, identity.Directory. A part of such a type, for example the folders of
// media.Library, has the same database. The type has a New where something is computed or
// checked, and is a literal with named fields where not.
//
// What a worker runs takes the jobs that it inserts as an argument, because they belong to
// the run and not to the program: relay.Settle.
//
// # Words
//
// Folders are below app where they are not at the root.
//
//	article      a product that a partner sells in a shop: models.Article
//	asset        a number, account, catalogue or media that a partner's API names by id
//	breaker      what keeps a pool from a server that takes no connections (db)
//	card         the picture of a page for links to it
//	carriage     one hand-over of a message: its leg, part, carrier and state
//	carrier      what takes a message to a phone: virtual, HTTP, Kannel, RBM
//	change set   drafts of one product that are reviewed together
//	delivery     one report or callback on its way to a partner's webhook, with its attempts
//	draft        the open head revision of an item
//	edition      the read-only compilation of a live release
//	engine       what hands messages to carriers and reports their states
//	gate         what lets people into an area: page.Gate
//	item         a product, version, category, schema, callback, endpoint or guide
//	line         the callbacks of a webhook that wait: relay/line.go
//	move         an action on a change set; editorial/workflow.go says who may make it, and editorial/publish.go what else
//	             publishing takes
//	organisation a partner with users, keys and assets
//	pipeline     the way of a message to a phone: channels/pipeline accepts it and follows its states,
//	             channels/carry hands it over
//	product      an API with its versions, as the portal documents it
//	protocol     how callbacks of a channel are rendered, signed and repeated; outbound/sign.go signs
//	reference    texts and files of a version: Markdown, OpenAPI, Postman, llms.txt (index.go)
//	relayer      what posts callbacks to webhooks, for jobs/channels.go
//	release      the revisions of a version that went public together
//	revision     one immutable state of an item
//	sample       code in the pages of endpoints, written by openapi/sample in eight languages
//	sandbox      an organisation with messages that only the virtual carrier takes
//	sdk          the client libraries of a version, generated in six languages
//	shelf        the parts of versions that are kept within a budget of memory: published/shelf.go
//	shop         the catalogue that a partner sells from. The JSON catalogue of the Portal API, in
//	             reference/catalogue.go, has its word from the contract
//	step         a change of a message's state: pipeline.Step
//	suppression  a number on a do-not-contact list; app/channels/blocklist has the rules
//
// # Taking away
//
// One verb takes things away, on pages and in rules: remove. Others say something else:
//
//	archive  readers no longer find it; it can come back
//	delete   a row, a file or a part of a document that is being edited; also what the
//	         three APIs document with this word
//	discard  a draft or an import is given up before anything came of it
//	erase    a person, or an editor's practice, is taken away from everything that is kept
//	retire   an older secret stops signing before it expires
//	revoke   a key, a token or a link is refused from now on; the record of it stays
//	trash    it is set aside, and can be restored
package main
