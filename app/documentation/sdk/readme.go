package sdk

import (
	"fmt"
	"strings"
)

// manual is what a README says of a language.
type manual struct {
	needs, install, fence    string
	errors, retries, pages   string
	types, webhooks, cancels string
	start, syntax            string // a first program for the portal, and its syntax there
}

var manuals = map[string]manual{
	"node": {
		needs: "Node.js 18 or newer", fence: "js",
		install:  "```sh\nnpm install ./%s\n```",
		errors:   "```js\nimport { APIError, NotFoundError } from '%s';\n\ntry {\n  // a call\n} catch (error) {\n  if (error instanceof NotFoundError) console.log(error.code, error.requestId);\n  else if (error instanceof APIError) console.log(error.status, error.body);\n  else throw error;\n}\n```",
		retries:  "`new Client({ maxRetries: 5, timeout: 10_000 })`, or `{ maxRetries: 0 }` as the last argument of a call",
		cancels:  "Pass `{ signal }` of an `AbortController`",
		pages:    "```js\nfor await (const item of %s) console.log(item);\n```",
		types:    "Objects are plain objects with types in `index.d.ts`. Integers beyond 2^53 are `bigint`.",
		webhooks: "await verifyStandardWebhook(rawBody, headers, secret)",
		start:    "import { Client, APIError } from '%s';\n\n// Credentials come from the environment, or from the options.\nconst client = new Client({ maxRetries: 3 });\ntry {\n  const { status, body } = await client.request('GET', '/');\n  console.log(status, body);\n} catch (error) {\n  if (error instanceof APIError) console.error(error.status, error.code, error.requestId);\n  else throw error;\n}\n", syntax: "javascript",
	},
	"python": {
		needs: "Python 3.9 or newer", fence: "python",
		install:  "```sh\npip install ./%s\n```",
		errors:   "```python\nfrom %s import APIError, NotFoundError\n\ntry:\n    ...  # a call\nexcept NotFoundError as error:\n    print(error.code, error.request_id)\nexcept APIError as error:\n    print(error.status, error.body)\n```",
		retries:  "`Client(max_retries=5, timeout=10)`, or `options=RequestOptions(max_retries=0)` in a call",
		cancels:  "Pass `options=RequestOptions(cancel=event)` with a `threading.Event` and set it",
		pages:    "```python\nfor item in %s:\n    print(item)\n```",
		types:    "Objects are dictionaries with types of `TypedDict` in `types.py`: `pet[\"name\"]`.",
		webhooks: "verify_standard_webhook(raw_body, headers, secret)",
		start:    "from %s import APIError, Client\n\n# Credentials come from the environment, or from the arguments.\nclient = Client(max_retries=3)\ntry:\n    response = client.request(\"GET\", \"/\")\n    print(response.status, response.content)\nexcept APIError as error:\n    print(error.status, error.code, error.request_id)\n", syntax: "python",
	},
	"java": {
		needs: "Java 11 or newer", fence: "java",
		install:  "Install the library with Maven, or compile the folder `src/main/java` with your program:\n\n```sh\nmvn -q -f %s install\n```",
		errors:   "```java\ntry {\n    // a call\n} catch (NotFoundException e) {\n    System.out.println(e.code() + \" \" + e.requestId());\n} catch (ApiException e) {\n    System.out.println(e.status() + \" \" + e.response().text());\n}\n```",
		retries:  "`Client.builder().maxRetries(5).timeout(Duration.ofSeconds(10))`, or `new CallOptions().maxRetries(0)` as the last argument of a call",
		cancels:  "Pass `new CallOptions().cancellation(c)` and call `c.cancel()`, or interrupt the thread,",
		pages:    "```java\nfor (var item : %s) {\n    System.out.println(item);\n}\n```",
		types:    "Objects wrap the members of JSON: `pet.name()` reads, `pet.name(\"Rex\")` writes, `pet.has(\"name\")` tells an absent member from null, and `values()` has every member.",
		webhooks: "Webhooks.verifyStandardWebhook(rawBody, id, timestamp, signatures, secret)",
		start:    "import %[1]s.Client;\n\npublic class Main {\n    public static void main(String[] args) {\n        // Credentials come from the environment, or from the builder.\n        Client client = Client.builder().maxRetries(3).build();\n        System.out.println(client.request(\"GET\", \"/\", null, null, null).status());\n    }\n}\n", syntax: "java",
	},
	"php": {
		needs: "PHP 8.1 or newer with ext-curl", fence: "php",
		install:  "Put the folder beside your program and load it, or name it as a path repository of Composer:\n\n```sh\nphp -r 'require \"%s/autoload.php\"; echo \"ready\\n\";'\n```",
		errors:   "```php\ntry {\n    // a call\n} catch (NotFoundException $e) {\n    echo $e->errorCode, ' ', $e->requestId;\n} catch (ApiException $e) {\n    echo $e->response->status, ' ', $e->response->body;\n}\n```",
		retries:  "`new Client(maxRetries: 5, timeout: 10)`, or `options: new CallOptions(maxRetries: 0)` in a call",
		cancels:  "Pass `options: new CallOptions(cancelled: fn () => $stop)`, a function that returns true,",
		pages:    "```php\nforeach (%s as $item) {\n    var_dump($item);\n}\n```",
		types:    "Objects wrap the members of JSON: `$pet->name()` reads, `$pet->setName('Rex')` writes, `$pet->has('name')` tells an absent member from null, and `$pet->get('other')` reads any member.",
		webhooks: "Webhooks::verifyStandardWebhook($rawBody, $id, $timestamp, $signatures, $secret)",
		start:    "<?php\n\nrequire 'FOLDER/autoload.php';\n\n// Credentials come from the environment, or from the arguments.\n$client = new \\NAMESPACE\\Client(maxRetries: 3);\necho $client->request('GET', '/')->status, PHP_EOL;\n", syntax: "php",
	},
	"csharp": {
		needs: ".NET with .NET Standard 2.0 (.NET Framework 4.7.2 or .NET Core 2.0, and newer)", fence: "csharp",
		install:  "```sh\ndotnet add reference %s/NAMESPACE.csproj\n```",
		errors:   "```csharp\ntry\n{\n    // a call\n}\ncatch (NotFoundException e)\n{\n    Console.WriteLine(e.Code + \" \" + e.RequestId);\n}\ncatch (ApiException e)\n{\n    Console.WriteLine(e.Status + \" \" + e.Response.Text());\n}\n```",
		retries:  "`new Client(new ClientOptions { MaxRetries = 5, Timeout = TimeSpan.FromSeconds(10) })`, or `new CallOptions { MaxRetries = 0 }` in a call",
		cancels:  "Pass a `CancellationToken` and cancel it",
		pages:    "```csharp\nforeach (var item in %s)\n{\n    Console.WriteLine(item);\n}\n```",
		types:    "Objects wrap the members of JSON: properties read and write them, `Has_(\"name\")` tells an absent member from null, and `Members_` has every member.",
		webhooks: "Webhooks.VerifyStandardWebhook(rawBody, id, timestamp, signatures, secret)",
		start:    "using System;\n\npublic static class Program\n{\n    public static void Main()\n    {\n        // Credentials come from the environment, or from the options.\n        var client = new NAMESPACE.Client(new NAMESPACE.ClientOptions { MaxRetries = 3 });\n        Console.WriteLine(client.RequestAsync(\"GET\", \"/\").Result.Status);\n    }\n}\n", syntax: "csharp",
	},
	"go": {
		needs: "Go 1.24 or newer", fence: "go",
		install:  "The module needs no other. Put the folder beside your program:\n\n```sh\ngo mod edit -require=%[2]s@v0.0.0 -replace=%[2]s=./%[1]s\n```",
		errors:   "```go\nvar missing *%[1]s.NotFoundError\nvar failed *%[1]s.APIError\nif errors.As(err, &missing) {\n\tlog.Print(missing.Code, missing.RequestID)\n} else if errors.As(err, &failed) {\n\tlog.Print(failed.Status, string(failed.Body))\n}\n```",
		retries:  "`NewClient(WithMaxRetries(5), WithTimeout(10*time.Second))`, or `RequestMaxRetries(0)` in a call",
		cancels:  "Cancel the context",
		pages:    "```go\nfor item, err := range %s {\n\tif err != nil {\n\t\treturn err\n\t}\n\tfmt.Println(item)\n}\n```",
		types:    "Optional members are pointers: `Ptr(\"text\")`. Members that may also be null are `Nullable`. Other members are in `Extra`.",
		webhooks: "VerifyStandardWebhook(rawBody, id, timestamp, signature, secret)",
		start:    "package main\n\nimport (\n\t\"context\"\n\t\"fmt\"\n\n\tapi \"%s\"\n)\n\nfunc main() {\n\t// Credentials come from the environment, or from options.\n\tclient := api.NewClient(api.WithMaxRetries(3))\n\tresponse, err := client.Request(context.Background(), \"GET\", \"/\", nil, nil)\n\tfmt.Println(response, err)\n}\n", syntax: "go",
	},
}

