/** The page script `subscribe.js` on merchants' pages, whose origin differs from the Worker's. */

import {expect} from '@open-wc/testing/pure';
import {terms} from './stub-worker/answers.ts';
import {STRICT, inside, openPage} from './support/frame.ts';
import {find, findAll, text, until, untilText} from './support/page.ts';
import {clickOn, press, typeInto} from './support/shopper.ts';
import {TestWorker} from './support/test-worker.ts';

const head = (worker: TestWorker, query = '?offer=club') =>
  `<script type="module" src="${worker.address}/subscribe.js${query}"></script>`;
const ELEMENT = '<vezne-pin-subscribe offer="club" lang="en"></vezne-pin-subscribe>';

async function openForm(worker: TestWorker, query?: string) {
  const frame = await openPage({policy: STRICT, head: head(worker, query), body: ELEMENT});
  const violations: Event[] = [];
  frame.contentDocument?.addEventListener('securitypolicyviolation', (event) => violations.push(event));
  return {frame, element: await inside(frame, 'vezne-pin-subscribe'), violations};
}

async function fillIn(element: Element): Promise<void> {
  await clickOn(element, '[name=operator]');
  await typeInto(element, '[name=number]', '0532 123 45 67');
  await clickOn(element, '[name=consent]');
}

describe('the page script subscribe.js', () => {
  it('shows terms and form with one request, and opens a session when the shopper fills in the form', async () => {
    const worker = await TestWorker.startCrossOrigin();
    const {element, violations} = await openForm(worker);
    expect(text(element)).to.include('Club membership').and.to.include('₺12.00').and.to.include('Your mobile number');
    expect((await worker.calls()).map(({operation}) => operation)).to.deep.equal(['pageScript']);
    await fillIn(element);
    await until('the session', async () => (await worker.calls('session')).length === 1);
    await press(element, 'Text me a code');
    await until('the PIN field', () => find(element, '#pin'));
    expect(await worker.calls('session')).to.have.length(1);
    expect(await worker.calls('pin')).to.have.length(1);
    expect(violations).to.deep.equal([]);
  });

  it('keeps what the shopper has typed when the session arrives', async () => {
    const worker = await TestWorker.startCrossOrigin({faults: {session: {kind: 'held'}}});
    const {element} = await openForm(worker);
    const number = find<HTMLInputElement>(element, '[name=number]');
    await fillIn(element);
    await until('the request', async () => (await worker.calls('session')).length);
    await worker.release();
    await press(element, 'Text me a code');
    await until('the PIN field', () => find(element, '#pin'));
    expect(number?.value).to.equal('0532 123 45 67');
  });

  it('asks the shopper to agree again if the price has changed, and requests no PIN before that', async () => {
    const worker = await TestWorker.startCrossOrigin({pageAmount: '10.00'});
    const {element} = await openForm(worker);
    expect(text(element)).to.include('₺10.00');
    await fillIn(element);
    await press(element, 'Text me a code');
    await untilText(element, 'The price changed from ₺10.00 a week to ₺12.00 a week.');
    element.lang = 'tr';
    await untilText(element, 'Ücret değişti: ₺10,00 / hafta yerine ₺12,00 / hafta.');
    element.lang = 'en';
    await untilText(element, 'Read the terms and agree if that’s OK.');
    expect(text(find(element, '[part=price]') as Element)).to.equal('₺12.00 a week');
    expect(find<HTMLInputElement>(element, '[name=consent]')?.checked).to.equal(false);
    expect(await worker.calls('pin')).to.deep.equal([]);
    await clickOn(element, '[name=consent]');
    await press(element, 'Text me a code');
    await until('the PIN field', () => find(element, '#pin'));
  });

  it('keeps the form and retries if the session cannot be opened', async () => {
    const worker = await TestWorker.startCrossOrigin({
      faults: {session: {kind: 'problem', code: 'temporarily_unavailable'}},
    });
    const {element} = await openForm(worker);
    await fillIn(element);
    await untilText(element, 'The payment service isn’t responding');
    expect(find<HTMLInputElement>(element, '[name=number]')?.value).to.equal('0532 123 45 67');
    await worker.script({faults: {}});
    await press(element, 'Text me a code');
    await until('the PIN field', async () => {
      const button = findAll<HTMLButtonElement>(element, 'button[type=submit]')[0];
      if (!find(element, '#pin') && button && !button.disabled) button.click();
      return find(element, '#pin');
    });
  });

  it('says that the shopper must wait if a limit refuses the session, and requests no PIN', async () => {
    const worker = await TestWorker.startCrossOrigin({
      faults: {session: {kind: 'problem', code: 'rate_limited', retryAfter: 40}},
    });
    const {element} = await openForm(worker);
    await fillIn(element);
    await press(element, 'Text me a code');
    await untilText(element, 'Please wait a moment');
    expect(await worker.calls('pin')).to.deep.equal([]);
  });

  for (const query of ['', '?offer=nobody', '?offer=%3C/script%3E']) {
    it(`immediately opens a session if the script’s URL names no known offer: ${query || '(no query)'}`, async () => {
      const worker = await TestWorker.startCrossOrigin();
      const {element, violations} = await openForm(worker, query);
      await untilText(element, 'Club membership');
      expect(await worker.calls('session')).to.have.length(1);
      expect(violations).to.deep.equal([]);
    });
  }

  it('also defines another element for subscriptions, here a one-click element, if the page has one', async () => {
    const worker = await TestWorker.startCrossOrigin({terms: terms({one_click: false})});
    const body = '<vezne-one-click offer="club" lang="en"></vezne-one-click>';
    const frame = await openPage({policy: STRICT, head: head(worker), body});
    await untilText(await inside(frame, 'vezne-one-click'), 'Your mobile number');
  });

  it('works beside checkout.js, each with its own Trusted Types policy', async () => {
    const worker = await TestWorker.startCrossOrigin();
    const frame = await openPage({
      policy: STRICT,
      head: `${head(worker)}<script type="module" src="${worker.address}/checkout.js?offer=gold"></script>`,
      body: `${ELEMENT}<vezne-checkout offer="gold" lang="en"></vezne-checkout>`,
    });
    await untilText(await inside(frame, 'vezne-pin-subscribe'), 'Club membership');
    await untilText(await inside(frame, 'vezne-checkout'), 'Toros Bank');
    expect((await worker.calls()).map(({operation}) => operation)).to.deep.equal(['pageScript', 'pageScript']);
  });
});
