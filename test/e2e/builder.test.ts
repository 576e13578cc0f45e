/** Tests the builder of the demo: its lines on a merchant's page, its preview, and its address. */

import type {Page} from 'playwright-core';
import {afterAll, beforeAll, expect, inject, test} from 'vitest';
import {TAGS} from '../../demo/builder/elements.ts';
import {contrast, MIN_CONTRAST, type Rgb} from '../../worker/contract/readers/contrast.ts';
import {useChromium} from './support/chromium.ts';
import {MerchantServer} from './support/merchant-server.ts';
import {Shopper} from './support/shopper.ts';

const {page: worker, otherMerchant: merchant} = inject('addresses');
const openProfile = useChromium({viewport: {width: 1280, height: 900}});

let server: MerchantServer;
beforeAll(async () => {
  server = await MerchantServer.start(merchant);
});
afterAll(() => server.stop());

async function openBuilder(query = ''): Promise<Page> {
  const page = await (await openProfile()).newPage();
  await page.goto(`${worker}/en/${query}`);
  await page.frameLocator('#preview').locator('#place > :defined').waitFor();
  return page;
}

test.each([
  ['newest', '#snippet'],
  ['pinned', '#pinned pre'],
])(
  'the lines of the %s version work on a page that sends the policy of the builder, with the chosen look',
  async (_, lines) => {
    const builder = await openBuilder('?theme=light&accent=7a3b12&radius=4&fields=email');
    await builder.locator('#pinned').waitFor();
    const [html = '', header = ''] = await Promise.all(
      [lines, '#policy'].map((selector) => builder.locator(`${selector} code`).textContent()),
    );
    server.serve({
      html: `<!doctype html><html lang="en"><title>Lamp</title><h1>Lamp</h1>${html}`,
      headers: {'content-security-policy': header?.replace('Content-Security-Policy: ', '') ?? ''},
    });
    const page = await builder.context().newPage();
    await page.goto(merchant);
    await new Shopper(page).chooseBank();
    await page.getByLabel('E\u2011mail').waitFor();
    const look = (property: string) =>
      page
        .locator('vezne-checkout')
        .evaluate((element, name) => getComputedStyle(element).getPropertyValue(name), property);
    expect(await look('--vezne-accent')).toBe('#7a3b12');
    expect(await look('--vezne-radius')).toBe('4px');
  },
);

/** Text and background. */
function colorsOf(element: Element): [Rgb, Rgb] {
  const {color, backgroundColor} = getComputedStyle(element);
  const [text, ground] = [color, backgroundColor].map((each) => (each.match(/[\d.]+/g) ?? []).slice(0, 3).map(Number));
  return [text, ground] as unknown as [Rgb, Rgb];
}

test('the preview keeps the order while the look changes, and gets the money; the address shows a colleague the same', async () => {
  const builder = await openBuilder();
  const preview = builder.frameLocator('#preview');
  await preview.getByText('Garanti BBVA').click();
  await preview.locator('[part~=code] bdi').waitFor();
  await builder.getByLabel('Light or dark').selectOption('Dark');
  await builder.getByLabel('My own color').check();
  await builder.locator('#accent').fill('#ffcc00');
  await builder.getByText('Contrast on a light page 1.5:1, not readable.').waitFor();
  const button = preview.locator('vezne-payment-code button.button').first();
  await builder.getByLabel('Light or dark').selectOption('Light');
  await expect
    .poll(async () => {
      const [text, ground] = await button.evaluate(colorsOf);
      return ground.join() === '255,204,0' && contrast(text, ground) >= MIN_CONTRAST;
    })
    .toBe(true);
  await builder.getByLabel('Light or dark').selectOption('Dark');
  await expect
    .poll(() => preview.locator('vezne-checkout').evaluate((element) => getComputedStyle(element).colorScheme))
    .toBe('dark');
  await preview.locator('[part~=code] bdi').waitFor();
  await builder.getByRole('button', {name: 'Send the money'}).click();
  await preview.getByText('Payment received').first().waitFor();

  expect(builder.url()).toBe(`${worker}/en/?theme=dark&accent=ffcc00`);
  const colleague = await (await openProfile()).newPage();
  await colleague.goto(builder.url());
  expect(await colleague.getByLabel('Light or dark').inputValue()).toBe('dark');
  expect(await colleague.locator('#accent').inputValue()).toBe('#ffcc00');
  expect(await colleague.locator('#snippet code').textContent()).toBe(
    await builder.locator('#snippet code').textContent(),
  );
});

test('each form of the lines has a tab, which arrow keys choose; the one for a hosted tool is called untried', async () => {
  const builder = await openBuilder('?element=vezne-pin-subscribe');
  await builder.getByRole('tab', {name: 'HTML'}).press('ArrowLeft');
  expect(await builder.getByRole('tabpanel', {name: 'Link and QR'}).locator('code').textContent()).toBe(
    `${worker}/p/club`,
  );
  await builder.getByRole('img', {name: 'QR code of the link'}).waitFor();
  await builder.getByRole('tab', {name: 'Link and QR'}).press('ArrowLeft');
  await builder.getByText('Untried: Google Tag Manager').waitFor();
  expect(new URL(builder.url()).search).toBe('?element=vezne-pin-subscribe&format=gtm');
});