// readme returns the README of an archive.
func (v *view) readme() string {
	m := manuals[v.Lang.Slug]
	folder := Folder(v.API.Product, v.API.Version, v.Lang)
	pkg := v.Package
	if v.Lang.Slug == "node" {
		pkg = v.Slug
	}
	var b strings.Builder
	fmt.Fprintf(&b, "# %s for %s\n\nClient of %s, version %s. It needs %s and no other package.\n", markdown(v.API.Name), v.Lang.Title, markdown(v.API.Name), oneLine(v.API.SDKVersion), m.needs)
	if v.API.PageURL != "" {
		fmt.Fprintf(&b, "\nDocumentation: <%s>\n", oneLine(v.API.PageURL))
	}
	install := strings.ReplaceAll(fill(m.install, folder, pkg), "NAMESPACE", v.Namespace())
	b.WriteString("\n## Install\n\n" + install + "\n")
	fmt.Fprintf(&b, "\n## Quick start\n\nSet the credentials and the base address in the environment, put values of your own in place of the example’s, and run `%s`:\n\n```sh\n", v.quickCommand())
	fmt.Fprintf(&b, "export %s=%s\n", v.BaseEnv, shell(v.API.BaseURL))
	for _, s := range v.quickSchemes() {
		fmt.Fprintf(&b, "export %s=…\n", s.Env)
	}
	fmt.Fprintf(&b, "%s\n```\n\n```%s\n%s```\n", v.quickCommand(), m.fence, v.quickCode())
	b.WriteString("\n## Credentials\n\n")
	for _, s := range v.API.Schemes {
		fmt.Fprintf(&b, "- `%s`, or the variable `%s`: %s\n", v.credential(s), s.Env, place(s))
	}
	if len(v.API.Schemes) == 0 {
		b.WriteString("The API takes no credentials.\n")
	}
	b.WriteString("\nCredentials and your own headers are sent to the origin of the base address only, never to the target of a redirect.\n")
	b.WriteString("\n## Errors\n\n" + fill(m.errors, pkg) + "\n\n| Status | Error |\n|---|---|\n")
	for _, e := range v.Errors {
		fmt.Fprintf(&b, "| %s | `%s` |\n", e.Status, v.errorName(e))
	}
	b.WriteString("\nErrors have the status, the headers, the body, and where the service names them a code, a message, the id of the request and a link.\n")
	fmt.Fprintf(&b, "\n## Retries and timeouts\n\nRequests that fail with a connection error or the status 408, 429, 500, 502, 503 or 504 are repeated twice, after half a second and then twice as long, with jitter. `Retry-After` is obeyed up to a minute, as seconds or as a date. Only requests that may be repeated are: all but POST and PATCH, and operations with an idempotency key, which the client makes itself and keeps for all attempts. One attempt may take 30 seconds. To change this, use %s. %s to end a call at once, even while it waits.\n", m.retries, m.cancels)
	for _, r := range v.API.Resources {
		for _, x := range r.Methods {
			if x.Page != nil {
				fmt.Fprintf(&b, "\n## Pages\n\nOperations that return lists in pages have a method that goes through the items of all of them:\n\n%s\n", fill(m.pages, v.pageCall(x)))
				goto types
			}
		}
	}
types:
	fmt.Fprintf(&b, "\n## Types\n\n%s Members and values that the contract does not name are kept. Times are texts as the service sends them, with their offset.\n", m.types)
	b.WriteString("\n## Webhooks\n\nCheck the raw body before you read it:\n\n")
	for _, s := range v.Signatures {
		fmt.Fprintf(&b, "- `%s`: %s of the header `%s`\n", v.verifier(s), strings.ToUpper(s.Algorithm), oneLine(s.Header))
	}
	fmt.Fprintf(&b, "- `%s`: Standard Webhooks\n", m.webhooks)
	b.WriteString("\n## Methods\n\n[REFERENCE.md](REFERENCE.md) lists the arguments of each.\n\n| Method | Request | |\n|---|---|---|\n")
	for _, r := range v.API.Resources {
		for _, x := range r.Methods {
			title := markdown(x.Title)
			if x.Deprecated {
				title += " (deprecated)"
			}
			fmt.Fprintf(&b, "| `%s` | `%s %s` | %s |\n", v.call(x), oneLine(x.Verb), strings.ReplaceAll(oneLine(x.Path), "|", "\\|"), title)
		}
	}
	return b.String()
}

