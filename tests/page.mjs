// The HTML page in a browser, light and dark: no violation of accessibility (axe), no error, no request. Called by tests/page.sh.
import { chromium } from 'playwright-core';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';

const [page_path, executablePath, shots, explained_path] = process.argv.slice(2);
const require = createRequire(import.meta.url);
const axe = readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8');
const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] });
let wrong = 0;
const say = (...words) => { wrong += 1; console.error(...words); };

// What the page promises, one thing after the other.
const tried = async (page, name) => {
  const be = async (what, is) => { if (!(await is)) say(name, 'not so:', what); };
  const count = (what) => page.locator(what).count();
  await be('an overview by group, rule and folder', count('nav.overview > section').then((it) => it === 3));
  const drawn = page.locator('article:has(figure)').first();
  for (const part of ['.cl-lane', '.cl-event[data-step]', '.cl-needs, .cl-races', '.story li', '.source .line[data-step]', '.fix .diff .added', '.grounds li', '.help'])
    await be(`some finding has ${part}`, count(`article ${part}`).then((it) => it > 0));
  await be('a call path', count('.story details .calls').then((it) => it > 0));
  const lit = (what) => drawn.locator(what).first().evaluate((it) => getComputedStyle(it).getPropertyValue('--lit'));
  const step = await drawn.locator('.cl-event[data-step]').first().getAttribute('data-step');
  await drawn.locator(`.story li[data-step="${step}"]`).hover();
  await be('a hovered step lights the picture up', lit(`.cl-event[data-step="${step}"]`).then((it) => it === '1'));
  await drawn.locator(`.cl-event[data-step="${step}"]`).first().locator('rect, circle').first().hover({ force: true });
  await be('a hovered event lights the step up', lit(`.story li[data-step="${step}"]`).then((it) => it === '1'));
  await page.mouse.move(0, 0);
  const play = drawn.locator('.play');
  await play.click();
  await be('the story begins step by step', play.textContent().then((it) => it.startsWith('Step 1 of ')));
  await be('its step is lit', drawn.locator('.story li[data-step="1"]').evaluate((it) => it.style.getPropertyValue('--lit') === '1'));
  await page.waitForTimeout(2200);
  await be('and goes on', play.textContent().then((it) => it.startsWith('Step 2 of ')));
  await play.click();
  const articles = await count('article');
  const visible = () => page.locator('article:visible').count();
  await page.keyboard.press('/');
  await page.keyboard.type('nothing has this');
  await be('a search that finds nothing shows nothing', visible().then((it) => it === 0));
  await page.locator('.tools input[type=search]').fill('spin-without-preload');
  await be('a search finds some', visible().then((it) => it > 0 && it < articles));
  await page.locator('.tools input[type=search]').fill('');
  await page.locator('.tools input[value=error]').uncheck();
  await be('errors can be left out', page.locator('article.error:visible').count().then((it) => it === 0));
  await page.locator('.tools input[value=error]').check();
  await page.locator('.tools input[type=search]').blur();
  const top = () => page.evaluate(() => scrollY);
  await page.evaluate(() => scrollTo({ top: 0, behavior: 'instant' }));
  await page.keyboard.press('j');
  await page.waitForTimeout(1000);
  await be('the keyboard leads to the next finding', top().then((it) => it > 0));
  const ground = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  const colour = await ground();
  await page.locator('.tools button').click();
  await be('light or dark can be chosen', ground().then((it) => it !== colour));
  const style = (what, name) => page.locator(what).first().evaluate((it, name) => getComputedStyle(it)[name], name);
  await be('numbers of steps hide what runs below them', style('.line.primary .marks', 'backgroundColor').then((it) => it !== 'rgba(0, 0, 0, 0)'));
  const narrow = page.viewportSize().width < 600;
  await be('tools stay in sight where there is room', style('.tools', 'position').then((it) => it === (narrow ? 'static' : 'sticky')));
  if (narrow) {
    const wide = page.locator('article:has(figure):visible').first();
    const last = await wide.locator('.cl-event[data-step]').evaluateAll((all) => Math.max(...all.map((it) => Number(it.dataset.step))));
    for (let step = 0; step < last; step += 1) {
      await wide.locator('.play').click();
      if (step + 1 < last) await wide.locator('.play').click();
    }
    await page.waitForTimeout(600);
    await be('a step that is told comes into sight', wide.locator('.drawing').evaluate((it) => it.scrollLeft > 0));
    await wide.locator('.play').click();
  }
  await page.emulateMedia({ media: 'print' });
  await be('nothing to click is printed', page.locator('.tools:visible, .play:visible').count().then((it) => it === 0));
  await be('it prints', page.pdf().then((it) => it.length > 10000));
  await page.emulateMedia({ media: 'screen' });
};

// Without scripts everything is there to read, and says in words what it says in colours.
const plain = async () => {
  const context = await browser.newContext({ javaScriptEnabled: false });
  const page = await context.newPage();
  await page.goto(pathToFileURL(page_path).href);
  const shown = await page.locator('article:visible').count();
  if (shown === 0 || shown !== (await page.locator('article').count())) say('without scripts: findings are hidden');
  if ((await page.locator('article .severity:visible').count()) !== shown) say('without scripts: a severity is not written');
  await page.locator('.story details summary').first().click();
  if (!(await page.locator('.story details .calls').first().isVisible())) say('without scripts: no call path');
  for (const type of ['deuteranopia', 'protanopia', 'tritanopia', 'achromatopsia']) {
    const session = await context.newCDPSession(page);
    await session.send('Emulation.setEmulatedVisionDeficiency', { type });
    if (shots) await page.screenshot({ path: `${shots}/${type}.png` });
  }
  console.log(`without scripts: ${shown} findings`);
  await context.close();
};
await plain();
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
    await tried(page, name);
    console.log(`${name}: ${passes.length} checks passed, ${violations.length} violations`);
    await context.close();
  }
}
// A page about one finding: the picture first, and nothing to search in.
for (const [width, height] of [[1280, 900], [390, 844]]) {
  const context = await browser.newContext({ viewport: { width, height }, bypassCSP: true });
  const page = await context.newPage();
  await page.goto(pathToFileURL(explained_path).href);
  await page.evaluate(axe);
  const { violations } = await page.evaluate(() => axe.run(document));
  for (const it of violations) say('explained', `${it.id}: ${it.help}`, it.nodes.map((node) => node.target.join(' ')).join(', '));
  if ((await page.locator('.tools input').count()) !== 0) say('explained: one finding has a search');
  const { y } = await page.locator('figure').first().boundingBox();
  if (y > height / 2) say(`explained: the picture begins ${y} below the top`);
  if (await page.evaluate(() => document.documentElement.scrollWidth > document.documentElement.clientWidth)) say('explained: scrolls sideways');
  if (shots) await page.screenshot({ path: `${shots}/explained-${width}.png` });
  console.log(`explained ${width}: ${violations.length} violations`);
  await context.close();
}
await browser.close();
process.exit(wrong === 0 ? 0 : 1);
