package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"text/tabwriter"
)

// terminal is what a command sees of the world.
type terminal struct {
	in       io.Reader
	out, err io.Writer
	environ  []string // KEY=value
}

// command is one subcommand. run gets what follows its name.
type command struct {
	name, summary string
	run           func(ctx context.Context, t terminal, args []string) error
}

var commands = []command{
	{"web", "serve the portal and the channel APIs", runWeb},
	{"worker", "work the job queues", runWorker},
	{"dev", "set everything up on this machine and run it", runDev},
	{"migrate", "bring the database's schema to this version", runMigrate},
	{"seed", "publish the documentation that comes with the program", runSeed},
	{"admin", "create an administrator of the portal, or reset one", runAdmin},
	{"import", "bring an API description into a portal, from a pipeline", runImport},
	{"listen", "relay callbacks to an address that only this machine can reach", runListen},
	{"jobs", "list why jobs fail, or retry them by kind and cause", runJobs},
	{"audit", "verify that nothing of the audit was changed, or accept that it was", runAudit},
	{"org", "create an organisation, or add phone numbers, accounts and catalogues to one", runOrg},
	{"retention", "show or set how long contents and logs of messages are kept", runRetention},
	{"erase", "erase a recipient from messages and callbacks", runErase},
	{"carrier", "set up the carriers of live messages, and route messages to them", runCarrier},
	{"key", "say what a lost encryption key takes with it, and replace that", runKey},
	{"doctor", "check configuration, keys, schema, storage, queues and clock, and say what to do", runDoctor},
	{"alerts", "print alerting rules for Prometheus", runAlerts},
	{"dashboard", "print a dashboard for Grafana", runDashboard},
	{"manifests", "print Kubernetes manifests", runManifests},
	{"routes", "list every route of the web process", runRoutes},
	{"version", "print the version of this program", runVersion},
	{"help", "list the commands, or print or find a topic of the handbook", runHelp},
	{readDocument, "", runReadDocument},
}

// errUsage says that the command line was wrong and that this was said already.
var errUsage = errors.New("usage")

func main() {
	ctx := untilStopped()
	os.Exit(start(ctx, terminal{os.Stdin, os.Stdout, os.Stderr, os.Environ()}, os.Args[1:]))
}

// start runs the command that args name and returns the exit status: 0 done,
// 1 failed, 2 a wrong command line, 130 stopped while starting, or one of the command.
func start(ctx context.Context, t terminal, args []string) int {
	name := "help"
	if len(args) > 0 {
		name, args = args[0], args[1:]
	}
	switch name {
	case "-h", "-help", "--help":
		name = "help"
	}
	if name == "help" && len(args) == 0 {
		printCommands(t.out)
		printTopics(t.out)
		return 0
	}
	for _, c := range commands {
		if c.name != name {
			continue
		}
		var own statusError
		switch err := c.run(ctx, t, args); {
		case err == nil, errors.Is(err, flag.ErrHelp):
			return 0
		case errors.Is(err, errUsage):
			return 2
		case errors.Is(err, context.Canceled) && ctx.Err() != nil:
			return 130 // stopped before it was ready
		default:
			fmt.Fprintf(t.err, "heliograph %s: %v\n", name, err)
			if errors.As(err, &own) {
				return own.status
			}
			return 1
		}
	}
	fmt.Fprintf(t.err, "heliograph: there is no command %q\n\n", name)
	printCommands(t.err)
	return 2
}

func printCommands(w io.Writer) {
	fmt.Fprint(w, "usage: heliograph <command> [flags]\n\n")
	table := tabwriter.NewWriter(w, 0, 0, 3, ' ', 0)
	for _, c := range commands {
		if c.summary == "" {
			continue // of the program itself
		}
		fmt.Fprintf(table, "  %s\t%s\n", c.name, c.summary)
	}
	table.Flush()
	fmt.Fprint(w, "\nheliograph <command> -h lists its flags. Settings come from the environment: see .env.example.\n")
}

// newFlags makes the flags of a command; parse them with parseFlags.
func newFlags(t terminal, name string) *flag.FlagSet {
	flags := flag.NewFlagSet("heliograph "+name, flag.ContinueOnError)
	flags.SetOutput(t.err)
	return flags
}

// usageOf returns the error of a command line that the flag set has refused and said
// what is wrong with.
func usageOf(err error) error {
	if errors.Is(err, flag.ErrHelp) {
		return err
	}
	return errUsage
}

// parseFlags reads args, of which nothing may be left over.
func parseFlags(flags *flag.FlagSet, args []string) error {
	if err := flags.Parse(args); err != nil {
		return usageOf(err)
	}
	if flags.NArg() > 0 {
		fmt.Fprintf(flags.Output(), "%s: %q is not understood here\n", flags.Name(), flags.Arg(0))
		flags.Usage()
		return errUsage
	}
	return nil
}