// fill formats a text with as many of the values as it has places for.
func fill(text string, values ...any) string {
	if !strings.Contains(text, "%[") {
		values = values[:min(len(values), strings.Count(text, "%s"))]
	}
	if len(values) == 0 {
		return text
	}
	return fmt.Sprintf(text, values...)
}

// shell quotes a text for a shell.
func shell(text string) string {
	return "'" + strings.ReplaceAll(oneLine(text), "'", "") + "'"
}

func place(s *Scheme) string {
	switch s.Kind {
	case "basic":
		return "user:password, sent as HTTP basic authentication"
	case "bearer":
		return "a bearer token"
	}
	return fmt.Sprintf("sent in the %s `%s`", s.In, oneLine(s.Field))
}

func (v *view) credential(s *Scheme) string {
	switch v.Lang.Slug {
	case "go":
		return "With" + s.Name.Pascal
	case "csharp":
		return s.Name.Pascal
	case "python":
		return s.Name.Snake
	}
	return s.Name.Camel
}

func (v *view) errorName(e statusError) string {
	if v.Lang.Slug == "java" || v.Lang.Slug == "csharp" || v.Lang.Slug == "php" {
		return e.Name + "Exception"
	}
	return e.Name + "Error"
}

func (v *view) verifier(s signature) string {
	switch v.Lang.Slug {
	case "python":
		return "verify_" + s.Snake + "(raw_body, header, secret)"
	case "go":
		return "Verify" + s.Name + "(rawBody, header, secret)"
	case "java":
		return "Webhooks.verify" + s.Name + "(rawBody, header, secret)"
	case "csharp":
		return "Webhooks.Verify" + s.Name + "(rawBody, header, secret)"
	case "php":
		return "Webhooks::verify" + s.Name + "($rawBody, $header, $secret)"
	}
	return "await verify" + s.Name + "(rawBody, header, secret)"
}

