// Package sample writes a call of an endpoint as a program in several languages.
package sample

import "heliograph/app/documentation/openapi/model"

// Language is a language that samples are written in.
type Language struct {
	Slug string // in addresses and cookies: csharp
	Name string // as readers know it: C#

	Syntax string // the name by which its code is coloured: shell for curl
	Title  string // of samples: the name, and where or as which file they run
}

// writers lists the languages with their functions, in the order of a page.
var writers = []struct {
	Language
	write func(*request) string
}{
	{Language{"curl", "cURL", "shell", "cURL"}, curl},
	{Language{"javascript", "JavaScript", "javascript", "JavaScript, on a server"}, javaScript},
	{Language{"nodejs", "Node.js", "javascript", "Node.js, send.mjs"}, nodeJS},
	{Language{"python", "Python", "python", "Python"}, python},
	{Language{"java", "Java", "java", "Java"}, java},
	{Language{"php", "PHP", "php", "PHP"}, php},
	{Language{"csharp", "C#", "csharp", "C#"}, cSharp},
	{Language{"go", "Go", "go", "Go"}, golang},
}

// Languages lists the languages of samples, in the order of a page.
func Languages() []Language {
	list := make([]Language, len(writers))
	for i, w := range writers {
		list[i] = w.Language
	}
	return list
}

// Choice is a body that a sample can send.
type Choice struct {
	ContentType string        // "" without a body
	Example     model.Example // zero when the document gives none and none could be made
}

// Choices lists the bodies that the samples of an endpoint can send: every
// example of every content type, in the order of the document. There is always
// one.
func Choices(e *model.Endpoint) []Choice {
	var list []Choice
	for _, b := range e.Bodies {
		for _, x := range b.Examples {
			list = append(list, Choice{b.ContentType, x})
		}
		if len(b.Examples) == 0 {
			list = append(list, Choice{ContentType: b.ContentType})
		}
	}
	if len(list) == 0 {
		list = []Choice{{}}
	}
	return list
}

// Write writes the shortest call of an endpoint that works, with a timeout and
// its errors handled, as a whole program that can be run as it is. Server is
// the base address, language the slug of one of [Languages], and choice an
// index of [Choices]; false for an unknown language or choice.
//
// Values come from the examples of the document. Credentials, and values that
// it gives no example for, are placeholders in angle brackets: <API_KEY>,
// <ACCESS_TOKEN>, <phone-number-id>.
//
// Every language sends the same request. What it needs beyond the language
// itself is requests for Python, ext-curl for PHP, Java 17 and C# 7.1 or later.
func Write(e *model.Endpoint, server, language string, choice int) (string, bool) {
	choices := Choices(e)
	if choice < 0 || choice >= len(choices) {
		return "", false
	}
	for _, w := range writers {
		if w.Slug == language {
			return w.write(newRequest(e, server, choices[choice])), true
		}
	}
	return "", false
}
