package main

import (
	"bufio"
	"context"
	"crypto/rand"
	"errors"
	"flag"
	"fmt"
	"io"
	"strings"

	"heliograph/app/fault"
	"heliograph/app/lists"
	"heliograph/app/people/identity"
)

// operator is who the audit names for what is done on the command line.
const operator = "operator"

// runAdmin is the command admin: it creates an administrator or resets one.
func runAdmin(ctx context.Context, t terminal, args []string) error {
	action := "create"
	if len(args) > 0 && args[0] == "reset" {
		action = "reset"
	}
	flags := newFlags(t, "admin "+action)
	var n identity.NewAdmin
	flags.StringVar(&n.Email, "email", "", "`address` to sign in with")
	if action == "create" {
		flags.StringVar(&n.Name, "name", "", "`name` to show")
		flags.StringVar(&n.Role, "role", identity.SuperAdmin, "super_admin, editor or viewer")
	}
	given := flags.Bool("password-stdin", false, "read the password from the standard input (default: make one and print it)")
	data := dataFlag(flags)
	if err := parseAction(flags, action, args); err != nil {
		return err
	}
	var err error
	if n.Password, err = password(t.in, *given); err != nil {
		return err
	}
	return t.withPlatform(ctx, *data, "admin", func(p *platform) error {
		directory := identity.New(p.pool, identity.Notifier{})
		if action == "reset" {
			n.Role, err = identity.SuperAdmin, directory.ResetAdmin(ctx, n.Email, n.Password, operator)
		} else {
			_, err = directory.CreateAdmin(ctx, n, operator)
		}
		if err != nil {
			return asFlags(err)
		}
		fmt.Fprintf(t.out, "%s is a %s and signs in at %s/admin.\n", n.Email, n.Role, p.config.PublicURL)
		if !*given {
			fmt.Fprintf(t.out, "Password, shown this once: %s\n", n.Password)
		}
		return nil
	})
}

// parseAction reads the flags after the one action that a command knows.
func parseAction(flags *flag.FlagSet, action string, args []string) error {
	if len(args) == 0 || args[0] != action {
		fmt.Fprintf(flags.Output(), "usage: %s [flags]\n", flags.Name())
		flags.PrintDefaults()
		if len(args) > 0 && strings.HasPrefix(args[0], "-h") {
			return flag.ErrHelp
		}
		return errUsage
	}
	return parseFlags(flags, args[1:])
}

// password reads a line of input, or makes a password of 130 random bits.
func password(in io.Reader, given bool) (string, error) {
	if !given {
		return rand.Text(), nil
	}
	line, err := bufio.NewReader(in).ReadString('\n')
	if err != nil && !errors.Is(err, io.EOF) {
		return "", fmt.Errorf("reading the password: %w", err)
	}
	return strings.TrimRight(line, "\r\n"), nil
}

// asFlags says of invalid input which flag to change.
func asFlags(err error) error {
	f := fault.As(err)
	if f == nil || len(f.Fields) == 0 {
		return err
	}
	lines := lists.Map(f.Fields, func(field fault.Field) string { return fmt.Sprintf("--%s: %s", field.Name, field.Message) })
	return errors.New(strings.Join(lines, "\n  "))
}
