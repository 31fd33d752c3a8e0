// Compares the mock server with Prism and Steady: the same document, the same requests,
// three rounds in turns. Prints the requests a second of each, and ours as a multiple.
// The portal must run without the limit of requests, on a quiet machine. The load comes
// from wrk where it is installed, because the client of Node takes as much of the machine
// as the servers do, else from Node:
//
//   npm install --no-package-lock --prefix .tools/mocks
//   RATE_MOCK=0 heliograph dev
//   node .tools/mocks/run.js http://localhost:8080
import { spawn, spawnSync } from 'node:child_process'
import { mkdtempSync, writeFileSync } from 'node:fs'
import http from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const portal = process.argv[2] ?? 'http://localhost:8080'
const seconds = Number(process.argv[3] ?? 5)
const connections = 32
const product = 'business-messaging/3.0'
const bin = fileURLToPath(new URL('node_modules/.bin/', import.meta.url))

const folder = mkdtempSync(join(tmpdir(), 'mocks-'))
const file = join(folder, 'document.json')
const document = await (await fetch(`${portal}/openapi/${product}.json`)).json()
document.servers = [{ url: '/' }] // Prism wants base paths of servers, which the others do not
for (const item of Object.values(document.paths)) delete item.servers
writeFileSync(file, JSON.stringify(document))

const rivals = [
	['prism', 4010, ['mock', '--port', '4010', '--errors', file]],
	['steady', 4011, ['--port', '4011', file]],
]
const started = rivals.map(([name, , args]) => spawn(join(bin, name), args, { stdio: 'ignore' }))
process.on('exit', () => started.forEach((one) => one.kill()))

const sides = [['ours', new URL(`${portal}/mock/${product}`)], ...rivals.map(([name, port]) => [name, new URL(`http://127.0.0.1:${port}`)])]
const message = { messaging_product: 'msgapp', recipient_type: 'individual', to: '+919812345678', type: 'text', text: { body: 'Hello' } }
const requests = {
	'GET, documented example': { method: 'GET', path: '/getuserdetails' },
	'POST, valid': { method: 'POST', path: '/1093847561029384/messages', body: JSON.stringify(message) },
	'POST, invalid': { method: 'POST', path: '/1093847561029384/messages', body: JSON.stringify({ ...message, to: '' }) },
}

// once sends a request and returns its status.
function once(base, agent, { method, path, body }) {
	return new Promise((done, fail) => {
		const headers = { apikey: 'key', accept: 'application/json', ...(body && { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }) }
		const r = http.request({ host: base.hostname, port: base.port, path: base.pathname.replace(/\/$/, '') + path, method, headers, agent }, (answer) => {
			answer.resume()
			answer.on('end', () => done(answer.statusCode))
		})
		r.on('error', fail)
		r.end(body)
	})
}

const hasWrk = spawnSync('wrk', ['--version']).error === undefined

// load returns what wrk measures.
async function load(base, { method, path, body }) {
	const script = join(folder, 'request.lua')
	const headers = { apikey: 'key', accept: 'application/json', ...(body && { 'content-type': 'application/json' }) }
	writeFileSync(script, `wrk.method = "${method}"\nwrk.body = [[${body ?? ''}]]\n` + Object.entries(headers).map(([name, value]) => `wrk.headers["${name}"] = "${value}"\n`).join(''))
	const status = await once(base, undefined, { method, path, body })
	const wrk = spawn('wrk', ['-t1', `-c${connections}`, `-d${seconds}s`, '-s', script, base.href.replace(/\/$/, '') + path])
	let said = ''
	for await (const part of wrk.stdout) said += part
	return [Number(/Requests\/sec:\s+([0-9.]+)/.exec(said)[1]), `${status}${/Socket errors.*/.exec(said) ?? ''}`]
}

// measure returns the requests a second, and the statuses.
async function measure(base, request) {
	if (hasWrk) return load(base, request)
	const agent = new http.Agent({ keepAlive: true, maxSockets: connections })
	const statuses = {}
	let n = 0
	const end = performance.now() + seconds * 1000
	await Promise.all(Array.from({ length: connections }, async () => {
		while (performance.now() < end) {
			const status = await once(base, agent, request)
			statuses[status] = (statuses[status] ?? 0) + 1
			n++
		}
	}))
	agent.destroy()
	return [n / seconds, Object.keys(statuses).join(' ')]
}

// Each must answer before the first round.
for (const [name, base] of sides) {
	const began = performance.now()
	for (;;) {
		try {
			await once(base, undefined, requests['GET, documented example'])
			break
		} catch (error) {
			if (performance.now() - began > 120_000) throw new Error(`${name} does not answer: ${error.message}`)
			await new Promise((wait) => setTimeout(wait, 200))
		}
	}
}

const found = {}
for (let round = 0; round < 3; round++) {
	for (const [what, request] of Object.entries(requests)) {
		for (const [name, base] of sides) {
			const [rate, statuses] = await measure(base, request)
			;((found[what] ??= {})[name] ??= []).push(rate)
			console.log(`round ${round + 1}, ${what}, ${name}: ${Math.round(rate)}/s, status ${statuses}`)
		}
	}
}
const median = (list) => list.toSorted((a, b) => a - b)[Math.floor(list.length / 2)]
for (const [what, by] of Object.entries(found)) {
	const own = median(by.ours)
	console.log(`${what}: ours ${Math.round(own)}/s, ${rivals.map(([name]) => `${(own / median(by[name])).toFixed(1)} × ${name}`).join(', ')}`)
}
process.exit()
