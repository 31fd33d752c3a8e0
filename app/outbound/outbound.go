// Package outbound is the only place that dials out: the guarded HTTP client,
// signed webhooks and the carriers that channels hand messages to.
//
// A destination that a partner or an editor chose is hostile until shown
// otherwise. Its URL is checked when it is saved (Client.CheckURL), again when
// it is used (Client.Do, Client.Post), and every address is checked once more
// by the dialer, after name resolution and before the first packet, so that a
// name which changes its answer in between gains nothing. There is no proxy, no
// redirect is followed, answers are bounded in time and size, and connections
// are never shared between owners.
package outbound
