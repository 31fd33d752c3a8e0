// Command versitygw serves a folder as S3 on a loopback address, for tests:
//
//	versitygw host:port folder versions
//
// Old versions of objects are kept in the folder versions. The keys of the only
// user are in ROOT_ACCESS_KEY_ID and ROOT_SECRET_ACCESS_KEY. GET /health answers
// 200 without a key.
//
// The command of the same name in the module of versitygw can serve other stores
// as well. Their clients take two fifths of the time that it takes to compile.
package main

import (
	"context"
	"fmt"
	"os"

	"github.com/versity/versitygw/backend/meta"
	"github.com/versity/versitygw/backend/posix"
	"github.com/versity/versitygw/embedgw"
)

func main() {
	if len(os.Args) != 4 {
		fmt.Fprintln(os.Stderr, "usage: versitygw host:port folder versions")
		os.Exit(2)
	}
	if err := serve(os.Args[1], os.Args[2], os.Args[3]); err != nil {
		fmt.Fprintln(os.Stderr, "versitygw:", err)
		os.Exit(1)
	}
}

func serve(address, folder, versions string) error {
	store, err := posix.New(folder, meta.XattrMeta{}, posix.PosixOpts{
		VersioningDir:       versions,
		CopyObjectThreshold: 5 << 30, // bytes
	})
	if err != nil {
		return err
	}
	// Connections are closed after each response. In one that is kept open, the server
	// may take what it left unread of a body for the next request.
	return embedgw.RunVersityGW(context.Background(), store, &embedgw.Config{
		RootUserAccess:    os.Getenv("ROOT_ACCESS_KEY_ID"),
		RootUserSecret:    os.Getenv("ROOT_SECRET_ACCESS_KEY"),
		Ports:             []string{address},
		MaxConnections:    1000,
		MaxRequests:       1000,
		MultipartMaxParts: 10_000,
		Quiet:             true,
		HealthPath:        "/health",
	})
}
