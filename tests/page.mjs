// The HTML page in a browser, light and dark: no violation of accessibility (axe), no error, no request. Called by tests/page.sh.
import { chromium } from 'playwright-core';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';

const [page_path, executablePath, shots] = process.argv.slice(2);
const require = createRequire(import.meta.url);
const axe = readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8');
const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] });
let wrong = 0;
const say = (...words) => { wrong += 1; console.error(...words); };
for (const colorScheme of ['light', 'dark']) {
  for (const [width, height] of [[1280, 900], [390, 844]]) {
    const context = await browser.newContext({ colorScheme, viewport: { width, height }, bypassCSP: true });
    const page = await context.newPage();
    const name = `${colorScheme} ${width}`;
    page.on('pageerror', (error) => say(name, 'error:', error.message));
    page.on('request', (it) => { if (!it.url().startsWith('file:') && !it.url().startsWith('data:')) say(name, 'asks for', it.url()); });
    await page.goto(pathToFileURL(page_path).href);
    await page.evaluate(axe);
    const { violations, passes } = await page.evaluate(() => axe.run(document));
    for (const it of violations) {
      say(name, `${it.id}: ${it.help}`);
      for (const node of it.nodes.slice(0, 5)) console.error('   ', node.target.join(' '), node.failureSummary);
    }
    const { scroll, client } = await page.evaluate(() => ({ scroll: document.documentElement.scrollWidth, client: document.documentElement.clientWidth }));
    if (scroll > client) say(name, `is ${scroll} wide and scrolls sideways`);
    if (shots) await page.screenshot({ path: `${shots}/${colorScheme}-${width}.png` });
    console.log(`${name}: ${passes.length} checks passed, ${violations.length} violations`);
    await context.close();
  }
}
await browser.close();
process.exit(wrong === 0 ? 0 : 1);
