package main

import (
	"context"
	_ "embed"
	"fmt"
	"net/url"
	"strings"
)

//go:embed manifests.yaml
var manifests string

// runManifests is the command manifests: it prints Kubernetes manifests.
func runManifests(_ context.Context, t terminal, args []string) error {
	flags := newFlags(t, "manifests")
	image := flags.String("image", "heliograph", "`image` of the program")
	public := flags.String("public-url", "https://docs.example.com", "public `URL`, without a path")
	storage := flags.String("storage", "s3.example.com", "`host` of the S3 server, with its port unless it is the default")
	if err := parseFlags(flags, args); err != nil {
		return err
	}
	u, err := url.Parse(*public)
	if err != nil || u.Scheme != "https" || u.Host == "" || *public != "https://"+u.Host {
		fmt.Fprintf(t.err, "--public-url is %q: set it to https:// and a host, such as https://docs.example.com\n", *public)
		return errUsage
	}
	for flag, value := range map[string]string{"image": *image, "storage": *storage} {
		if value == "" || strings.ContainsAny(value, " \t\n\"'#{}[],") {
			fmt.Fprintf(t.err, "--%s is %q, which is not a name\n", flag, value)
			return errUsage
		}
	}
	text := strings.NewReplacer(
		"image: heliograph\n", "image: "+*image+"\n",
		"https://docs.example.com", *public, "docs.example.com", u.Hostname(), "s3.example.com", *storage,
	).Replace(manifests)
	_, err = fmt.Fprint(t.out, text)
	return err
}
