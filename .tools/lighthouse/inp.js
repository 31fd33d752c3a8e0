// Presses what readers and members press, five times each on a processor four times
// slower, and prints the longest time until a press was seen, the median and the worst
// of the five, and how far the page moved by itself. It fails when a median is over
// 100 ms or when the page moves by more than the ids of a reader do that are filled in.
// The pointer rests on what it presses, as a hand's does.
//
//   node .tools/lighthouse/inp.js [folder of dev]
import { access, launch, send, signIn } from './browser.js'

const dev = access(process.argv[2])
const docs = '/docs/business-messaging/3.0'
const click = (selector) => async (page) => {
	await page.hover(selector)
	await new Promise((wait) => setTimeout(wait, 400))
	await page.click(selector)
}
const choose = (select) => async (page) => { await page.focus(select); await page.keyboard.press('ArrowDown') }
const press = (...keys) => async (page) => { for (const key of keys) await page.keyboard.press(key) }
const steps = [
	['open a page by its link', `${docs}/list-products`, click(`.nav a[href="${docs}/get-catalogue-id"]`)],
	['open a large page by its link', `${docs}/list-products`, click(`.nav a[href="${docs}/send-message"]`)],
	['choose a language', `${docs}/send-message`, click('[data-kept=lang] a:last-child')],
	['choose an example', `${docs}/send-message`, choose('#choose-example')],
	['choose a status', `${docs}/send-message`, click('#answer .tab[href*="status=400"]')],
	['open a status of the reference', `${docs}/send-message`, click('details:has(> #response-400) > summary')],
	['open a variant of the body', `${docs}/send-message`, click('details:has(> [id="body:video"]) > summary')],
	['expand all fields', `${docs}/send-message`, click('[aria-labelledby=body] [data-expand]')],
	['switch the theme', `${docs}/send-message`, click('[data-theme-toggle]')],
	['open search and type', `${docs}/send-message`, press('/', 't', 'e', 'm', 'p', 'ArrowDown', 'Escape')],
	['filter the navigation', `${docs}/send-message`, async (page) => { await page.focus('#nav-filter'); await page.keyboard.type('template') }],
	['filter messages', '/account/messages', choose('select[name=state]')],
	['open a row', '/account/messages', click('#list [aria-controls]')],
]
const watch = () => {
	window.measured = { longest: 0, moved: 0 }
	const note = (type, add, more) => new PerformanceObserver((list) => list.getEntries().forEach(add)).observe({ type, buffered: true, ...more })
	note('event', (e) => { if (e.interactionId) window.measured.longest = Math.max(window.measured.longest, e.duration) }, { durationThreshold: 16 })
	note('layout-shift', (e) => { if (!e.hadRecentInput) window.measured.moved += e.value })
}
const measure = async (page, path, act) => {
	await page.goto(dev.url + path, { waitUntil: 'load' })
	await new Promise((wait) => setTimeout(wait, 1500))
	await act(page)
	await new Promise((wait) => setTimeout(wait, 1500))
	return page.evaluate(() => window.measured)
}
const browser = await launch()
try {
	await send(dev)
	const page = await browser.newPage()
	await page.setViewport({ width: 1440, height: 900 })
	await signIn(page, dev)
	await page.evaluateOnNewDocument(watch)
	await page.emulateCPUThrottling(4)
	for (const [name, path, act] of steps) {
		const presses = []
		for (let n = 0; n < 5; n++) presses.push(await measure(page, path, act))
		const longest = presses.map((p) => p.longest).sort((a, b) => a - b)
		const moved = Math.max(...presses.map((p) => p.moved))
		console.log(`${name}: ${longest[2]} ms, at worst ${longest[4]}, moved ${moved.toFixed(4)}`)
		if (longest[2] > 100 || moved > 0.005) process.exitCode = 1
	}
} finally {
	await browser.close()
}
