package outbound

import (
	"fmt"
	"io"
	"net/http"
	"sync"
	"testing"
)

// remote asks the server which connection a request of the owner came by.
func remote(t *testing.T, c *Client, owner, url string) string {
	t.Helper()
	req, _ := get(t, url)
	res, err := c.Do(owner, req)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	b, err := io.ReadAll(res.Body)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

func TestConnectionsAreReusedWithinAnOwnerOnly(t *testing.T) {
	t.Parallel()
	s := serve(t, func(w http.ResponseWriter, r *http.Request) { io.WriteString(w, r.RemoteAddr) })
	c := New(Options{AllowLoopback: true})
	first, second := remote(t, c, "asha", s.URL), remote(t, c, "asha", s.URL)
	if first != second {
		t.Errorf("one owner used the connections %s and %s, want one", first, second)
	}
	seen := map[string]bool{first: true}
	for _, owner := range []string{"ben", "", ""} {
		conn := remote(t, c, owner, s.URL)
		if seen[conn] {
			t.Errorf("owner %q got the connection %s of an earlier request", owner, conn)
		}
		seen[conn] = true
	}
}

func TestTransportsAreBounded(t *testing.T) {
	t.Parallel()
	pools := New(Options{}).transports
	kept, dropped := pools.get("kept"), pools.get("dropped")
	var wait sync.WaitGroup
	for i := range 4 * (maxOwners - 1) {
		wait.Go(func() {
			pools.get(fmt.Sprint(i % (maxOwners - 1)))
			pools.get("kept")
		})
	}
	wait.Wait()
	if len(pools.pools) != maxOwners || pools.recent.Len() != maxOwners {
		t.Errorf("%d pools in a list of %d, want %d", len(pools.pools), pools.recent.Len(), maxOwners)
	}
	if pools.get("kept") != kept {
		t.Error("the transport in use was dropped")
	}
	if pools.get("dropped") == dropped {
		t.Error("the transport used longest ago was kept")
	}
}