// pageCall returns the expression for the pages of a method.
func (v *view) pageCall(m *Method) string {
	paged := *m
	paged.Name = m.Page.Name
	call := strings.TrimSuffix(v.call(&paged), "Async")
	arguments := ""
	if !noRequired(m) {
		arguments = "…"
	}
	if v.Lang.Slug == "go" {
		arguments = "ctx"
		if goInput(m) {
			arguments += ", " + v.Package + "." + m.Input.Pascal + "{}"
		}
	}
	if arguments == "" && (v.Lang.Slug == "java" || v.Lang.Slug == "csharp") && goInput(m) {
		arguments = "new " + m.Input.Pascal + "()"
	}
	return call + "(" + arguments + ")"
}

// quickCommand returns the command that runs the example.
func (v *view) quickCommand() string {
	return map[string]string{
		"node": "node examples/quickstart.mjs", "python": "PYTHONPATH=. python3 examples/quickstart.py", "go": "go run ./examples/quickstart",
		"java": "javac -d out $(find src -name '*.java') examples/Quickstart.java && java -cp out Quickstart", "php": "php examples/quickstart.php", "csharp": "dotnet run --project examples",
	}[v.Lang.Slug]
}

// quickCode returns the code of the call v.Quick with what must stand before it.
func (v *view) quickCode() string {
	switch v.Lang.Slug {
	case "node":
		return "import { Client } from " + quote(v.Slug) + ";\n\nconst client = new Client();\n" + v.Quick + "console.log(result);\n"
	case "python":
		return "from " + v.Package + " import Client\n\nclient = Client()\n" + v.Quick + "print(result)\n"
	case "go":
		return "client := api.NewClient()\n" + dedent(v.Quick, "\t")
	case "java":
		return "import " + v.Package + ".Client;\n\nClient client = Client.create();\n" + dedent(v.Quick, "        ")
	case "php":
		return "require 'autoload.php';\n\n$client = new \\" + v.Namespace() + "\\Client();\n" + v.Quick
	}
	return "var client = new " + v.Namespace() + ".Client();\n" + dedent(v.Quick, "        ")
}

// dedent removes an indent from the lines of a text that have it.
func dedent(text, indent string) string {
	lines := strings.SplitAfter(text, "\n")
	for i, line := range lines {
		lines[i] = strings.TrimPrefix(line, indent)
	}
	return strings.Join(lines, "")
}

// fenced returns the code of the first fence of a text.
func fenced(text string) string {
	_, rest, found := strings.Cut(text, "```sh\n")
	if !found {
		return ""
	}
	code, _, _ := strings.Cut(rest, "```")
	return code
}
