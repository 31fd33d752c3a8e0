package page

// TokenHeader is the header of the CSRF token.
const TokenHeader = tokenHeader
