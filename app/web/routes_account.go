package web

import (
	"net/http"

	"heliograph/app/web/account"
)

// organisations is what organisations look after themselves.
func organisations(h *account.Handlers) []Route {
	return []Route{
		{Name: "account", Method: http.MethodGet, Path: "/account", Access: Member, Handler: h.Home},
		{Name: "account.first_key", Method: http.MethodPost, Path: "/account/first-key", Access: Developer, Handler: h.CreateFirstKey},

		{Name: "account.keys", Method: http.MethodGet, Path: "/account/keys", Access: Member, Handler: h.Keys},
		{Name: "account.keys.create", Method: http.MethodPost, Path: "/account/keys", Access: Developer, Handler: h.CreateKey},
		{Name: "account.keys.revoke.show", Method: http.MethodGet, Path: "/account/keys/:id/revoke", Access: Developer, Handler: h.ConfirmRevoke},
		{Name: "account.keys.revoke", Method: http.MethodPost, Path: "/account/keys/:id/revoke", Access: Developer, Handler: h.RevokeKey},

		{Name: "account.team", Method: http.MethodGet, Path: "/account/team", Access: Owner, Handler: h.Colleagues},
		{Name: "account.team.invite", Method: http.MethodPost, Path: "/account/team/invitations", Access: Owner, Handler: h.Invite},
		{Name: "account.team.resend", Method: http.MethodPost, Path: "/account/team/invitations/:id/resend", Access: Owner, Handler: h.ResendInvitation},
		{Name: "account.team.withdraw", Method: http.MethodPost, Path: "/account/team/invitations/:id/withdraw", Access: Owner, Handler: h.WithdrawInvitation},
		{Name: "account.colleague", Method: http.MethodGet, Path: "/account/team/:id", Access: Owner, Handler: h.Colleague},
		{Name: "account.colleague.role", Method: http.MethodPost, Path: "/account/team/:id/role", Access: Owner, Handler: h.ChangeRole},
		{Name: "account.colleague.activate", Method: http.MethodPost, Path: "/account/team/:id/activate", Access: Owner, Handler: h.Activate},
		{Name: "account.colleague.deactivate", Method: http.MethodPost, Path: "/account/team/:id/deactivate", Access: Owner, Handler: h.Deactivate},
		{Name: "account.colleague.remove.show", Method: http.MethodGet, Path: "/account/team/:id/remove", Access: Owner, Handler: h.ConfirmRemove},
		{Name: "account.colleague.remove", Method: http.MethodPost, Path: "/account/team/:id/remove", Access: Owner, Handler: h.Remove},

		{Name: "account.invitation.show", Method: http.MethodGet, Path: "/account/invitation", Access: Visitor, Handler: h.ShowInvitation},
		{Name: "account.invitation", Method: http.MethodPost, Path: "/account/invitation", Access: Visitor, Handler: h.AcceptInvitation},

		{Name: "account.profile", Method: http.MethodGet, Path: "/account/profile", Access: Member, Handler: h.Profile},
		{Name: "account.profile.name", Method: http.MethodPost, Path: "/account/profile/name", Access: Member, Handler: h.Rename},
		{Name: "account.profile.organisation", Method: http.MethodPost, Path: "/account/profile/organisation", Access: Owner, Handler: h.RenameOrganisation},
		{Name: "account.profile.mobile", Method: http.MethodPost, Path: "/account/profile/mobile", Access: Member, Handler: h.ChangeMobile},
		{Name: "account.profile.mobile.show", Method: http.MethodGet, Path: "/account/profile/mobile", Access: Member, Handler: h.ShowMobile},
		{Name: "account.profile.mobile.verify", Method: http.MethodPost, Path: "/account/profile/mobile/verify", Access: Member, Handler: h.VerifyMobile},
		{Name: "account.profile.mobile.resend", Method: http.MethodPost, Path: "/account/profile/mobile/resend", Access: Member, Handler: h.ResendMobile},
		{Name: "account.profile.password", Method: http.MethodPost, Path: "/account/profile/password", Access: Member, Handler: h.ChangePassword},
		{Name: "account.sessions.end", Method: http.MethodPost, Path: "/account/profile/sessions/:id/end", Access: Member, Handler: h.EndSession},
		{Name: "account.sessions.end_others", Method: http.MethodPost, Path: "/account/profile/sessions/end-others", Access: Member, Handler: h.EndOtherSessions},
	}
}
