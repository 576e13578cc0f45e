/** A page that was opened by a link: what it asks, and the order it opens. */

import {expect} from '@open-wc/testing';
import {PAYMENTS, handoff, orderCode, redeemed, session} from '../../stub-worker/answers.ts';
import {inside, openPage, reload, SCRIPT, STRICT} from '../../support/frame.ts';
import {chooseBank, find, findAll, focused, press, text, until, untilText} from '../../support/page.ts';
import {TestWorker} from '../../support/test-worker.ts';

const QUESTION = 'Open the order that this link brings?';
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

/** Has the shopper open what the link brings, and gives the checkout. */
async function openLink(frame: HTMLIFrameElement): Promise<HTMLElement> {
  const element = await inside(frame, 'vezne-checkout');
  await untilText(element, QUESTION);
  await press(element, 'Open the order');
  return element;
}

/** Somebody's own order with its code. */
async function openOwn(worker: TestWorker): Promise<void> {
  const frame = await page(worker);
  const element = await inside(frame, 'vezne-checkout');
  await chooseBank(element, 'Marmara');
  await press(element, 'Continue');
  await untilText(element, '881200450017');
  frame.remove();
}

/** The merchant's server makes another session whenever it gives the page out. */
const merchantPage = (worker: TestWorker, fragment = '') => {
  const script = `
    const visit = (sessionStorage['${worker.address} visits'] = Number(sessionStorage['${worker.address} visits'] ?? 0) + 1);
    document.body.insertAdjacentHTML('beforeend', '<vezne-checkout api="${worker.address}" lang="en" session="a.b.merchant-made-' + visit + '"></vezne-checkout>');`;
  return openPage({head: SCRIPT, body: `<script>${script}</script>`}, fragment);
};
const keptHere = (worker: TestWorker) =>
  Object.entries({...localStorage}).filter(([name]) => name.includes(worker.address));

