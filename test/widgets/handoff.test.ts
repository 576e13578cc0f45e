/** An order on a second device: the QR code that opens it, and the page it opens. */
import {expect} from '@open-wc/testing';
import {setViewport} from '@web/test-runner-commands';
import {PAYMENTS, handoff, orderCode, redeemed} from './stub/answers.ts';
import {inside, openPage, reload, SCRIPT} from './support/frame.ts';
import {announced, chooseBank, find, press, show, text, until, untilText} from './support/page.ts';
import {HeldTime} from './support/time.ts';
import {TestWorker, origin} from './support/worker.ts';

const STRICT = [
  `default-src 'none'`,
  `script-src ${origin}`,
  `connect-src ${origin} ${origin.replace('http', 'ws')}`,
  `require-trusted-types-for 'script'`,
  `trusted-types vezne`,
].join('; ');

const page = (worker: TestWorker, fragment = '', {attributes = 'offer="gold"', policy = ''} = {}) =>
  openPage({head: SCRIPT, body: `<vezne-checkout api="${worker.address}" ${attributes} lang="en"></vezne-checkout>`, ...(policy && {policy})}, fragment);

const LINK = `#${new URLSearchParams({vezne: handoff().code, offer: 'gold', bank: 'toros'})}`;

const code = (worker: TestWorker) => show(`<vezne-payment-code api="${worker.address}" offer="gold" bank="toros" lang="en"></vezne-payment-code>`);

