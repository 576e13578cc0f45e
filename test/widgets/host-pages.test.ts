/** Elements on difficult pages: hostile styles, zoom, right-to-left text, forced colors, print and slow loading. */

import 'axe-core/axe.min.js';
import {expect} from '@open-wc/testing/pure';
import {emulateMedia} from '@web/test-runner-commands';
import type axeCore from 'axe-core';
import type {VezneCheckout} from '../../widgets/transfer/checkout/vezne-checkout.ts';
import {isOver} from '../../widgets/transfer/payment/payment-events.ts';
import {PAYMENTS, orderCode, session, transaction} from './stub-worker/answers.ts';
import {SCRIPT, inside, openPage} from './support/frame.ts';
import {find, findAll, show, until, untilText} from './support/page.ts';
import {chooseBank, press, selectBank} from './support/shopper.ts';
import {TestWorker} from './support/test-worker.ts';

const {axe} = globalThis as unknown as {axe: typeof axeCore};

const checkout = (worker: TestWorker, inner = '') =>
  `<vezne-checkout api="${worker.address}" offer="gold" lang="en">${inner}</vezne-checkout>`;

async function toCode(element: Element): Promise<void> {
  await chooseBank(element, 'Toros');
  await untilText(element, 'Waiting for your transfer');
  await untilText(element, 'Toros Bank');
}

/** Adds a style sheet to the page until the end of the test. */
function style(css: string): void {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(css);
  document.adoptedStyleSheets = [sheet];
}

afterEach(async () => {
  document.adoptedStyleSheets = [];
  document.documentElement.removeAttribute('dir');
  await emulateMedia({media: 'screen', colorScheme: 'light', forcedColors: 'none'});
});

/** An order with a title of 120 characters, and with a seller whose name has 80. */
function longNames() {
  const word = 'Kahverengi ceviz ağacından elde yapılmış ';
  const title = {
    tr: word.repeat(3).slice(0, 120),
    en: 'Masterpiecehandcraftedwalnut desk lamp with '.repeat(3).slice(0, 120),
  };
  const seller = {
    name: 'FenerAtölyesiElSanatlarıSanayi ve Ticaret Limited Şirketi, İstanbul Beyoğlu Şubesi'.slice(0, 80),
  };
  const amount = '12345.90';
  const payment = {...PAYMENTS.paid, title, seller, amount, paid: amount, transactions: [transaction(amount)]};
  const waiting = {...PAYMENTS.waiting, title, seller, amount, remaining: amount};
  return {payment, script: {session: session({title, amount}), code: orderCode({amount, seller}), payment: waiting}};
}

/** The nodes that are wider than the element around them, or whose content is cut off. */
const overflowing = (element: Element): string[] => {
  const {left, right} = element.getBoundingClientRect();
  return findAll(element, 'button, input, h2, h3, p, dd, dt, label, li')
    .filter((each) => !each.closest('.visually-hidden') && each.offsetParent !== null)
    .filter((each) => {
      const box = each.getBoundingClientRect();
      return (
        box.left < left - 1 ||
        box.right > right + 1 ||
        (each.scrollWidth > each.clientWidth + 1 && each.clientWidth > 0)
      );
    })
    .map((each) => each.outerHTML);
};

const HOSTILE: Readonly<Record<string, string>> = {
  'that unsets all styles': '* {all: unset}',
  'that unsets all styles with !important': '* {all: unset !important}',
  'with a huge font':
    'body, body * {font-size: 60px !important; line-height: 3 !important; letter-spacing: 12px !important}',
  'that changes inherited styles':
    '* {color: red !important; text-align: right !important; white-space: pre !important; text-transform: uppercase !important; cursor: none !important}',
  'that changes the box model':
    '* {box-sizing: content-box !important; padding: 40px !important; border: 9px solid red !important}',
  'that hides buttons, fields and texts':
    'button, input, label, h2, h3, p, ul, li, svg, slot {display: none !important}',
};

