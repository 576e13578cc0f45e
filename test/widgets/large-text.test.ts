/**
 * Tests elements with text at 200 %. A shopper can set twice the usual font size in the browser, and pages that size
 * their text in rem follow this setting.
 */

import {expect} from '@open-wc/testing/pure';
import {MANY_BANKS, PAYMENTS, bankList, orderCode, session, terms, transaction} from './stub-worker/answers.ts';
import {fontWidth} from './support/font-width.ts';
import {SCRIPT, openPage} from './support/frame.ts';
import {find, findAll, until, untilText} from './support/page.ts';
import {enter, fillIn} from './support/pin-page.ts';
import {chooseBank, press} from './support/shopper.ts';
import {TestWorker} from './support/test-worker.ts';

/** The size of text at 200 %, at which this device's usual font is as wide as Arial at 32 px. */
const FONT_SIZE = 32 / fontWidth('sans-serif');

const HEAD = `<style>html {font: ${FONT_SIZE}px sans-serif} body {margin: 0; font-size: 1rem}</style>
  ${SCRIPT}`;

/** Opens a phone's page with text at 200 %. @returns A function that shows one element there. */
async function openLarge(): Promise<(markup: string) => HTMLElement> {
  const frame = await openPage({head: HEAD});
  frame.width = '320';
  const {body} = frame.contentDocument as Document;
  return (markup) => {
    body.innerHTML = markup;
    return body.firstElementChild as HTMLElement;
  };
}

/** The words that the browser has broken in the middle, and the elements that are wider than the page. */
function brokenParts(element: HTMLElement): string[] {
  const page = element.ownerDocument;
  const wide = findAll(element, '*').filter((each) => {
    const {right, width} = each.getBoundingClientRect();
    return width > 1 && right > page.documentElement.clientWidth + 1;
  });
  const broken: string[] = [];
  for (const each of findAll(element, 'h2, h3, p, b, dt, dd, span, label, a, button')) {
    for (const node of each.childNodes) {
      for (const {0: word, index} of (node.nodeType === 3 ? (node.nodeValue ?? '') : '').matchAll(/\S+/g)) {
        const range = page.createRange();
        range.setStart(node, index);
        range.setEnd(node, index + word.length);
        const lines = new Set(Array.from(range.getClientRects(), ({top}) => Math.round(top)));
        if (lines.size > 1) broken.push(word);
      }
    }
  }
  return [...broken, ...wide.map(({localName, className}) => `${localName}.${className} is too wide`)];
}

const SELLER = {
  name: 'Fener Atölyesi',
  support_url: 'https://shop.example/help',
  support_email: 'help@shop.example',
  support_phone: '0850 000 00 00',
};

describe('text at 200 %', () => {
  it('breaks no word or amount of the checkout’s bank step, and fits a phone', async () => {
    const showLarge = await openLarge();
    for (const lang of ['tr', 'en']) {
      const worker = await TestWorker.start({
        banks: bankList(MANY_BANKS),
        session: session({amount: '12499.90'}),
      });
      const checkout = showLarge(
        `<vezne-checkout api="${worker.address}" offer="gold" lang="${lang}"></vezne-checkout>`,
      );
      await untilText(checkout, 'Toros Bank');
      expect(brokenParts(checkout)).to.deep.equal([]);
    }
  });

  it('breaks no word or amount of the checkout’s payment step and of the notice form, and fits a phone', async () => {
    const showLarge = await openLarge();
    for (const lang of ['tr', 'en']) {
      const code = orderCode({amount: '12499.90', seller: SELLER});
      const payment = {...PAYMENTS.waiting, amount: '12499.90', remaining: '12499.90'};
      const worker = await TestWorker.start({session: session({amount: '12499.90'}), code, payment});
      const checkout = showLarge(
        `<vezne-checkout api="${worker.address}" offer="gold" lang="${lang}"></vezne-checkout>`,
      );
      await chooseBank(checkout, 'Çınar');
      await untilText(checkout, lang === 'tr' ? 'Kodu yazmayı unuttum' : 'I left out the code');
      expect(brokenParts(checkout)).to.deep.equal([]);
      await worker.send({
        ...payment,
        state: 'partial',
        paid: '2499.90',
        remaining: '10000.00',
        transactions: [transaction('2499.90')],
      });
      await untilText(checkout, lang === 'tr' ? '₺2.499,90 geldi' : '₺2,499.90 received');
      expect(brokenParts(checkout)).to.deep.equal([]);
      await press(checkout, lang === 'tr' ? 'Kodu yazmayı unuttum' : 'I left out the code');
      const form = await until('the form', () => find(checkout, 'form'));
      for (const each of findAll(form, 'details')) each.toggleAttribute('open', true);
      (await until('the amount', () => find<HTMLInputElement>(form, '[name=amount]'))).value = '';
      (await until('the button', () => find<HTMLButtonElement>(form, '[type=submit]'))).click();
      await until('the errors', () => findAll(form, '[aria-invalid]').length > 0);
      expect(brokenParts(checkout)).to.deep.equal([]);
    }
  });

  it('breaks no word or amount of a payment status in any state, and fits a phone', async () => {
    const showLarge = await openLarge();
    for (const lang of ['tr', 'en'])
      for (const payment of Object.values(PAYMENTS)) {
        const worker = await TestWorker.start({code: orderCode({seller: SELLER}), payment});
        const status = showLarge(
          `<vezne-payment-status api="${worker.address}" offer="gold" lang="${lang}"></vezne-payment-status>`,
        );
        await until('the card', () => find(status, '[part=title]'));
        if (payment.remaining === '0.00') await untilText(status, 'P-1009');
        // For a moment after its text appears, the card may be wider than the page.
        await until('a layout without broken parts', () => brokenParts(status).length === 0).catch(() => {});
        expect(brokenParts(status), payment.state).to.deep.equal([]);
      }
  });

  it('breaks no word or amount of the elements for subscribing, and fits a phone', async () => {
    const showLarge = await openLarge();
    for (const lang of ['tr', 'en']) {
      const script = {terms: terms({price: '1249.90', period: 'monthly'})};
      const at = async () => `api="${(await TestWorker.start(script)).address}" lang="${lang}"`;
      const pin = showLarge(`<vezne-pin-subscribe ${await at()} offer="club"></vezne-pin-subscribe>`);
      await untilText(pin, '0532 123 45 67');
      expect(brokenParts(pin)).to.deep.equal([]);
      await fillIn(pin);
      (await until('the button', () => findAll<HTMLButtonElement>(pin, 'button')[0])).click();
      await until('the PIN field', () => findAll(pin, '#pin')[0]);
      expect(brokenParts(pin)).to.deep.equal([]);
      if (lang === 'en') {
        await enter(pin, '1234', 'Subscribe for ₺1,249.90 a month');
        await untilText(pin, 'You’re subscribed');
        expect(brokenParts(pin)).to.deep.equal([]);
      }
      const oneClick = showLarge(
        `<vezne-one-click ${await at()} offer="club" number-token="7" framed></vezne-one-click>`,
      );
      await untilText(oneClick, '0532 *** ** 67');
      expect(brokenParts(oneClick)).to.deep.equal([]);
      const managed = showLarge(`<vezne-subscription ${await at()} session="management"></vezne-subscription>`);
      await untilText(managed, '0532 *** ** 67');
      expect(brokenParts(managed)).to.deep.equal([]);
    }
  });
});