describe('an order on a second device', () => {
  before(() => setViewport({width: 1280, height: 800}));
  after(() => setViewport({width: 800, height: 600}));

  it('is opened by a QR code of this page’s address, fetched when it is wanted', async () => {
    const worker = await TestWorker.begin();
    const element = code(worker);
    await untilText(element, 'Open on a phone');
    expect(await worker.calls('handoff')).to.deep.equal([]);
    await press(element, 'Open on a phone');
    const picture = await until('the picture', () => find(element, 'svg.qr'));
    expect([picture.getAttribute('role'), picture.getAttribute('aria-label')]).to.deep.equal(['img', 'QR code that opens this payment on a phone']);
    const address = text(find(element, '.address') as Element);
    expect(address).to.equal(`${location.href}${LINK.replace('&bank=toros', '')}`);
    const colours = [picture, picture.querySelector('.quiet') as Element].map((each) => getComputedStyle(each).fill);
    expect(colours).to.deep.equal(['rgb(0, 0, 0)', 'rgb(255, 255, 255)']);
    expect(picture.getBoundingClientRect().width).to.be.greaterThan(180);
    await press(element, 'Open on a phone');
    await until('nothing', () => !find(element, 'svg.qr'));
  });

  it('can be opened by a link, also where the clipboard is refused', async () => {
    const worker = await TestWorker.begin();
    const element = code(worker);
    await press(element, 'Open on a phone');
    await press(element, 'Copy the link');
    await until('an outcome', () => announced(element).some((words) => /Link copied|Copy the selected link/.test(words)));
  });

  it('gets a new code in time, and whenever the shopper wants one', async () => {
    const worker = await TestWorker.begin();
    const element = code(worker);
    await untilText(element, 'Open on a phone');
    const time = new HeldTime();
    try {
      await press(element, 'Open on a phone');
      await until('the picture', () => find(element, 'svg.qr'));
      expect(time.delays).to.include(540_000);
      await worker.script({handoff: handoff({code: 'second'})});
      await press(element, 'New QR code');
      await untilText(element, '#vezne=second');
      await worker.script({handoff: handoff({code: 'third'})});
      /** Lets time pass, up to then, until another code is shown. */
      const untilCode = (name: string, endMs: number) =>
        until(name, () => {
          if (time.nowMs < endMs && time.delays.length > 0) time.elapse();
          return text(element).includes(`#vezne=${name}`);
        });
      await untilCode('third', 540_000);
      const madeMs = time.nowMs;
      await worker.script({handoff: handoff({code: 'fourth'})});
      const place = element.parentElement;
      element.remove();
      place?.append(element);
      await untilText(element, '#vezne=third');
      await untilCode('fourth', madeMs + 540_000);
    } finally {
      time.release();
    }
  });

  it('says so when there is no hand-off to be had, and tries again', async () => {
    const worker = await TestWorker.begin({faults: {handoff: {kind: 'problem', code: 'temporarily_unavailable'}}});
    const element = code(worker);
    await press(element, 'Open on a phone');
    await untilText(element, 'The payment service does not answer right now');
    await worker.fault('handoff');
    await press(element, 'Try again');
    await until('the picture', () => find(element, 'svg.qr'));
    expect(text(element)).to.include('881200450017'.slice(0, 4));
  });

  it('goes straight to its code under a strict policy, redeems once, and keeps nothing in the address', async () => {
    const worker = await TestWorker.begin();
    const frame = await page(worker, LINK, {policy: STRICT});
    const element = await inside(frame, 'vezne-checkout');
    await untilText(element, '881200450017');
    await untilText(element, 'Toros Bank');
    await untilText(element, 'Waiting for your transfer');
    expect(frame.contentWindow?.location.hash).to.equal('');
    const calls = (await worker.calls()).filter(({operation}) => operation !== 'live' && operation !== 'banks');
    expect(calls).to.deep.equal([
      {operation: 'redeem', authorization: null, body: {code: handoff().code, offer: 'gold'}},
      {operation: 'code', authorization: `Bearer ${redeemed().token}`, body: {}},
    ]);
    await worker.send(PAYMENTS.paid);
    await untilText(element, 'Your payment has arrived');
  });

  it('is remembered like the device’s own', async () => {
    const worker = await TestWorker.begin();
    const frame = await page(worker, LINK);
    await untilText(await inside(frame, 'vezne-checkout'), '881200450017');
    await reload(frame);
    const element = await inside(frame, 'vezne-checkout');
    await untilText(element, '881200450017');
    expect(await worker.calls('redeem')).to.have.length(1);
    expect(await worker.calls('session')).to.deep.equal([]);
    expect(text(element)).to.include('This order was begun on another device. Do not pay if it was not you. Start a new payment');
  });

  it('can be left for an order of the shopper’s own', async () => {
    const worker = await TestWorker.begin();
    const element = await inside(await page(worker, LINK), 'vezne-checkout');
    await untilText(element, 'begun on another device');
    await press(element, 'Start a new payment');
    await press(element, 'Continue');
    await untilText(element, 'Waiting for your transfer');
    await untilText(element, '881200450017');
    expect(text(element)).not.to.include('begun on another device');
    expect(await worker.calls('session')).to.have.length(1);
  });

  it('is redeemed once for two tabs and two elements', async () => {
    const worker = await TestWorker.begin();
    const two = `<vezne-checkout api="${worker.address}" offer="gold" lang="en"></vezne-checkout>`.repeat(2);
    const frames = await Promise.all([1, 2].map(() => openPage({head: SCRIPT, body: two}, LINK)));
    for (const frame of frames) await untilText(await inside(frame, 'vezne-checkout'), '881200450017');
    expect(await worker.calls('redeem')).to.have.length(1);
  });

  it('begins as any other where the link was used, and says why', async () => {
    const worker = await TestWorker.begin({faults: {redeem: {kind: 'problem', code: 'handoff_invalid'}}});
    const element = await inside(await page(worker, LINK), 'vezne-checkout');
    await untilText(element, 'This link has been opened before, or its time is over');
    await chooseBank(element, 'Toros');
    await press(element, 'Continue');
    await untilText(element, '881200450017');
    expect(text(element)).not.to.include('opened before');
    expect(await worker.calls('redeem')).to.have.length(1);
  });

  it('tries again where the network fails, and has the code still', async () => {
    const worker = await TestWorker.begin({faults: {redeem: {kind: 'reset'}}});
    const frame = await page(worker, LINK);
    const element = await inside(frame, 'vezne-checkout');
    await untilText(element, 'cannot be reached');
    expect(frame.contentWindow?.location.hash).to.equal('');
    await worker.fault('redeem');
    await press(element, 'Try again');
    await untilText(element, '881200450017');
  });

  it('leaves the page’s own fragment, and offers it is not for', async () => {
    const worker = await TestWorker.begin({code: orderCode()});
    const frame = await page(worker, `#/cart${LINK.replace('#', '&')}`, {attributes: 'offer="silver"'});
    await untilText(await inside(frame, 'vezne-checkout'), 'Which bank will you send from?');
    expect(frame.contentWindow?.location.hash).to.equal('#/cart');
    expect(await worker.calls('redeem')).to.deep.equal([]);
  });

  it('is opened where storage is blocked, and for a session of the merchant’s server', async () => {
    const worker = await TestWorker.begin({redeemed: redeemed({title: null})});
    const head = `<script>for (const name of ['localStorage', 'sessionStorage']) Object.defineProperty(window, name, {get() { throw new DOMException('blocked', 'SecurityError'); }});</script>`;
    const body = `<vezne-checkout api="${worker.address}" session="a.b.c" lang="en"></vezne-checkout>`;
    const frame = await openPage({head: head + SCRIPT, body}, `#vezne=${encodeURIComponent(handoff().code)}`);
    await untilText(await inside(frame, 'vezne-checkout'), '881200450017');
    expect((await worker.calls('code')).map(({authorization}) => authorization)).to.deep.equal([`Bearer ${redeemed().token}`]);
  });
});
