// Sends the same requests to the mock server and to Prism 5.14.2, and prints both answers
// beside each other, in the order of the list in app/documentation/mock/doc.go. Ends with 1
// where one of them answers otherwise than the list says.
//
//   npm install --no-package-lock --prefix .tools/mocks
//   heliograph dev
//   node .tools/mocks/behaviours.js http://localhost:8080
import { spawn } from 'node:child_process'
import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const portal = process.argv[2] ?? 'http://localhost:8080'
const product = 'business-messaging/3.0'
const prism = 'http://127.0.0.1:4012'
const bin = process.argv[3] ?? fileURLToPath(new URL('node_modules/.bin/prism', import.meta.url))

const file = join(mkdtempSync(join(tmpdir(), 'mocks-')), 'document.json')
const document = await (await fetch(`${portal}/openapi/${product}.json`)).json()
document.servers = [{ url: '/' }]
for (const item of Object.values(document.paths)) delete item.servers
writeFileSync(file, JSON.stringify(document))

const one = spawn(bin, ['mock', '--port', '4012', file], { stdio: 'ignore' })
process.on('exit', () => one.kill())
for (let i = 0; ; i++) {
	try { await fetch(prism); break } catch (e) { if (i > 300) throw e; await new Promise((r) => setTimeout(r, 100)) }
}

const message = { messaging_product: 'msgapp', recipient_type: 'individual', to: '+919812345678', type: 'text', text: { body: 'Hello' } }
const post = (body, headers) => ({ method: 'POST', path: '/1093847561029384/messages', body: typeof body === 'string' ? body : JSON.stringify(body), headers: { 'content-type': 'application/json', ...headers } })
const get = (headers, path = '/getuserdetails') => ({ path, headers })

// name, request, and the statuses of Prism and ours
const list = [
	['documented example', get(), 200, 200],
	['Prefer: code=401', get({ prefer: 'code=401' }), 401, 401],
	['__code=401', get({}, '/getuserdetails?__code=401'), 401, 401],
	['Prefer: code that is not documented', get({ prefer: 'code=299' }), 404, 404],
	['Prefer: example that is not documented', get({ prefer: 'example=nothing' }), 404, 404],
	['Prefer: dynamic=true', get({ prefer: 'dynamic=true' }), 200, 200],
	['Prefer: dynamic=perhaps', get({ prefer: 'dynamic=perhaps' }), 422, 422],
	['valid body', post(message), 200, 200],
	['invalid body', post({ ...message, to: '' }), 400, 400],
	['body that is no JSON', post('{'), 400, 400],
	['invalid body and Prefer: code=200', post({ ...message, to: '' }, { prefer: 'code=200' }), 400, 400],
	['invalid body and Prefer: code=401', post({ ...message, to: '' }, { prefer: 'code=401' }), 400, 401],
	['no body', post('', {}), 400, 400],
	['no credentials', { path: '/getuserdetails', headers: { apikey: undefined } }, 401, 401],
	['unknown path', get({}, '/nothing/of/this'), 404, 404],
	['unknown method', { method: 'PATCH', path: '/1093847561029384/messages' }, 405, 405],
	['base path of a server', get({}, '/v3/getuserdetails'), 404, 200],
	['Accept that no response has', get({ accept: 'text/csv' }), 406, 406],
	['Content-Type that is not documented', post('a,b', { 'content-type': 'text/csv' }), 400, 415],
	['HEAD', { method: 'HEAD', path: '/getuserdetails' }, 405, 200],
	['Prefer: wait=perhaps', get({ prefer: 'wait=perhaps' }), 200, 422],
	['preference that is not known', get({ prefer: 'colour=red' }), 200, 200],
	['slash at the end', get({}, '/getuserdetails/'), 404, 200],
	['preflight', { method: 'OPTIONS', path: '/getuserdetails', headers: { origin: 'https://reader.example', 'access-control-request-method': 'GET' } }, 204, 204],
]

// ask returns the status and what else of an answer the list speaks of.
async function ask(base, { method = 'GET', path, body, headers = {} }) {
	const all = { apikey: 'key', ...headers }
	for (const name of Object.keys(all)) if (all[name] === undefined) delete all[name]
	const answer = await fetch(base + path, { method, body, headers: all })
	await answer.text()
	const more = ['content-type', 'www-authenticate', 'allow', 'access-control-allow-credentials'].map((n) => answer.headers.get(n)).filter(Boolean)
	return { status: answer.status, text: [answer.status, ...more].join(', ') }
}

let wrong = 0
for (const [name, request, theirs, ours] of list) {
	const [a, b] = [await ask(prism, request), await ask(`${portal}/mock/${product}`, request)]
	const said = a.status === theirs && b.status === ours
	if (!said) wrong++
	console.log(`${said ? ' ' : '!'} ${name}\n    Prism ${a.text}\n    ours  ${b.text}`)
}
console.log(`${list.length} requests, ${wrong} answered otherwise than the list says`)
process.exit(wrong ? 1 : 0)
