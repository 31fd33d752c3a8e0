package sdk

import "strings"

const warranty = `THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR
IMPLIED, INCLUDING BUT NOT LIMITED TO THE WARRANTIES OF MERCHANTABILITY, FITNESS
FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE AUTHORS OR
COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM, DAMAGES OR OTHER LIABILITY, WHETHER IN
AN ACTION OF CONTRACT, TORT OR OTHERWISE, ARISING FROM, OUT OF OR IN CONNECTION
WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN THE SOFTWARE.
`

var licenses = map[string]string{
	"MIT": `MIT License

Copyright (c) the publishers of {name}

Permission is hereby granted, free of charge, to any person obtaining a copy of
this software and associated documentation files (the "Software"), to deal in the
Software without restriction, including without limitation the rights to use, copy,
modify, merge, publish, distribute, sublicense, and/or sell copies of the Software,
and to permit persons to whom the Software is furnished to do so, subject to the
following conditions:

The above copyright notice and this permission notice shall be included in all
copies or substantial portions of the Software.

` + warranty,
	"ISC": `ISC License

Copyright (c) the publishers of {name}

Permission to use, copy, modify, and/or distribute this software for any purpose
with or without fee is hereby granted, provided that the above copyright notice and
this permission notice appear in all copies.

` + warranty,
	"0BSD": `Zero-Clause BSD

Copyright (c) the publishers of {name}

Permission to use, copy, modify, and/or distribute this software for any purpose
with or without fee is hereby granted.

` + warranty,
}

// NewLicense returns the licence with an SPDX id. An empty or unknown id lets partners
// use the archives to call the API.
func NewLicense(id, name string) License {
	text, known := licenses[id]
	if !known {
		id = "LicenseRef-API-Client"
		text = `Copyright (c) the publishers of {name}

You may use, copy and change this software to call {name}, and pass it on as a part
of programs that do.

` + warranty
	}
	return License{ID: id, Text: strings.ReplaceAll(text, "{name}", oneLine(name))}
}
