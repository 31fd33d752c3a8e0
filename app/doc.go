// Command heliograph is the whole program: the portal, the channel APIs, the
// workers and their operation, one subcommand each. Every command checks its
// configuration before it does anything.
//
// # Layers and wings
//
// A request passes through the layers from the outside in. app/web answers it, one
// of the rules below app decides, db/queries reads and writes, and views renders.
// Below app the rules stand in four wings:
//
//	documentation  what the portal publishes: content, contracts, drafts, releases, search
//	channels       what the three APIs carry: messaging, SMS, RCS, and the pipeline under them
//	people         who signs in, and how they are reached: accounts, codes, emails, enquiries
//	operation      what keeps it running: audit, limits, jobs, retention, settings
//
// Documentation and channels do not know each other. What both need is in people, in
// operation or in a leaf: config, fault, input, keyring, phone, trace. Everything
// that dials out is in app/outbound. jobs holds the workers, a file for each, named by
// verb and noun: it loads its rows, calls one rule and completes.
//
// Pages, views and queries have the same wings. A page of app/web/people/team is rendered
// by views/people/team. The queries of a wing are a package that reads and below it one
// that writes. Pages and other wings may import what reads; what writes is for the rules
// of the wing. What several wings leave to be done later is in db/queries/errands, and
// db/queries says the rest.
//
// arch_test.go enforces which package may import which.
//
// # Words
//
//	asset        a number, account, catalogue or media that a partner's API names by id
//	carriage     one hand-over of a message: its leg, part, carrier and state
//	carrier      what takes a message to a phone: virtual, HTTP, Kannel, RBM
//	change set   drafts of one product that are reviewed together
//	delivery     one report or callback on its way to a partner's webhook, with its attempts
//	draft        the open head revision of an item
//	engine       what hands messages to carriers and reports their states
//	edition      the read-only compilation of a live release
//	item         a product, version, category, schema, callback, endpoint or guide
//	organisation a partner with users, keys and assets
//	move         an action on a change set; editorial/workflow.go says who may make it
//	protocol     how callbacks of a channel are rendered, signed and repeated; outbound/sign.go signs
//	release      the revisions of a version that went public together
//	revision     one immutable state of an item
//	relayer      what posts callbacks to webhooks
//	sandbox      an organisation that only the virtual carrier takes messages of
//	shop         the catalogue of products that a partner sells; never the documentation
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