describe('a page that was opened by a link', () => {
  it('asks before anything is opened, and says what it is', async () => {
    const worker = await TestWorker.start();
    const frame = await page(worker, LINK, {policy: STRICT});
    const element = await inside(frame, 'vezne-checkout');
    await untilText(element, QUESTION);
    expect(text(element)).to.equal(
      `${QUESTION} Wooden desk lamp ₺149.90 It was begun on another device. If that was not you, do not open it: you would pay for that order. ` +
        'Your own order here stays as it is. Open the order No, do not open it',
    );
    expect(frame.contentWindow?.location.hash).to.equal('');
    expect((await worker.calls()).filter(({operation}) => operation !== 'banks')).to.deep.equal([
      {operation: 'preview', authorization: null, body: {code: handoff().code, offer: 'gold'}},
    ]);
  });

  it('opens the order where the shopper says so, and keeps nothing in the address', async () => {
    const worker = await TestWorker.start();
    const element = await openLink(await page(worker, LINK, {policy: STRICT}));
    await untilText(element, '881200450017');
    await untilText(element, 'Toros Bank');
    await untilText(element, 'Waiting for your transfer');
    const [asked] = await worker.calls('redeem');
    expect({...(asked?.body as object), attempt: ''}).to.deep.equal({code: handoff().code, offer: 'gold', attempt: ''});
    expect((await worker.calls('code')).map(({authorization}) => authorization)).to.deep.equal([
      `Bearer ${redeemed().token}`,
    ]);
    expect(await worker.calls('session')).to.deep.equal([]);
    await worker.send(PAYMENTS.paid);
    await untilText(element, 'Your payment has arrived');
  });

  it('begins as any other where the shopper says no', async () => {
    const worker = await TestWorker.start();
    const element = await inside(await page(worker, LINK), 'vezne-checkout');
    await untilText(element, QUESTION);
    const no = findAll(element, 'button').find((each) => text(each).startsWith('No')) as HTMLElement;
    no.focus();
    no.click();
    await untilText(element, 'Which bank will you send from?');
    expect(await worker.calls('redeem')).to.deep.equal([]);
    expect(await worker.calls('session')).to.have.length(1);
    const document = element.ownerDocument;
    await until('the focus on what begins', () => focused(document)?.localName === 'input');
  });

  it('leaves the shopper’s own order as it is, and comes back to it', async () => {
    const worker = await TestWorker.start();
    await openOwn(worker);
    await worker.script({code: orderCode({order_code: '770000000001'})});
    const element = await openLink(await page(worker, LINK));
    await untilText(element, '770000000001');
    await untilText(
      element,
      'This order was begun on another device. Do not pay if it was not you. Back to my own order',
    );
    await worker.script({code: orderCode()});
    await press(element, 'Back to my own order');
    await untilText(element, '881200450017');
    await untilText(element, 'Marmara Bankası');
    expect(text(element)).not.to.include('begun on another device');
    expect((await worker.calls('code')).at(-1)?.authorization).to.equal(`Bearer ${session().token}`);
    expect(await worker.calls('session')).to.have.length(1);
  });

  it('brings the order back after a reload, and asks no second time', async () => {
    const worker = await TestWorker.start();
    const frame = await page(worker, LINK);
    await untilText(await openLink(frame), '881200450017');
    await reload(frame);
    const element = await inside(frame, 'vezne-checkout');
    await untilText(element, '881200450017');
    await untilText(
      element,
      'This order was begun on another device. Do not pay if it was not you. Start a new payment',
    );
    expect(await worker.calls('redeem')).to.have.length(1);
    expect(await worker.calls('session')).to.deep.equal([]);
    expect(findAll(element, 'button').map(text)).not.to.include('Open on a phone');
  });

  it('can be left for an order of the shopper’s own', async () => {
    const worker = await TestWorker.start();
    const element = await openLink(await page(worker, LINK));
    await untilText(element, 'begun on another device');
    await press(element, 'Start a new payment');
    await chooseBank(element, 'Toros');
    await press(element, 'Continue');
    await untilText(element, 'Waiting for your transfer');
    await untilText(element, '881200450017');
    expect(text(element)).not.to.include('begun on another device');
    expect(await worker.calls('session')).to.have.length(1);
  });

  it('asks once however many elements it has, and redeems once for two tabs', async () => {
    const worker = await TestWorker.start();
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

  it('asks no second time in a tab that is opened with the same link later', async () => {
    const worker = await TestWorker.start();
    await untilText(await openLink(await page(worker, LINK)), '881200450017');
    await worker.fault('preview', {kind: 'problem', code: 'handoff_invalid'});
    const element = await inside(await page(worker, LINK), 'vezne-checkout');
    await untilText(element, '881200450017');
    expect(text(element)).not.to.include('opened before');
  });

  for (const [when, operation] of [
    ['when it looks', 'preview'],
    ['when the shopper says yes', 'redeem'],
  ] as const) {
    it(`says that the link was used ${when}, until something else happens`, async () => {
      const worker = await TestWorker.start({faults: {[operation]: {kind: 'problem', code: 'handoff_invalid'}}});
      const frame = await page(worker, LINK);
      const element = operation === 'redeem' ? await openLink(frame) : await inside(frame, 'vezne-checkout');
      await untilText(element, 'This link has been opened before, or its time is over');
      await untilText(element, 'Which bank will you send from?');
      await chooseBank(element, 'Toros');
      await until('that it is gone', () => !text(element).includes('opened before'));
      await press(element, 'Continue');
      await untilText(element, '881200450017');
    });

    it(`tries again where the network fails ${when}, and has the link still`, async () => {
      const worker = await TestWorker.start({faults: {[operation]: {kind: 'reset'}}});
      const frame = await page(worker, LINK);
      const element = operation === 'redeem' ? await openLink(frame) : await inside(frame, 'vezne-checkout');
      await untilText(element, 'cannot be reached');
      await worker.fault(operation);
      await press(element, 'Try again');
      if (operation === 'preview') await openLink(frame);
      await untilText(element, '881200450017');
      const attempts = (await worker.calls('redeem')).map(({body}) => (body as {attempt: string}).attempt);
      expect(new Set(attempts).size).to.equal(1);
    });
  }

  it('says so on an element that stands by itself', async () => {
    const worker = await TestWorker.start({faults: {preview: {kind: 'problem', code: 'handoff_invalid'}}});
    const body = `<vezne-payment-code api="${worker.address}" offer="gold" bank="toros" lang="en"></vezne-payment-code>`;
    const element = await inside(await openPage({head: SCRIPT, body}, LINK), 'vezne-payment-code');
    await untilText(element, 'This link has been opened before, or its time is over');
    await untilText(element, '881200450017');
  });

  it('leaves the page’s own fragment, and offers it is not for', async () => {
    const worker = await TestWorker.start({code: orderCode()});
    const frame = await page(worker, `#/cart${LINK.replace('#', '&')}`, {attributes: 'offer="silver"'});
    await untilText(await inside(frame, 'vezne-checkout'), 'Which bank will you send from?');
    expect(frame.contentWindow?.location.hash).to.equal('#/cart');
    expect(await worker.calls('preview')).to.deep.equal([]);
  });

  for (const [what, fragment, attributes] of [
    ['a link of a merchant’s server on an offer', MERCHANT_LINK, 'offer="gold"'],
    ['a link of an offer on a session of the merchant’s server', LINK, 'session="a.b.merchant-made-7"'],
    ['a link on an element that sells nothing', MERCHANT_LINK, ''],
  ] as const) {
    it(`does not take ${what}`, async () => {
      const worker = await TestWorker.start();
      const element = await inside(await page(worker, fragment, {attributes}), 'vezne-checkout');
      await untilText(element, /Which bank will you send from|not on sale/);
      expect(await worker.calls('preview')).to.deep.equal([]);
    });
  }

  describe('of a session of the merchant’s server', () => {
    it('brings the order back after a reload, and keeps it for no longer than the tab', async () => {
      const worker = await TestWorker.start({redeemed: redeemed({title: null})});
      const frame = await merchantPage(worker, MERCHANT_LINK);
      await untilText(await openLink(frame), '881200450017');
      for (let visit = 0; visit < 2; visit++) {
        await reload(frame);
        await untilText(await inside(frame, 'vezne-checkout'), '881200450017');
      }
      const element = await inside(frame, 'vezne-checkout');
      await untilText(element, 'Back to my own order');
      expect(await worker.calls('redeem')).to.have.length(1);
      expect(new Set((await worker.calls('code')).map(({authorization}) => authorization))).to.deep.equal(
        new Set([`Bearer ${redeemed().token}`]),
      );
      expect(JSON.stringify(keptHere(worker))).not.to.include(redeemed().token);
      await press(element, 'Back to my own order');
      await untilText(element, 'Which bank will you send from?');
    });

    it('is not shown in place of another order that the same page is for later', async () => {
      const worker = await TestWorker.start({redeemed: redeemed({title: null})});
      const frame = await merchantPage(worker, MERCHANT_LINK);
      await untilText(await openLink(frame), '881200450017');
      frame.remove();
      await untilText(await inside(await merchantPage(worker), 'vezne-checkout'), 'Which bank will you send from?');
    });
  });

  it('is opened where storage is blocked', async () => {
    const worker = await TestWorker.start();
    const head = `<script>for (const name of ['localStorage', 'sessionStorage']) Object.defineProperty(window, name, {get() { throw new DOMException('blocked', 'SecurityError'); }});</script>`;
    const element = await openLink(await page(worker, LINK, {head}));
    await untilText(element, '881200450017');
    expect((await worker.calls('code')).map(({authorization}) => authorization)).to.deep.equal([
      `Bearer ${redeemed().token}`,
    ]);
    expect(find(element, 'vezne-incoming')).to.equal(undefined);
  });
});