describe('an element on a difficult page', () => {
  for (const [name, css] of Object.entries(HOSTILE)) {
    it(`shows a legible order code on a page ${name}`, async () => {
      const worker = await TestWorker.start();
      style(css);
      const element = show(checkout(worker));
      await toCode(element);
      const code = getComputedStyle(find(element, '.code .groups') as Element);
      const label = getComputedStyle(find(element, 'h3') as Element);
      expect([label.textAlign, label.whiteSpace, label.textTransform, label.letterSpacing]).to.deep.equal([
        'start',
        'normal',
        'none',
        'normal',
      ]);
      expect(Number.parseFloat(code.fontSize)).to.be.within(20, 60);
      expect(getComputedStyle(find(element, 'button.copy') as Element).display).to.equal('flex');
      const base = find(element, '.base') as HTMLElement;
      expect(getComputedStyle(base).display).to.equal('block');
      expect(overflowing(base)).to.deep.equal([]);
    });
  }

  it('keeps its text between 16 and 20 px, or 1.25 rem if the shopper has chosen larger text', async () => {
    const worker = await TestWorker.start();
    const element = show(checkout(worker));
    await untilText(element, 'Toros Bank');
    const base = find(element, '.base') as HTMLElement;
    const sizes = [
      [':root {font-size: 16px} body {font-size: 10px}', '16px'],
      [':root {font-size: 16px} body {font-size: 18px}', '18px'],
      [':root {font-size: 16px} body {font-size: 60px}', '20px'],
      [':root {font-size: 32px} body {font-size: 60px}', '40px'],
    ] as const;
    for (const [css, size] of sizes) {
      style(css);
      expect(getComputedStyle(base).fontSize, css).to.equal(size);
    }
  });

  it('has the page’s font, or that of the system where the page has none, and so have the elements inside it', async () => {
    const worker = await TestWorker.start();
    const pages = [
      ['', /^system-ui$/],
      ['body {font-family: "Courier Prime", monospace}', /^"Courier Prime", monospace$/],
      ['@layer base {html {font-family: Georgia}}', /^Georgia$/],
      ['html {font-family: Georgia} vezne-checkout {--vezne-font: Verdana, sans-serif}', /^Verdana, sans-serif$/],
      ['vezne-checkout {--vezne-font: Verdana}', /^Verdana$/],
    ] as const;
    const element = show<VezneCheckout>(checkout(worker, '<b slot="title">My lamp</b>'));
    await toCode(element);
    for (const [css, font] of pages) {
      style(css);
      element.requestUpdate();
      await element.updateComplete;
      for (const each of [...findAll(element, '.base'), ...findAll(element, 'button'), element.querySelector('b')])
        expect(getComputedStyle(each as Element).fontFamily, css).to.match(font);
    }
  });

  it('keeps its left-to-right layout on a right-to-left page', async () => {
    const worker = await TestWorker.start();
    document.documentElement.dir = 'rtl';
    const element = show(checkout(worker));
    await untilText(element, 'Toros Bank');
    expect(overflowing(element)).to.deep.equal([]);
    await toCode(element);
    expect(overflowing(element)).to.deep.equal([]);
    const [first, second] = findAll(element, '.code .groups span').map((each) => each.getBoundingClientRect().left);
    expect(first).to.be.lessThan(second as number);
    const copy = (find(element, '.row .copy') as Element).getBoundingClientRect();
    expect(copy.right).to.be.greaterThan((find(element, '.row dt') as Element).getBoundingClientRect().right);
  });

  for (const width of [320, 640]) {
    it(`fits into ${width / 2} CSS pixels at 200 % zoom`, async () => {
      const worker = await TestWorker.start();
      // This has the effect of the browser's zoom: CSS pixels double in size, and the window stays the same.
      style(`.zoomed {zoom: 2; width: ${width / 2}px}`);
      const container = show(`<div class="zoomed">${checkout(worker)}</div>`);
      const element = container.firstElementChild as Element;
      await untilText(element, 'Toros Bank');
      expect(overflowing(element)).to.deep.equal([]);
      await toCode(element);
      expect(overflowing(element)).to.deep.equal([]);
    });
  }

  it('fits into a screen of 320 px with a long title, seller and amount, in both languages and every step', async () => {
    const {script, payment} = longNames();
    const worker = await TestWorker.start(script);
    style('.narrow {width: 288px}');
    const container = show(`<div class="narrow">${checkout(worker)}</div>`);
    const element = container.firstElementChild as HTMLElement;
    const fits = async (step: string) => {
      for (const language of ['tr', 'en']) {
        element.lang = language;
        await new Promise(requestAnimationFrame);
        expect(overflowing(element), `${step}, ${language}`).to.deep.equal([]);
      }
    };
    await untilText(element, 'Toros Bank');
    await fits('choose-bank');
    await toCode(element);
    await fits('pay');
    await press(element, 'I’ve sent the money');
    await until('the line', () => find(element, '.line'));
    await fits('on-its-way');
    await worker.send(payment);
    await until('the end', () => find(element, '.good'));
    await fits('paid');
  });

  it('is accessible in every step and marks the chosen bank if the device forces its colors', async () => {
    const worker = await TestWorker.start();
    await emulateMedia({forcedColors: 'active'});
    const element = show(checkout(worker));
    await selectBank(element, 'Toros');
    await until('the choice', () => find(element, ':checked'));
    expect(getComputedStyle(find(element, ':checked + .ring') as Element).borderTopWidth).to.equal('3px');
    await toCode(element);
    const {violations} = await axe.run(element, {runOnly: ['wcag2a', 'wcag2aa', 'wcag21aa', 'wcag22aa']});
    expect(violations.map(({id}) => id)).to.deep.equal([]);
  });

  it('shows the content of each slot in the step to which it belongs', async () => {
    const worker = await TestWorker.start({payment: PAYMENTS.paid});
    const element = show(
      checkout(
        worker,
        '<b slot="title">My lamp</b><a slot="paid" href="#order">Back to my order</a><small slot="footer">Lamps Ltd</small>',
      ),
    );
    const isVisible = (slot: string) =>
      (element.querySelector(`[slot=${slot}]`) as HTMLElement).getBoundingClientRect().height > 0;
    await until('the title', () => isVisible('title'));
    expect([isVisible('paid'), isVisible('footer')]).to.deep.equal([false, true]);
    await chooseBank(element, 'Toros');
    await until('the slot "paid"', () => isVisible('paid'));
  });

  it('gives a link of the page the colors of its own links, because those of the page are for the page’s background', async () => {
    const worker = await TestWorker.start({payment: PAYMENTS.paid});
    style('a:any-link {color: #f0f0f0; background: #28303d}');
    const element = show(checkout(worker, '<a slot="paid" hidden href="#order">Back to my order</a>'));
    await chooseBank(element, 'Toros');
    const link = element.querySelector('a') as HTMLElement;
    await until('the slot "paid"', () => link.getBoundingClientRect().height > 0);
    const {color, backgroundColor} = getComputedStyle(link);
    expect(color).to.equal(getComputedStyle(find(element, '.ways .link') as Element).color);
    expect(backgroundColor).to.equal('rgba(0, 0, 0, 0)');
  });
});

