package main

import (
	"slices"

	"heliograph/app/channels/hlr"
	"heliograph/app/channels/messaging"
	"heliograph/app/channels/pipeline"
	"heliograph/app/channels/rcs"
	"heliograph/app/channels/sms"
	"heliograph/app/operation/limit"
	"heliograph/app/outbound"
	"heliograph/app/people/identity"
	"heliograph/app/web"
	"heliograph/app/web/api"
	"heliograph/db"
	"heliograph/db/models"
	"heliograph/jobs/args"
)

// services are the rules of the channels.
type services struct {
	messaging *messaging.Service
	sms       *sms.Service
	rcs       *rcs.Service
}

// newServices builds the rules of all channels, since a message of one may fall
// back to another.
func (w *webProcess) newServices(listener *db.Listener, signals *db.Signals, inserter args.Inserter) services {
	p := w.platform
	acceptor, keys, routes, endpoints := pipeline.NewAcceptor(p.pool, signals), pipeline.NewKeys(p.pool), pipeline.NewRoutes(p.pool, listener), w.endpoints(inserter)
	var s services
	s.messaging = messaging.New(messaging.Options{
		Pool: p.pool, Listener: listener, Signals: signals, Keyring: p.keyring, Jobs: inserter, Store: p.store,
		Guard: outbound.Guard{Client: p.outbound}, Routes: routes, Words: p.config.ChannelWords(),
		BaseURL: p.config.PublicURL, Rates: rates(p.config), Quotas: quotas(p.config), ReviewDelay: p.config.TemplateReviewDelay, Now: p.clock.Now,
	})
	s.sms = sms.New(sms.Options{
		Pool: p.pool, Listener: listener, Acceptor: acceptor, Keys: keys, Routes: routes, Endpoints: endpoints, Keyring: p.keyring,
		Limiter: limit.New(p.pool, p.keyring), Rates: sms.Rates{Live: p.config.RateSMS, Sandbox: p.config.RateSandboxSMS}, Now: p.clock.Now,
	})
	s.rcs = rcs.New(rcs.Options{
		Pool: p.pool, Acceptor: acceptor, Routes: routes, Endpoints: endpoints, Keyring: p.keyring, Limiter: limit.New(p.pool, p.keyring), Jobs: inserter,
		Fetcher: outbound.New(outbound.Options{AllowLoopback: p.config.AllowLoopbackWebhooks, Denied: p.config.DeniedNetworks, MaxBody: rcsFetched}),
		SMS:     s.sms, Messaging: s.messaging, PublicURL: p.config.PublicURL,
		Rates: rcs.Rates{Send: p.config.RateRCSSend, Management: p.config.RateRCSManagement}, ReviewAll: p.config.RCSReviewAll, Now: p.clock.Now,
	})
	return s
}

// rcsFetched is the most that is read of an image at an address, in bytes.
const rcsFetched = 3 << 20

// newAPIs builds the channel APIs that are served.
func (w *webProcess) newAPIs(serve []string, keys *identity.Keys, s services, load *api.Load) (all []web.API) {
	p := w.platform
	if slices.Contains(serve, "messaging") {
		channel := api.NewMessaging(keys, s.messaging, p.config.PublicURL)
		channel.Bound(load)
		all = append(all, web.API{
			Name:        "messaging",
			Prefixes:    []string{api.Prefix},
			Routes:      channel.Pages(),
			Handle:      channel.Handle,
			Fail:        channel.Fail,
			UnknownPath: channel.UnknownPath,
			BodyLimit:   api.BodyLimit,
		})
	}
	if slices.Contains(serve, "rcs") {
		channel := api.NewRCS(api.RCSOptions{Keys: keys, Base: p.config.PublicURL, Service: s.rcs, OnPremise: p.config.RCSOnPremise, Words: p.config.ChannelWords()})
		channel.Bound(load)
		all = append(all, web.API{Name: "rcs", Prefixes: api.RCSPrefixes, Handle: channel.Handle, Fail: channel.Fail, UnknownPath: channel.UnknownPath, BodyLimit: api.RCSBodyLimit})
	}
	if slices.Contains(serve, "sms") {
		channel := w.newSMS(keys, s.sms)
		channel.Bound(load)
		all = append(all, web.API{Name: "sms", Prefixes: api.SMSPrefixes, Handle: channel.Handle, Fail: channel.Fail, UnknownPath: channel.UnknownPath, BodyLimit: channel.BodyLimit()})
	}
	return all
}

// newSMS builds the SMS API.
func (w *webProcess) newSMS(keys *identity.Keys, service *sms.Service) *api.SMS {
	p := w.platform
	limiter := limit.New(p.pool, p.keyring)
	var register hlr.Register
	if p.config.HLRURL != "" {
		register = hlr.HTTPRegister{Client: p.gateways, URL: p.config.HLRURL, Key: models.Secret(p.config.HLRAPIKey)}
	}
	return api.NewSMS(keys, api.SMSRules{
		Service: service, Base: p.config.PublicURL,
		OTPs:    sms.NewOTPs(sms.OTPOptions{DB: p.pool, Keyring: p.keyring, Limiter: limiter, Sender: service, MayReturn: service.MayReturnOTP}),
		Lookups: hlr.New(p.pool, limiter, register),
	})
}
