// Chromium for the other scripts of this folder. It is taken from CHROME_PATH or PATH.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import puppeteer from 'puppeteer-core'

// launch starts Chromium with an empty profile. Its window is larger than any page that
// the scripts emulate: what changes outside it is never seen, and a press would seem to
// last until something inside it does.
export const launch = () => puppeteer.launch({
	executablePath: process.env.CHROME_PATH ?? '/usr/bin/chromium',
	args: ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking', '--disable-component-update', '--disable-sync', '--window-size=1600,1200'],
})

// access returns the address and the credentials that `dev` wrote.
export const access = (folder = '.data') => JSON.parse(readFileSync(join(folder, 'dev.json'), 'utf8'))

// signIn opens the account in a page.
export async function signIn(page, { url, organisation }) {
	await page.goto(`${url}/login`)
	await page.type('[name=email]', organisation.email)
	await page.type('[name=password]', organisation.password)
	await Promise.all([page.waitForFunction(() => location.pathname.startsWith('/account')), page.click('main form button[type=submit]')])
}

// send sends a message of the organisation; n tells recipients apart.
export async function send({ url, organisation }, n = 0) {
	const sent = await fetch(`${url}/v3/${organisation.phone_number_id}/messages`, {
		method: 'POST',
		headers: { apikey: organisation.api_key, 'Content-Type': 'application/json' },
		body: JSON.stringify({
			messaging_product: 'msgapp', to: `9198${String(n).padStart(4, '0')}5679`, type: 'template',
			template: { name: 'hello_world', language: { code: 'en_US' } },
		}),
	})
	if (!sent.ok) throw new Error(`sending gives ${sent.status}`)
}
