// Takes the pictures of the README: an endpoint of a running `dev`, in light and dark.
// Chromium is taken from CHROME_PATH or PATH.
//
//   npm install --no-package-lock --prefix .tools/lighthouse
//   node .tools/readme/shoot.mjs
import { join } from 'node:path'
import { access, launch } from '../lighthouse/browser.js'

const { url } = access()
const browser = await launch()
try {
	const page = await browser.newPage()
	await page.setViewport({ width: 1360, height: 850 })
	for (const scheme of ['light', 'dark']) {
		await page.emulateMediaFeatures([{ name: 'prefers-color-scheme', value: scheme }])
		await page.goto(`${url}/docs/business-messaging/3.0/send-message`, { waitUntil: 'networkidle0' })
		await page.screenshot({ path: join(import.meta.dirname, `${scheme}.webp`), quality: 82 })
	}
} finally {
	await browser.close()
}