describe('a printed checkout', () => {
  for (const colorScheme of ['light', 'dark'] as const) {
    it(`shows what the shopper needs at the bank, black on white, on a device with ${colorScheme} colors`, async () => {
      const worker = await TestWorker.start();
      await emulateMedia({colorScheme});
      style('vezne-checkout {color-scheme: light dark; --vezne-paper: #222; --vezne-ink: #eee}');
      const element = show(checkout(worker));
      await toCode(element);
      await emulateMedia({media: 'print', colorScheme});
      const visible = (selector: string) =>
        findAll(element, selector).filter((each) => each.getClientRects().length > 0);
      expect(visible('button')).to.deep.equal([]);
      expect(visible('.steps, vezne-payment-status, .phone')).to.deep.equal([]);
      expect(visible('.until')).to.have.length(1);
      for (const part of ['h2', '.amount', '.code .groups', '.row dd', '.row:last-child dd', '.account .name']) {
        const [node] = visible(part);
        expect(node, part).to.not.equal(undefined);
        expect(getComputedStyle(node as Element).color).to.equal('rgb(0, 0, 0)');
      }
      expect(getComputedStyle(find(element, '.base') as Element).backgroundColor).to.equal('rgb(255, 255, 255)');
    });
  }
});

/** The layout shifts of a page, which the browser reports only after it has painted them. */
async function shiftsIn({contentWindow}: HTMLIFrameElement): Promise<unknown[]> {
  for (let frame = 0; frame < 2; frame += 1) await new Promise(requestAnimationFrame);
  return (contentWindow as unknown as {shifts: unknown[]}).shifts;
}

