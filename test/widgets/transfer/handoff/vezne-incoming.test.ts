/** Tests a page that a hand-off link opened: the question to the shopper, and the order that the link opens. */

import {expect} from '@open-wc/testing/pure';
import {PAYMENTS, handoff, orderCode, redeemed, session} from '../../stub-worker/answers.ts';
import {inside, openPage, reload, SCRIPT, STRICT} from '../../support/frame.ts';
import {find, findAll, focused, text, until, untilText} from '../../support/page.ts';
import {chooseBank, press} from '../../support/shopper.ts';
import {TestWorker} from '../../support/test-worker.ts';

const QUESTION = 'Open this order here?';
const LINK = `#${new URLSearchParams({vezne: handoff().code, offer: 'gold', bank: 'toros'})}`;
const MERCHANT_LINK = `#${new URLSearchParams({vezne: handoff().code})}`;

const page = (worker: TestWorker, fragment = '', {attributes = 'offer="gold"', policy = '', head = ''} = {}) =>
  openPage(
    {
      head: head + SCRIPT,
      body: `<vezne-checkout api="${worker.address}" ${attributes} lang="en"></vezne-checkout>`,
      ...(policy && {policy}),
    },
    fragment,
  );

/** Accepts the link. @returns The checkout. */
async function openLink(frame: HTMLIFrameElement): Promise<HTMLElement> {
  const element = await inside(frame, 'vezne-checkout');
  await untilText(element, QUESTION);
  await press(element, 'Open the order');
  return element;
}

/** Creates and saves the shopper's own order. */
async function openOwn(worker: TestWorker): Promise<void> {
  const frame = await page(worker);
  const element = await inside(frame, 'vezne-checkout');
  await chooseBank(element, 'Marmara');
  await untilText(element, '881200450017');
  frame.remove();
}

/** Opens a page for which the merchant's server creates a new session at every visit. */
const merchantPage = (worker: TestWorker, fragment = '') => {
  const script = `
    const visit = (sessionStorage['${worker.address} visits'] = Number(sessionStorage['${worker.address} visits'] ?? 0) + 1);
    document.body.insertAdjacentHTML('beforeend', '<vezne-checkout api="${worker.address}" lang="en" session="a.b.merchant-made-' + visit + '"></vezne-checkout>');`;
  return openPage({head: SCRIPT, body: `<script>${script}</script>`}, fragment);
};
const storedFor = (worker: TestWorker) =>
  Object.entries({...localStorage}).filter(([name]) => name.includes(worker.address));

