package model_test

import (
	"fmt"
	"testing"

	"heliograph/app/documentation/openapi/spectest"

	"github.com/google/go-cmp/cmp"
)

const callbackDocument = `
openapi: 3.1.0
info: {title: Parcels, version: "1"}
servers: [{url: https://api.example.com}]
security: [{key: []}]
tags: [{name: News}, {name: Parcels}]
paths:
  /parcels:
    post:
      operationId: parcelMoved
      tags: [Parcels]
      requestBody: {content: {application/json: {schema: {$ref: "#/components/schemas/Place"}}}}
      responses: {"200": {description: Done.}}
webhooks:
  moved:
    parameters:
      - {name: X-Signature, in: header, required: true, schema: {type: string}}
    post:
      operationId: parcelMoved
      tags: [Parcels]
      summary: A parcel moved
      requestBody:
        content:
          application/json:
            schema:
              type: object
              properties: {to: {$ref: "#/components/schemas/Place"}}
            example: {to: {city: Pune}}
      responses: {"2XX": {description: Taken.}}
  lost: {$ref: "#/components/pathItems/Lost"}
  found:
    post: {responses: {"200": {description: Taken.}}}
components:
  securitySchemes: {key: {type: apiKey, in: header, name: apikey}}
  schemas: {Place: {type: object, properties: {city: {type: string, enum: [Pune]}}}}
  pathItems:
    Lost: {post: {operationId: parcelLost, tags: [News], responses: {"200": {description: Taken.}}}}
`

// Webhooks of a document become callbacks beside the endpoints: in groups, and
// with ids and slugs, that no endpoint has.
func TestCallbacks(t *testing.T) {
	t.Parallel()
	api := spectest.Compile(t, []byte(callbackDocument))
	var got []string
	for _, c := range api.Callbacks {
		for _, e := range c.Endpoints {
			got = append(got, fmt.Sprintf("%s (%s): %s %s %s %q %q %t %d %d", c.Name, c.Slug, e.ID, e.Slug, e.Method, e.Path, e.Name, e.Callback, len(e.Servers), len(e.Auth)))
		}
	}
	want := []string{
		`News (news): parcelLost parcel-lost POST "lost" "Parcel lost" true 0 0`,
		`Callbacks (callbacks): parcelMoved2 parcel-moved2 POST "moved" "A parcel moved" true 0 0`,
		`Callbacks (callbacks): found found POST "found" "Found" true 0 0`,
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("callbacks (-want +got):\n%s", diff)
	}
	if len(api.Categories) != 1 || len(api.Categories[0].Endpoints) != 1 || api.Categories[0].Endpoints[0].Callback {
		t.Errorf("callbacks are among the endpoints: %+v", api.Categories)
	}
	moved := api.Callbacks[1].Endpoints[0]
	if moved.Parameters[0].Fields[0].Path != "header.X-Signature" || moved.Bodies[0].Root.Children[0].Children[0].Path != "body.to.city" {
		t.Errorf("fields have other addresses: %+v", moved)
	}
	if users := api.Schema("Place").Endpoints; len(users) != 2 || users[1] != moved {
		t.Errorf("Place is used by %v", users)
	}
}
