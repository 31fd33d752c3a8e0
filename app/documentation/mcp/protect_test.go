package mcp

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// A panic of a handler is an error of the protocol: in a goroutine of the SDK it
// would end the process. It also has a time limit, and says nothing about what
// happened.
func TestProtect(t *testing.T) {
	t.Parallel()
	handler := protect(func(ctx context.Context, _ string, _ mcp.Request) (mcp.Result, error) {
		if _, bounded := ctx.Deadline(); !bounded {
			t.Error("the handler has no time limit")
		}
		panic("secret detail")
	})
	_, err := handler(t.Context(), "tools/call", nil)
	var e *jsonrpc.Error
	if !errors.As(err, &e) || e.Code != jsonrpc.CodeInternalError || strings.Contains(e.Message, "secret") {
		t.Errorf("%v", err)
	}
}

func TestNearest(t *testing.T) {
	t.Parallel()
	if got := nearest("creat-bots", []string{"update-bot", "create-bot", "list-bots"}); got != "create-bot" {
		t.Error(got)
	}
	if !samePath("/{id}/messages", "/v3/123/messages") || samePath("/{id}/messages", "/messages") {
		t.Error("paths with values")
	}
}
