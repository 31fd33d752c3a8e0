package importing

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"

	"heliograph/app/documentation/editorial"
	"heliograph/app/fault"
	"heliograph/app/people/identity"
	"heliograph/db"
	"heliograph/db/models"
	"heliograph/db/queries"
)

const superAdmin = identity.SuperAdmin

// TokenDays are the days that a token may be valid, the usual number first.
var TokenDays = []int{90, 7, 30, 365}

const (
	tokenPrefix = "hgi_" // finds leaked tokens
	maxTokens   = 50     // of one administrator that work
)

// CreateToken makes a token that imports into one product for its administrator, and
// returns it. It is stored as a hash.
func (s *Service) CreateToken(ctx context.Context, actor editorial.Actor, t models.ImportToken, days int) (token string, err error) {
	t.Name = strings.TrimSpace(t.Name)
	var fields []fault.Field
	if t.Name == "" || len([]rune(t.Name)) > 100 {
		fields = append(fields, fault.Field{Name: "name", Message: "Enter what the token is for, at most 100 characters."})
	}
	if t.ProductID == 0 {
		fields = append(fields, fault.Field{Name: "product", Message: "Choose a product."})
	}
	if !slices.Contains(TokenDays, days) {
		fields = append(fields, fault.Field{Name: "days", Message: "Choose one of the numbers of days."})
	}
	if len(fields) > 0 {
		return "", fault.InvalidFields(fields...)
	}
	token = tokenPrefix + rand.Text()
	t.Prefix, t.CreatedBy = token[:len(tokenPrefix)+4], actor.ID
	err = db.InTx(ctx, s.DB, func(tx pgx.Tx) error {
		i := models.Import{VersionSlug: "1"}
		in := *s
		in.DB = tx
		if err := in.checkTarget(ctx, actor, Target{ProductID: t.ProductID}, &i); err != nil {
			return err
		}
		own, err := queries.ImportTokenList(ctx, tx, actor.ID)
		if err != nil {
			return err
		}
		working := 0
		for _, o := range own {
			if o.Works(s.Clock()) {
				working++
			}
		}
		if working >= maxTokens {
			return fault.New(fault.Conflict, "You have %d tokens that work. Revoke one first.", maxTokens)
		}
		life := time.Duration(days) * 24 * time.Hour
		id, err := queries.ImportTokenInsert(ctx, tx, t, hash(token), life)
		if err != nil {
			return fmt.Errorf("adding a token: %w", err)
		}
		return recordToken(ctx, tx, actor, "import_token.create", id, i.ProductSlug, map[string]any{"name": t.Name, "days": days})
	})
	if err != nil {
		return "", err
	}
	return token, nil
}

// RevokeToken ends a token. Only its administrator and Super Admins may.
func (s *Service) RevokeToken(ctx context.Context, actor editorial.Actor, id int64) error {
	return db.InTx(ctx, s.DB, func(tx pgx.Tx) error {
		t, err := queries.ImportTokenGet(ctx, tx, id)
		if db.IsNoRows(err) || err == nil && !owns(actor, t.CreatedBy) {
			return fault.New(fault.NotFound, "This token does not exist.")
		}
		if err != nil {
			return err
		}
		revoked, err := queries.ImportTokenUpdateRevoked(ctx, tx, id)
		if err != nil {
			return err
		}
		if !revoked {
			return fault.New(fault.Conflict, "This token is revoked already.")
		}
		return recordToken(ctx, tx, actor, "import_token.revoke", id, t.ProductSlug, map[string]any{"name": t.Name})
	})
}

// Authenticate returns a token and its administrator. The error is the same
// Unauthenticated for every token that does not work.
func (s *Service) Authenticate(ctx context.Context, token string) (models.ImportToken, editorial.Actor, error) {
	refused := fault.New(fault.Unauthenticated, "The token is missing, unknown, expired or revoked. Create one in the administration, on the page Imports, and send it as Authorization: Bearer.")
	if !strings.HasPrefix(token, tokenPrefix) || len(token) > 100 {
		return models.ImportToken{}, editorial.Actor{}, refused
	}
	t, err := queries.ImportTokenGetByHash(ctx, s.DB, hash(token))
	if db.IsNoRows(err) {
		return t, editorial.Actor{}, refused
	}
	if err != nil {
		return t, editorial.Actor{}, err
	}
	actor, err := s.actorOf(ctx, t.CreatedBy)
	if fault.Is(err, fault.Forbidden) {
		return t, actor, refused
	}
	return t, actor, err
}

func hash(token string) []byte {
	sum := sha256.Sum256([]byte(token))
	return sum[:]
}

func recordToken(ctx context.Context, tx pgx.Tx, actor editorial.Actor, action string, id int64, product string, details map[string]any) error {
	details["token"] = id
	return record(ctx, tx, actor, action, models.Import{ID: id, Source: models.ImportAPI, ProductSlug: product}, details)
}