describe('a checkout that is loading', () => {
  const observe = `<script>
    window.shifts = [];
    new PerformanceObserver((list) => list.getEntries().forEach(({value, sources}) => shifts.push([value, ...sources.map(({previousRect: from, currentRect: to}) => [from.x, from.y, from.width, from.height, '→', to.x, to.y, to.width, to.height].join(' '))])))
      .observe({type: 'layout-shift', buffered: true});
  </script>`;
  const open = (worker: TestWorker) => openPage({head: observe + SCRIPT, body: `<h1>Shop</h1>${checkout(worker)}`});
  it('causes no layout shift between the skeleton, the banks and the order code', async () => {
    const worker = await TestWorker.start({faults: {session: {kind: 'held'}, banks: {kind: 'held'}}});
    const frame = await open(worker);
    const element = await inside(frame, 'vezne-checkout');
    await until('the skeleton', () => find(element, '.skeleton'));
    await worker.release();
    await worker.script({faults: {code: {kind: 'held'}}});
    await chooseBank(element, 'Toros');
    await until('the request', async () => (await worker.calls('code')).length);
    await until('the skeleton', () => find(element, 'vezne-payment-code')?.shadowRoot?.querySelector('.skeleton'));
    await worker.release();
    await untilText(element, 'Waiting for your transfer');
    expect(await shiftsIn(frame)).to.deep.equal([]);
  });

  it('causes no layout shift after a reload while the money is on its way', async () => {
    const worker = await TestWorker.start();
    const first = await inside(await open(worker), 'vezne-checkout');
    await chooseBank(first, 'Toros');
    await press(first, 'I’ve sent the money');
    await until('the line', () => find(first, '.line'));
    const frame = await open(worker);
    const element = await inside(frame, 'vezne-checkout');
    await until('the line', () => find(element, '.line'));
    expect(await shiftsIn(frame)).to.deep.equal([]);
  });

  it('shows no instructions after a reload if the order was over before its code arrived', async () => {
    const worker = await TestWorker.start({payment: PAYMENTS.refunded, faults: {code: {kind: 'held'}}});
    const first = await inside(await open(worker), 'vezne-checkout');
    await chooseBank(first, 'Toros');
    await until('the card', () => find(first, '.result'));
    await worker.release();
    await until('the code is saved', () => JSON.stringify({...localStorage}).includes('881200450017'));
    await worker.script({sockets: 'refused', faults: {payment: {kind: 'held'}}});
    const element = await inside(await open(worker), 'vezne-checkout');
    await until('the request', async () => (await worker.calls('payment')).length > 0);
    await until('the skeleton', () => find(element, '.skeleton'));
    expect(find(element, '.code')).to.equal(undefined);
  });

  for (const [state, payment] of Object.entries(PAYMENTS)) {
    it(`causes no layout shift after a reload on a slow network, of a payment that is ${state}`, async () => {
      const worker = await TestWorker.start({payment});
      const isShown = (element: Element) => until(state, () => find(element, isOver(payment) ? '.result' : '.words'));
      const first = await inside(await open(worker), 'vezne-checkout');
      await chooseBank(first, 'Toros');
      await isShown(first);
      await worker.script({sockets: 'refused', faults: {payment: {kind: 'held'}}});
      const frame = await open(worker);
      const element = await inside(frame, 'vezne-checkout');
      await until('the request', async () => (await worker.calls('payment')).length > 0);
      await until('the page', () => find(element, isOver(payment) ? '.skeleton' : '.code'));
      await worker.release();
      await isShown(element);
      expect(await shiftsIn(frame)).to.deep.equal([]);
    });
  }
});

describe('a prerendered page', () => {
  it('opens no session and counts no visit until the shopper comes, and then works', async () => {
    const worker = await TestWorker.startCrossOrigin();
    const prerendering = `<script>Object.defineProperty(document, 'prerendering', {value: true, configurable: true})</script>`;
    const tags = ['vezne-pay-button', 'vezne-pin-subscribe', 'vezne-activity'];
    const frame = await openPage({
      head: prerendering + SCRIPT,
      // An element of another Worker than the script's has to ask for its offer.
      body: tags.map((tag) => `<${tag} offer="gold" api="${worker.address}" lang="en"></${tag}>`).join(''),
    });
    for (const tag of tags) await inside(frame, `${tag}:defined`);
    const button = await inside(frame, 'vezne-pay-button');
    await untilText(button, 'Pay by bank transfer');
    // The button opens its session when it is in view.
    await new Promise((resolve) => new IntersectionObserver(resolve).observe(button));
    expect(await worker.calls()).to.deep.equal([]);
    const {document: page, Event: PageEvent} = frame.contentWindow as Window & {Event: typeof Event};
    Object.defineProperty(page, 'prerendering', {value: false});
    page.dispatchEvent(new PageEvent('prerenderingchange'));
    await untilText(button, 'Pay ₺149.90 by bank transfer');
    await until('the visit', async () => (await worker.calls('activity')).length > 0);
    await until('both sessions', async () => (await worker.calls('session')).length === 2);
  });
});