describe('a page opened by a hand-off link', () => {
  it('asks the shopper before it opens the order, and shows title and amount', async () => {
    const worker = await TestWorker.startCrossOrigin();
    const frame = await page(worker, LINK, {policy: STRICT});
    const element = await inside(frame, 'vezne-checkout');
    await untilText(element, QUESTION);
    expect(text(element)).to.equal(
      `${QUESTION} Wooden desk lamp ₺149.90 It was started on another device. If that wasn’t you, don’t open it: you’d be paying someone else’s order. ` +
        'Open the order Not now',
    );
    expect(frame.contentWindow?.location.hash).to.equal('');
    expect((await worker.calls()).filter(({operation}) => operation !== 'banks')).to.deep.equal([
      {operation: 'preview', authorization: null, body: {code: handoff().code, offer: 'gold'}},
    ]);
  });

  it('opens the order when the shopper accepts', async () => {
    const worker = await TestWorker.startCrossOrigin();
    const element = await openLink(await page(worker, LINK, {policy: STRICT}));
    await untilText(element, '881200450017');
    await untilText(element, 'Toros Bank');
    await untilText(element, 'Waiting for your transfer');
    const [call] = await worker.calls('redeem');
    expect({...(call?.body as object), attempt: ''}).to.deep.equal({code: handoff().code, offer: 'gold', attempt: ''});
    expect(await worker.codeSessions()).to.deep.equal([redeemed().token]);
    expect(await worker.calls('session')).to.deep.equal([]);
    await worker.send(PAYMENTS.paid);
    await untilText(element, 'Payment received');
  });

  it('starts a normal purchase when the shopper declines', async () => {
    const worker = await TestWorker.startCrossOrigin();
    const element = await inside(await page(worker, LINK), 'vezne-checkout');
    await untilText(element, QUESTION);
    const no = findAll(element, 'button').find((each) => text(each).startsWith('No')) as HTMLElement;
    no.focus();
    no.click();
    await untilText(element, 'Which bank will you pay from?');
    expect(await worker.calls('redeem')).to.deep.equal([]);
    await until('the session', async () => (await worker.calls('session')).length === 1);
    const document = element.ownerDocument;
    await until('the focus on the banks', () => focused(document)?.localName === 'input');
  });

  it('keeps the shopper’s own order, and lets the shopper return to it', async () => {
    const worker = await TestWorker.startCrossOrigin();
    await openOwn(worker);
    await worker.script({code: orderCode({order_code: '770000000001'})});
    const element = await openLink(await page(worker, LINK));
    await untilText(element, '770000000001');
    expect(text(element)).not.to.include('started on another device');
    await worker.script({code: orderCode()});
    await press(element, 'Back to my own order');
    await untilText(element, '881200450017');
    await untilText(element, 'Marmara Bankası');
    expect((await worker.codeSessions()).at(-1)).to.equal(session().token);
    expect(await worker.calls('session')).to.have.length(1);
  });

  for (const [state, payment, title] of [
    ['is paid', PAYMENTS.paid, 'Payment received'],
    ['has money that could not be matched', PAYMENTS.unclear, 'wasn’t in Turkish lira'],
    ['is partly paid at the deadline', {...PAYMENTS.partial, overdue: true}, 'The time to pay is over'],
  ] as const)
    it(`leads from an order that ${state} back to the shopper’s own order, and not to a new one`, async () => {
      const worker = await TestWorker.startCrossOrigin();
      await openOwn(worker);
      const element = await openLink(await page(worker, LINK));
      await untilText(element, 'Waiting for your transfer');
      await worker.send(payment);
      await untilText(element, title);
      await untilText(element, 'Back to my own order');
      expect(text(element)).not.to.include('Place another order');
    });

  for (const [code, title] of [
    ['order_exists', 'This order number is already in use'],
    ['order_cancelled', 'Your order was cancelled'],
  ] as const)
    it(`leads back to the shopper’s own order if the Worker refuses the link’s order with ${code}`, async () => {
      const worker = await TestWorker.startCrossOrigin();
      await openOwn(worker);
      await worker.fault('code', {kind: 'problem', code});
      const element = await openLink(await page(worker, LINK));
      await untilText(element, title);
      await untilText(element, 'Back to my own order');
      expect(text(element)).not.to.match(/Try again|Reload/);
      await worker.fault('code');
      await press(element, 'Back to my own order');
      await untilText(element, 'Marmara Bankası');
    });

  it('shows the same order after a reload with one sentence about its origin, without asking again', async () => {
    const worker = await TestWorker.startCrossOrigin();
    const frame = await page(worker, LINK);
    await untilText(await openLink(frame), '881200450017');
    await reload(frame);
    const element = await inside(frame, 'vezne-checkout');
    await untilText(element, '881200450017');
    expect(text(element).match(/started on another device[^.]*\./g)).to.deep.equal([
      'started on another device; if that wasn’t you, don’t pay.',
    ]);
    expect(await worker.calls('redeem')).to.have.length(1);
    expect(await worker.calls('session')).to.deep.equal([]);
    await untilText(element, 'I left out the code');
    const buttons = findAll(element, 'button').map(text);
    expect(buttons).to.not.include('Open on a phone').and.not.to.include('start a new payment');
  });

  it('says that an earlier order was started on another device if the shopper declines a later link', async () => {
    const worker = await TestWorker.startCrossOrigin();
    const frame = await page(worker, LINK);
    await untilText(await openLink(frame), '881200450017');
    frame.remove();
    const later = await page(worker, `#${new URLSearchParams({vezne: 'later', offer: 'gold'})}`);
    const element = await inside(later, 'vezne-checkout');
    await press(element, 'Not now');
    await untilText(element, '881200450017');
    expect(text(element)).to.include('started on another device; if that wasn’t you, don’t pay.');
  });

  it('does not offer a new payment beside the advice to go on where the order was started', async () => {
    const worker = await TestWorker.startCrossOrigin();
    const element = await openLink(await page(worker, LINK));
    await untilText(element, 'Waiting for your transfer');
    await until('the socket', async () => (await worker.sockets()) === 1);
    await worker.script({token: 'another', sockets: 'refused'});
    await worker.dropSockets();
    await untilText(element, 'continue on the device where you started.');
    await until('the card', () => find(element, '.result .ways'));
    expect(text(find(element, '.result') as Element)).to.not.include('start a new payment');
  });

  it('lets the shopper start a new order after this one has ended', async () => {
    const worker = await TestWorker.startCrossOrigin({payment: PAYMENTS.expired});
    const element = await openLink(await page(worker, LINK));
    await untilText(element, 'I haven’t paid, start a new payment');
    await worker.script({payment: PAYMENTS.waiting});
    await press(element, 'I haven’t paid, start a new payment');
    await chooseBank(element, 'Toros');
    await untilText(element, 'Waiting for your transfer');
    await untilText(element, '881200450017');
    expect(await worker.calls('session')).to.have.length(1);
  });

  it('asks only once even if it has several elements, and redeems the link only once even in two tabs', async () => {
    const worker = await TestWorker.startCrossOrigin();
    const parts = ['checkout', 'payment-code', 'payment-status'].map(
      (name) => `<vezne-${name} api="${worker.address}" offer="gold" lang="en"></vezne-${name}>`,
    );
    const frames = await Promise.all([1, 2].map(() => openPage({head: SCRIPT, body: parts.join('')}, LINK)));
    for (const frame of frames) {
      const body = frame.contentDocument?.body as HTMLElement;
      await untilText(body, QUESTION);
      expect(text(body).split(QUESTION)).to.have.length(2);
    }
    for (const frame of frames) {
      const body = frame.contentDocument?.body as HTMLElement;
      await press(body, 'Open the order');
      await untilText(body, '881200450017');
    }
    expect(await worker.calls('redeem')).to.have.length(1);
  });

  it('does not ask again in a tab that opens the same link later', async () => {
    const worker = await TestWorker.startCrossOrigin();
    await untilText(await openLink(await page(worker, LINK)), '881200450017');
    await worker.fault('preview', {kind: 'problem', code: 'handoff_invalid'});
    const element = await inside(await page(worker, LINK), 'vezne-checkout');
    await untilText(element, '881200450017');
    expect(text(element)).not.to.include('no longer works');
  });

  for (const [when, operation] of [
    ['when it reads the link', 'preview'],
    ['when the shopper accepts', 'redeem'],
  ] as const) {
    it(`says ${when} that the link was used before, until the shopper chooses a bank`, async () => {
      const worker = await TestWorker.startCrossOrigin({
        faults: {[operation]: {kind: 'problem', code: 'handoff_invalid'}},
      });
      const frame = await page(worker, LINK);
      const element = operation === 'redeem' ? await openLink(frame) : await inside(frame, 'vezne-checkout');
      await untilText(element, 'This link no longer works');
      await untilText(element, 'Which bank will you pay from?');
      await chooseBank(element, 'Toros');
      await until('the notice is gone', () => !text(element).includes('no longer works'));
      await untilText(element, '881200450017');
    });

    it(`lets the shopper retry if the network fails ${when}`, async () => {
      const worker = await TestWorker.startCrossOrigin({faults: {[operation]: {kind: 'reset'}}});
      const frame = await page(worker, LINK);
      const element = operation === 'redeem' ? await openLink(frame) : await inside(frame, 'vezne-checkout');
      await untilText(element, 'We can’t reach');
      await worker.fault(operation);
      await press(element, 'Try again');
      if (operation === 'preview') await openLink(frame);
      await untilText(element, '881200450017');
      const attempts = (await worker.calls('redeem')).map(({body}) => (body as {attempt: string}).attempt);
      expect(new Set(attempts).size).to.equal(1);
    });
  }

  it('says that the link was used before, also in an element outside a checkout', async () => {
    const worker = await TestWorker.startCrossOrigin({faults: {preview: {kind: 'problem', code: 'handoff_invalid'}}});
    const body = `<vezne-payment-code api="${worker.address}" offer="gold" bank="toros" lang="en"></vezne-payment-code>`;
    const element = await inside(await openPage({head: SCRIPT, body}, LINK), 'vezne-payment-code');
    await untilText(element, 'This link no longer works');
    await untilText(element, '881200450017');
  });

  it('removes only the link from the fragment of the page’s URL, and ignores a link for another offer', async () => {
    const worker = await TestWorker.startCrossOrigin({code: orderCode()});
    const frame = await page(worker, `#/cart${LINK.replace('#', '?')}`, {attributes: 'offer="silver"'});
    await untilText(await inside(frame, 'vezne-checkout'), 'Which bank will you pay from?');
    expect(frame.contentWindow?.location.hash).to.equal('#/cart');
    expect(await worker.calls('preview')).to.deep.equal([]);
  });

  for (const [what, fragment, attributes] of [
    ['a link without an offer if its element has an offer', MERCHANT_LINK, 'offer="gold"'],
    ['a link with an offer if its element has a session', LINK, 'session="a.b.merchant-made-7"'],
    ['a link if its element has neither offer nor session', MERCHANT_LINK, ''],
  ] as const) {
    it(`ignores ${what}`, async () => {
      const worker = await TestWorker.startCrossOrigin();
      const element = await inside(await page(worker, fragment, {attributes}), 'vezne-checkout');
      await untilText(element, /Which bank will you pay from|isn’t available/);
      expect(await worker.calls('preview')).to.deep.equal([]);
    });
  }

  describe('with a session that the merchant’s server created', () => {
    it('shows the same order after reloads, but stores it only for this tab', async () => {
      const worker = await TestWorker.startCrossOrigin({redeemed: redeemed({title: null})});
      const frame = await merchantPage(worker, MERCHANT_LINK);
      await untilText(await openLink(frame), '881200450017');
      for (let visit = 0; visit < 2; visit++) {
        await reload(frame);
        await untilText(await inside(frame, 'vezne-checkout'), '881200450017');
      }
      const element = await inside(frame, 'vezne-checkout');
      await untilText(element, 'Back to my own order');
      expect(await worker.calls('redeem')).to.have.length(1);
      expect(new Set(await worker.codeSessions())).to.deep.equal(new Set([redeemed().token]));
      expect(JSON.stringify(storedFor(worker))).not.to.include(redeemed().token);
      await press(element, 'Back to my own order');
      await untilText(element, 'Which bank will you pay from?');
    });

    it('does not show the link’s order at the next visit to the same page', async () => {
      const worker = await TestWorker.startCrossOrigin({redeemed: redeemed({title: null})});
      const frame = await merchantPage(worker, MERCHANT_LINK);
      await untilText(await openLink(frame), '881200450017');
      frame.remove();
      await untilText(await inside(await merchantPage(worker), 'vezne-checkout'), 'Which bank will you pay from?');
    });
  });

  it('opens the order even if storage is blocked', async () => {
    const worker = await TestWorker.startCrossOrigin();
    const head = `<script>for (const name of ['localStorage', 'sessionStorage']) Object.defineProperty(window, name, {get() { throw new DOMException('blocked', 'SecurityError'); }});</script>`;
    const element = await openLink(await page(worker, LINK, {head}));
    await untilText(element, '881200450017');
    expect(await worker.codeSessions()).to.deep.equal([redeemed().token]);
    expect(find(element, 'vezne-incoming')).to.equal(undefined);
  });
});
