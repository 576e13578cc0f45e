// @ts-check
// What a camera reads of the QR codes while an extension darkens the page, on paper, in forced colors, and in a picture
// of the page.

import {packageFile, versionOf} from './tools.mjs';

/** @typedef {import('playwright-core').Page} Page */
/** @typedef {import('playwright-core').Locator} Locator */

const CODE = 'vezne-handoff canvas';

/** @param {Page} reader @param {Buffer} png @returns {Promise<string | null>} The text of a dark on light code. */
function decode(reader, png) {
  return reader.evaluate(async (base64) => {
    const image = await createImageBitmap(await (await fetch(`data:image/png;base64,${base64}`)).blob());
    const canvas = new OffscreenCanvas(image.width + 80, image.height + 80);
    const context = /** @type {OffscreenCanvasRenderingContext2D} */ (canvas.getContext('2d'));
    context.drawImage(image, 40, 40);
    const {data, width, height} = context.getImageData(40, 40, image.width, image.height);
    return /** @type {any} */ (window).jsQR(data, width, height, {inversionAttempts: 'dontInvert'})?.data ?? null;
  }, png.toString('base64'));
}

/**
 * @param {import('playwright-core').Browser} browser
 * @param {import('../page-tools.mjs').Stack} stack
 * @param {import('../page-tools.mjs').Report} report
 */
export async function checkQrCodes(browser, {shop, worker}, report) {
  const reader = await browser.newPage();
  await reader.addScriptTag({path: packageFile('jsqr/dist/jsQR.js')});
  const context = await browser.newContext({viewport: {width: 1280, height: 1400}, bypassCSP: true, locale: 'en-US'});
  const page = await context.newPage();
  shop.html = `<!doctype html><html lang="en"><title>Lamp</title><style>body {background: #fff; color: #111} vezne-checkout::part(base) {max-inline-size: 46rem}</style><link rel="stylesheet" href="${worker}/vezne.css"><script type="module" src="${worker}/checkout.js?offer=gold"></script><vezne-checkout offer="gold"></vezne-checkout>`;
  /** @type {[string, () => Promise<Locator>, RegExp][]} */
  const codes = [
    [
      'hand-off',
      async () => {
        await page.goto(shop.origin);
        await page.getByText('Ziraat Bankası').first().click();
        const code = page.locator(CODE);
        const open = page.getByRole('button', {name: 'Open on a phone'});
        await code.or(open).first().waitFor();
        if (!(await code.count())) await open.click();
        await code.waitFor();
        return code;
      },
      /#vezne=/,
    ],
    [
      'payment link',
      async () => {
        await page.goto(`${worker}/p/gold?lang=en`);
        const code = page.locator('.qr');
        await code.waitFor();
        return code;
      },
      /\/p\/gold$/,
    ],
  ];
  for (const [name, open, expected] of codes) {
    const code = await open();
    /** @param {string} where @param {Buffer} png */
    const check = async (where, png) => {
      const text = await decode(reader, png);
      report(`the QR code of the ${name} is read ${where}`, expected.test(text ?? ''));
    };
    await check('on the page', await code.screenshot());
    await page.emulateMedia({forcedColors: 'active', colorScheme: 'dark'});
    await check('in forced colors', await code.screenshot());
    await page.emulateMedia({forcedColors: 'none', colorScheme: 'dark'});
    await check('in dark colors', await code.screenshot());
    await page.emulateMedia({media: 'print', colorScheme: 'light'});
    if (await code.isVisible()) await check('on paper', await code.screenshot());
    await page.emulateMedia({media: 'screen'});
    await page.addScriptTag({path: packageFile('html-to-image/dist/html-to-image.js')});
    const picture = await page
      .locator('body > *')
      .filter({has: code})
      .first()
      .evaluate((node) => /** @type {any} */ (window).htmlToImage.toPng(node, {pixelRatio: 2}));
    await check(
      `in a picture of html-to-image ${versionOf('html-to-image')}`,
      Buffer.from(picture.split(',')[1], 'base64'),
    );
    await page.addScriptTag({path: packageFile('darkreader/darkreader.js')});
    await page.evaluate(() => /** @type {any} */ (window).DarkReader.enable());
    await page.locator('html[data-darkreader-scheme=dark]').waitFor();
    await check(`under Dark Reader ${versionOf('darkreader')}`, await code.screenshot());
  }
  await context.close();
  await reader.close();
}
