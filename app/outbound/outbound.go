// Package outbound makes all outgoing connections. It contains the guarded HTTP
// client, signed webhooks and the carriers that channels hand messages to.
//
// Destinations chosen by partners and editors are not trusted. A URL is checked
// when it is saved (Client.CheckURL) and when it is used (Client.Do,
// Client.Post). The dialer checks every address again after name resolution and
// before the first packet, so that changing the DNS record in between does not
// help. There is no proxy, redirects are not followed, responses are limited in
// time and size, and connections are never shared between owners.
package outbound
