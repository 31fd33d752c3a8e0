// Prints Lighthouse's four scores of each address, for a desktop and a phone,
// and fails when one is under 100. Chromium is taken from CHROME_PATH or PATH.
//
//   npm install --no-package-lock --prefix .tools/lighthouse
//   node .tools/lighthouse/run.js http://localhost:8080/docs/business-messaging/3.0/send-message
import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import lighthouse, { desktopConfig } from 'lighthouse'

const profile = mkdtempSync(join(tmpdir(), 'lighthouse-'))
const browser = spawn(process.env.CHROME_PATH ?? 'chromium', [
	'--headless', '--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking',
	'--disable-component-update', '--disable-sync', '--remote-debugging-port=0', `--user-data-dir=${profile}`, 'about:blank',
], { stdio: 'ignore' })
browser.on('error', (error) => { throw error })

// The browser writes the port that it chose into its profile.
async function port() {
	for (let i = 0; i < 100; i++) {
		try {
			return Number(readFileSync(join(profile, 'DevToolsActivePort'), 'utf8').split('\n')[0])
		} catch {
			await new Promise((wait) => setTimeout(wait, 100))
		}
	}
	throw new Error('the browser did not start within ten seconds')
}

try {
	const options = { port: await port(), onlyCategories: ['performance', 'accessibility', 'best-practices', 'seo'] }
	for (const address of process.argv.slice(2)) {
		for (const [form, config] of [['desktop', desktopConfig], ['phone', undefined]]) {
			const { lhr } = await lighthouse(address, options, config)
			if (lhr.runtimeError) throw new Error(`${address}: ${lhr.runtimeError.message}`)
			const scores = Object.entries(lhr.categories).map(([name, c]) => `${name} ${Math.round(c.score * 100)}`)
			console.log(`${address} ${form}: ${scores.join(', ')}; ${Math.round(lhr.audits['total-byte-weight'].numericValue / 1000)} kB, layout shift ${lhr.audits['cumulative-layout-shift'].numericValue}`)
			if (Object.values(lhr.categories).some((c) => Math.round(c.score * 100) < 100)) process.exitCode = 1
		}
	}
} finally {
	browser.kill()
	await new Promise((ended) => browser.on('exit', ended))
	rmSync(profile, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 })
}
