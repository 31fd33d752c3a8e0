package model_test

import (
	"fmt"
	"strings"
	"testing"

	"heliograph/app/documentation/openapi"
	"heliograph/app/documentation/openapi/corpus"
	"heliograph/app/documentation/openapi/model"
)

// largeDocument makes a document of operations that share schemas.
func largeDocument(operations int) []byte {
	var b strings.Builder
	b.WriteString(`{"openapi":"3.1.0","info":{"title":"Large","version":"1"},"servers":[{"url":"https://api.example.com"}],"security":[{"key":[]}],"paths":{`)
	for i := range operations {
		if i > 0 {
			b.WriteByte(',')
		}
		fmt.Fprintf(&b, `"/things-%d/{id}":{"parameters":[{"name":"id","in":"path","required":true,"schema":{"type":"string"}}],"post":{"operationId":"thing%d","tags":["Group %d"],"summary":"Change thing %d","description":"Changes *it*.",
"parameters":[{"name":"limit","in":"query","schema":{"type":"integer","minimum":1,"maximum":100}},{"$ref":"#/components/parameters/Trace"}],
"requestBody":{"content":{"application/json":{"schema":{"$ref":"#/components/schemas/Thing%d"}}}},
"responses":{"200":{"description":"Done.","content":{"application/json":{"schema":{"type":"object","properties":{"data":{"type":"array","items":{"$ref":"#/components/schemas/Thing%d"}},"next":{"type":["string","null"]}}}}}},"4XX":{"$ref":"#/components/responses/Error"}}}}`,
			i, i, i%20, i, i%100, i%100)
	}
	b.WriteString(`},"components":{"parameters":{"Trace":{"name":"X-Trace","in":"header","schema":{"type":"string","format":"uuid"}}},"securitySchemes":{"key":{"type":"apiKey","in":"header","name":"apikey"}},
"responses":{"Error":{"description":"Wrong.","content":{"application/json":{"schema":{"$ref":"#/components/schemas/Error"}}}}},"schemas":{"Error":{"type":"object","required":["message"],"properties":{"message":{"type":"string"},"code":{"type":"integer"}}}`)
	for i := range 100 {
		fmt.Fprintf(&b, `,"Thing%d":{"type":"object","required":["id"],"properties":{"id":{"type":"string","minLength":1,"maxLength":40,"description":"Its id."},"kind":{"enum":["a","b","c"]},"when":{"type":"string","format":"date-time"},"size":{"type":"number","minimum":0},"tags":{"type":"array","maxItems":9,"items":{"type":"string"}},"owner":{"oneOf":[{"type":"object","properties":{"name":{"type":"string"}}},{"type":"null"}]},"next":{"$ref":"#/components/schemas/Thing%d"}}}`, i, i/5*5+(i+1)%5)
	}
	b.WriteString(`}}}`)
	return []byte(b.String())
}

func BenchmarkRead(b *testing.B) {
	for _, d := range benchDocuments(b) {
		b.Run(d.Name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if _, err := openapi.Read(d.Data); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func BenchmarkCompile(b *testing.B) {
	for _, document := range benchDocuments(b) {
		d, err := openapi.Read(document.Data)
		if err != nil {
			b.Fatal(err)
		}
		b.Run(document.Name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if _, err := model.Compile(d.Parts); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func benchDocuments(b *testing.B) []corpus.Document {
	b.Helper()
	return append(corpus.Seeds(b), corpus.Document{Name: "1000 operations", Data: largeDocument(1000)})
}
