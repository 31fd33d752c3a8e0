package sdk

import (
	"fmt"
	"strings"
	"sync"
	"text/template"

	"heliograph/app/lists"
)

var javaTemplates = sync.OnceValue(func() *template.Template {
	return templates("java", template.FuncMap{
		"javaType": javaType, "javaRead": javaRead, "javaInput": javaInput, "javaHasInput": goInput, "javaResult": javaResult, "javaSet": javaSet,
		"javaBody": javaBody, "javaName": javaName, "javaStart": javaStart, "deprecatedTag": deprecatedTag, "basicHint": basicHint,
	})
})

// javaFixed are the files that archives have whatever the contract.
var javaFixed = strings.Fields("Json Value Model Open OneOf FileData SdkException ApiException Response CallOptions Cancellation Operation Call Core Webhooks Client")

// clientErrors are the errors that no answer of the service causes: name, base and text.
var clientErrors = [][3]string{
	{"ConnectionException", "SdkException", "The service could not be reached."}, {"TimeoutException", "ConnectionException", "The service did not answer in time."},
	{"AbortedException", "SdkException", "The caller cancelled the call."}, {"SignatureException", "SdkException", "A webhook was not sent by the service, or is too old."},
}

func javaFiles(v *view) ([]File, error) {
	v.Quick = javaQuick(v)
	folder := "src/main/java/" + v.Package + "/"
	files := lists.Map(javaFixed, func(name string) [2]string { return [2]string{name + ".java", folder + name + ".java"} })
	files = append(files, [2]string{"pom.xml", "pom.xml"}, [2]string{"Quickstart.java", "examples/Quickstart.java"})
	list, err := v.execute(javaTemplates(), files)
	if err != nil {
		return nil, err
	}
	add := func(template, path string, part view) {
		if err == nil {
			var made []File
			made, err = part.execute(javaTemplates(), [][2]string{{template, folder + path}})
			list = append(list, made...)
		}
	}
	for _, e := range clientErrors {
		add("Exceptions.java", e[0]+".java", view{Package: v.Package, Slug: e[0], Manifest: e[1], Quick: e[2]})
	}
	for _, e := range v.Errors {
		add("StatusException.java", e.Name+"Exception.java", view{Package: v.Package, Slug: e.Name + "Exception", Quick: e.Status})
	}
	for _, r := range v.API.Resources {
		add("Resource.java", r.Type.Pascal+".java", view{Package: v.Package, Resource: r})
		for _, m := range r.Methods {
			if goInput(m) {
				add("Params.java", "params/"+m.Input.Pascal+".java", view{Package: v.Package, Method: m})
			}
		}
	}
	for _, m := range v.API.Models {
		add("ModelFile.java", "models/"+m.Name.Pascal+".java", view{Package: v.Package, Model: m})
	}
	return list, err
}

var javaTypes = typeWords{
	String: "String", Integer: "Long", Number: "Double", Boolean: "Boolean", Binary: "PACKAGE.FileData", Any: "Object",
	Array: "java.util.List<ELEMENT>", Map: "java.util.Map<String, ELEMENT>", Ref: "PACKAGE.models.MODEL",
}

func javaType(v *view, t *Type) string {
	return javaTypes.spell(t, v.Package, func(elem *Type) string { return javaType(v, elem) })
}

// javaRead returns the expression that reads a value of a type. level makes the names
// of variables differ.
func javaRead(v *view, t *Type, value string, level int) string {
	inner := fmt.Sprintf("x%d", level)
	switch t.Kind {
	case Any:
		return value
	case Array, Map:
		return fmt.Sprintf("%s.Json.%s(%s, %s -> %s)", v.Package, jsonReaders[t.Kind], value, inner, javaRead(v, t.Elem, inner, level+1))
	case Ref:
		name := javaType(v, t)
		if t.Model.Kind == Object {
			return fmt.Sprintf("%s.Json.model(%s, %s::new)", v.Package, value, name)
		}
		return fmt.Sprintf("%s.Json.of(%s, %s::of)", v.Package, value, name)
	}
	return v.Package + ".Json." + jsonReaders[t.Kind] + "(" + value + ")"
}

func javaInput(v *view, m *Method) string {
	if !goInput(m) {
		return ""
	}
	return v.Package + ".params." + m.Input.Pascal + " p"
}

func javaResult(v *view, m *Method) string {
	return resultType(m, "void", "java.io.InputStream", func(t *Type) string { return javaType(v, t) })
}

func javaBody(v *view, b *Body) string { return bodyType(b, "Object", javaType(v, b.Type)) }

func javaSet(p *Param) string { return setter(p, "p."+p.Name.Camel+"()", p.In) }

func javaStart(m *Method) string {
	if p := m.Page.Param; p != nil && p.Type.Kind == Integer {
		return "p." + p.Name.Camel + "()"
	}
	return "null"
}

// javaQuick returns the call of the quick start.
func javaQuick(v *view) string {
	m := v.First
	if m == nil {
		return "        System.out.println(client);\n"
	}
	arguments := ""
	if goInput(m) {
		arguments = "new " + v.Package + ".params." + m.Input.Pascal + "()"
		for _, e := range m.Example {
			arguments += fmt.Sprintf("\n            .%s(%s)", e.Name.Camel, javaArgument(v, m, e))
		}
	}
	call := fmt.Sprintf("client.%s().%s(%s)", m.Resource.Name.Camel, m.Name.Camel, arguments)
	if m.Result == nil {
		return "        " + call + ";\n"
	}
	return "        System.out.println(" + call + ");\n"
}

// javaArgument returns the value of an argument of the quick start.
func javaArgument(v *view, m *Method, e ExampleArgument) string {
	t, _ := argumentType(m, e.Name)
	if literal, ok := simpleLiteral(t, e.Value, quote); ok && t.Kind != Ref {
		return literal + map[string]string{Integer: "L", Number: "d"}[t.Kind]
	}
	return javaRead(v, t, v.Package+".Json.parse("+quote(string(e.Value.JSON()))+")", 0)
}

// argumentType returns the type of an argument of a method, and whether it is required.
func argumentType(m *Method, name Name) (t *Type, required bool) {
	for _, p := range m.Params {
		if p.Name == name {
			return p.Type, p.Required
		}
	}
	if m.Body != nil {
		return m.Body.Type, m.Body.Required
	}
	return &Type{Kind: Any}, false
}

var javaWords = set(`abstract assert boolean break byte case catch char class const continue default do double else enum extends final finally float
for goto if implements import instanceof int interface long native new package private protected public return short static strictfp super switch
synchronized this throw throws transient try void volatile while true false null values has`)

// javaName returns the name of a member's methods.
func javaName(name string) string {
	if javaWords[name] {
		return name + "_"
	}
	return name
}
