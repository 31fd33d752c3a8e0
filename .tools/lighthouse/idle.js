// Leaves a page of the account open, while a message is sent every half minute,
// and prints when its session ends. It takes 40 minutes, and fails when the session
// ends sooner or later than after 30 minutes, or the page did not show a message.
//
//   node .tools/lighthouse/idle.js [folder of dev]
import { access, launch, send, signIn } from './browser.js'

const minute = 60_000
const dev = access(process.argv[2])
const browser = await launch()
try {
	const page = await browser.newPage()
	await signIn(page, dev)
	await page.goto(`${dev.url}/account/messages`)
	const began = Date.now()
	const after = () => ((Date.now() - began) / minute).toFixed(2)
	const shown = () => page.$$eval('#list td[data-label=Kind]', (rows) => rows.length).catch(() => 0)
	let ended
	let most = 0
	page.on('framenavigated', () => {
		if (!ended && new URL(page.url()).pathname === '/login') ended = after()
	})
	for (let n = 0; Date.now() - began < 40 * minute; n++) {
		await send(dev, n)
		await new Promise((wait) => setTimeout(wait, minute / 2))
		most = Math.max(most, await shown())
		if (n % 10 === 0) console.log(`after ${after()} minutes: ${ended ? 'the session has ended' : `${await shown()} messages are shown`}`)
	}
	console.log(`the session ended after ${ended} minutes; the page showed up to ${most} messages without being touched; it is now at ${page.url()}`)
	if (!(ended >= 30 && ended < 30.5) || most < 20) process.exitCode = 1
} finally {
	await browser.close()
}