test('the preview shows each element: what needs a session of the server gets one, and what shows nothing says so', async () => {
  const builder = await openBuilder();
  const preview = builder.frameLocator('#preview');
  for (const element of TAGS) {
    await builder.getByLabel('Element').selectOption(element);
    const note = preview.locator(`#note [data-of~="${element}"]`).filter({visible: true});
    await preview.locator(`#place > ${element}:defined`).or(note).first().waitFor({state: 'attached'});
    expect(await preview.locator('[data-of=failure], [data-of=refused]').filter({visible: true}).count()).toBe(0);
  }
});

test('the preview says what the Worker refused, in the place of a guess', async () => {
  const page = await (await openProfile()).newPage();
  const body = JSON.stringify({code: 'invalid_request', fields: [{path: 'seller'}]});
  await page.route('**/merchant/v1/sessions', (route) =>
    route.fulfill({status: 422, contentType: 'application/problem+json', body}),
  );
  await page.goto(`${worker}/en/?element=vezne-vendor-form`);
  await page.frameLocator('#preview').getByText('422 invalid_request seller').waitFor();
});

test('an element for payments has the first offer again after an element without offers', async () => {
  const builder = await openBuilder();
  await builder.getByLabel('Element').selectOption('vezne-vendor-form');
  await builder.getByLabel('Element').selectOption('vezne-checkout');
  expect(await builder.locator('#snippet code').textContent()).toContain('<vezne-checkout offer="gold">');
});

test('an offer that is incomplete says beside each field what it lacks, and has no lines to copy until it is complete', async () => {
  const builder = await openBuilder();
  await builder.getByLabel('Offer', {exact: true}).selectOption('A new offer');
  await builder.getByText('The offer is incomplete.').waitFor();
  expect(await builder.getByRole('button', {name: 'Copy'}).filter({visible: true}).count()).toBe(0);
  await builder.getByLabel('What do you sell?').fill('Vase');
  await builder.getByLabel('Price').fill('1,249.90');
  const name = builder.getByLabel('Its name in the code');
  expect(await name.inputValue()).toBe('vase');
  await builder.getByLabel('What do you sell?').fill('Gold');
  expect(await name.inputValue()).toBe('gold-2');
  await builder.getByLabel('What do you sell?').fill('Vase');
  await name.fill('gold');
  await builder.getByText('The settings have an offer of this name').waitFor();
  await name.fill('new-vase');
  expect(await builder.locator('#snippet code').textContent()).toContain('<vezne-checkout offer="new-vase">');
  expect(await builder.locator('#offer-lines code').textContent()).toContain('amount = "1249.90"');
  await name.press('Tab');
  const preview = builder.frameLocator('#preview');
  await preview.getByText('₺1,249.90').first().waitFor();
  await preview.getByText('Vase').first().waitFor();
  // The shopper in the preview has no order with the old price.
  await builder.getByLabel('Price').fill('99');
  await builder.getByLabel('Price').press('Tab');
  await preview.getByText('₺99.00').first().waitFor();
});

test('the preview has the offer that was typed last, also when the choices change while it loads', async () => {
  const builder = await openBuilder();
  await builder.getByLabel('Offer', {exact: true}).selectOption('A new offer');
  for (const name of ['vase-1', 'vase-2', 'vase-3']) {
    for (const [title, amount, code] of [
      ['V', '10', 'a b'],
      [name, '12', name],
    ] as const) {
      await builder.getByLabel('What do you sell?').fill(title);
      await builder.getByLabel('Price').fill(amount);
      await builder.getByLabel('Its name in the code').fill(code);
      await builder.getByLabel('Its name in the code').press('Tab');
    }
    await builder.frameLocator('#preview').locator(`vezne-checkout[offer="${name}"]`).waitFor();
  }
});

test('a marketer who lets the buyer be asked sees each field at once', async () => {
  const builder = await openBuilder();
  const preview = builder.frameLocator('#preview');
  await builder.getByLabel('E-mail').check();
  await preview.getByLabel('E\u2011mail').waitFor();
  await builder.getByLabel('Name', {exact: true}).check();
  await preview.getByLabel('Full name').waitFor();
  expect(await builder.locator('#snippet code').textContent()).toContain('offer="gold-name-email"');
});

test('on a phone, choices, preview and lines are a tap or a key apart, and nothing is wider than the screen', async () => {
  const page = await (await openProfile({viewport: {width: 375, height: 740}})).newPage();
  await page.goto(`${worker}/en/`);
  await page.frameLocator('#preview').getByText('Ziraat').waitFor();
  const isInView = (selector: string) =>
    page.locator(selector).evaluate((element) => {
      const {top, bottom} = element.getBoundingClientRect();
      return top >= 0 && top < innerHeight - 100 && bottom > 0;
    });
  for (const [link, part] of [
    ['Lines', '#formats'],
    ['Preview', '#preview'],
    ['Choices', '#element'],
  ] as const) {
    await page.getByRole('navigation', {name: 'On this page'}).getByRole('link', {name: link}).press('Enter');
    await expect.poll(() => isInView(part)).toBe(true);
  }
  await page.keyboard.press('Tab');
  expect(await page.locator(':focus').getAttribute('id')).toBe('element');
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(375);
});

test('a state has an address: a colleague sees a payment that is too much, and a paused subscription', async () => {
  const builder = await openBuilder('?element=vezne-checkout&state=overpaid');
  await builder.frameLocator('#preview').getByText('You paid too much').first().waitFor();
  await builder.getByLabel('Element').selectOption('vezne-subscription');
  await builder.getByLabel('State of the preview').selectOption('suspended');
  await builder.frameLocator('#preview').getByText('Your subscription is paused').waitFor();
  expect(new URL(builder.url()).search).toBe('?element=vezne-subscription&state=suspend');
});
