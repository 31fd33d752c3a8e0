package importing

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"

	"heliograph/app/documentation/editorial"
	"heliograph/app/fault"
	"heliograph/app/operation/audit"
	"heliograph/db"
	"heliograph/db/models"
	queries "heliograph/db/queries/documentation"
	"heliograph/db/queries/documentation/writes"
)

// TokenDays are the lives of a token that can be chosen, in days. The usual one is first.
var TokenDays = []int{90, 30, 365}

const (
	tokenPrefix = "hg_import_"
	tokenShown  = len(tokenPrefix) + 4 // characters that are shown later
	maxTokens   = 20                   // of one administrator that work
	maxNameOf   = 80                   // characters of the name of a token
)

// TokenRequest asks for a token.
type TokenRequest struct {
	Name      string
	ProductID int64
	Days      int // one of TokenDays
}

// Tokens let programs bring documents in.
type Tokens struct{ service *Service }

// Create returns a new token, with which a program brings documents into one
// product for the actor. Only its hash is stored.
func (t *Tokens) Create(ctx context.Context, actor editorial.Actor, r TokenRequest) (token string, err error) {
	r.Name = strings.TrimSpace(r.Name)
	if r.Name == "" || len([]rune(r.Name)) > maxNameOf {
		return "", fault.InvalidFields(fault.Field{Name: "program", Message: "Name the program that uses the token, in at most 80 characters."})
	}
	if !slices.Contains(TokenDays, r.Days) {
		return "", fault.InvalidFields(fault.Field{Name: "days", Message: "Choose how long the token works."})
	}
	i := models.Import{VersionSlug: "1"} // a token is for all versions of its product
	if r.ProductID == 0 {
		return "", fault.InvalidFields(fault.Field{Name: "into", Message: "Choose a product."})
	}
	if err := t.service.checkTarget(ctx, actor, Target{ProductID: r.ProductID}, &i); err != nil {
		if f := fault.As(err); f != nil {
			for n := range f.Fields {
				f.Fields[n].Name = "into" // as the form of tokens names the product
			}
		}
		return "", err
	}
	token = tokenPrefix + strings.ToLower(rand.Text()+rand.Text())
	made := models.ImportToken{AdminID: actor.ID, ProductID: r.ProductID, Name: r.Name, Prefix: token[:tokenShown], ExpiresAt: t.service.Clock().AddDate(0, 0, r.Days)}
	err = db.InTx(ctx, t.service.DB, func(tx pgx.Tx) error {
		n, err := queries.ImportTokenCountActive(ctx, tx, actor.ID)
		if err != nil {
			return err
		}
		if n >= maxTokens {
			return fault.New(fault.Conflict, "You have %d tokens that work. Revoke one first.", n)
		}
		if made.ID, err = writes.ImportTokenInsert(ctx, tx, made, hashToken(token)); err != nil {
			return fmt.Errorf("adding a token: %w", err)
		}
		return recordToken(ctx, tx, actor, "import_token.create", made, map[string]any{"product": i.ProductSlug, "days": r.Days})
	})
	if err != nil {
		return "", err
	}
	return token, nil
}

func hashToken(token string) []byte {
	sum := sha256.Sum256([]byte(token))
	return sum[:]
}

func recordToken(ctx context.Context, tx pgx.Tx, actor editorial.Actor, action string, t models.ImportToken, more map[string]any) error {
	details := map[string]any{"name": t.Name, "prefix": t.Prefix}
	maps.Copy(details, more)
	return audit.Record(ctx, tx, audit.Entry{Actor: actor.Name, Action: action, Target: fmt.Sprintf("import_token:%d", t.ID), Details: details})
}

// Revoke ends a token. Only its administrator and Super Admins may.
func (t *Tokens) Revoke(ctx context.Context, actor editorial.Actor, id int64) error {
	return db.InTx(ctx, t.service.DB, func(tx pgx.Tx) error {
		token, err := queries.ImportTokenGet(ctx, tx, id)
		if db.IsNoRows(err) || err == nil && !owns(actor, token.AdminID) {
			return fault.New(fault.NotFound, "This token does not exist.")
		}
		if err != nil {
			return err
		}
		revoked, err := writes.ImportTokenUpdateRevoked(ctx, tx, id)
		if err != nil || !revoked {
			return err
		}
		return recordToken(ctx, tx, actor, "import_token.revoke", token, nil)
	})
}

// Program is a program that sent a token, with the administrator it acts for.
type Program struct {
	Token models.ImportToken
	Actor editorial.Actor
}

// Authenticate returns the program of a token. A token that is unknown, revoked or
// expired is Unauthenticated, and so is a token after its administrator left.
func (t *Tokens) Authenticate(ctx context.Context, text string) (Program, error) {
	if !strings.HasPrefix(text, tokenPrefix) {
		return Program{}, fault.New(fault.Unauthenticated, "Send a token of the portal as Authorization: Bearer %s…", tokenPrefix)
	}
	token, err := queries.ImportTokenGetByHash(ctx, t.service.DB, hashToken(text))
	switch {
	case db.IsNoRows(err):
		return Program{}, fault.New(fault.Unauthenticated, "This token does not exist. Make one in the administration, under Imports.")
	case err != nil:
		return Program{}, fmt.Errorf("reading a token: %w", err)
	case token.RevokedAt != nil:
		return Program{}, fault.New(fault.Unauthenticated, "This token was revoked on %s.", token.RevokedAt.UTC().Format("2 January 2006"))
	case !t.service.Clock().Before(token.ExpiresAt):
		return Program{}, fault.New(fault.Unauthenticated, "This token expired on %s. Make a new one.", token.ExpiresAt.UTC().Format(time.DateOnly))
	}
	actor, err := t.service.actorOf(ctx, token.AdminID)
	if fault.Is(err, fault.Forbidden) {
		return Program{}, fault.New(fault.Unauthenticated, "The administrator who made this token is no longer active.")
	}
	if err != nil {
		return Program{}, err
	}
	return Program{token, actor}, writes.ImportTokenUpdateUsed(ctx, t.service.DB, token.ID)
}

// StartFor brings a document of a program in, into the product of its token.
func (s *Service) StartFor(ctx context.Context, p Program, name, version string, data []byte) (id int64, err error) {
	return s.Start(ctx, p.Actor, Upload{Source: models.ImportAPI, Name: name, Data: data, Token: &p.Token, Target: Target{ProductID: p.Token.ProductID, VersionSlug: version}})
}

// Found returns an import into the product of a program's token.
func (s *Service) Found(ctx context.Context, p Program, id int64) (models.Import, error) {
	i, err := queries.ImportGet(ctx, s.DB, id)
	if db.IsNoRows(err) || err == nil && i.ProductID != p.Token.ProductID {
		return i, errMissing
	}
	return i, err
}
