import {expect} from '@open-wc/testing';
import {SessionStore} from '../../widgets/internal/session-store.ts';
import {PAYMENTS, orderCode, session} from './stub/answers.ts';
import {SCRIPT, inside, openPage, reload} from './support/frame.ts';
import {chooseBank, press, text, untilText} from './support/page.ts';
import {TestWorker} from './support/worker.ts';

const page = (worker: TestWorker, attributes = 'offer="gold"', head = '') =>
  openPage({head: head + SCRIPT, body: `<vezne-checkout api="${worker.address}" ${attributes} lang="en"></vezne-checkout>`});

async function reachCode(frame: HTMLIFrameElement): Promise<HTMLElement> {
  const element = await inside(frame, 'vezne-checkout');
  await chooseBank(element, 'Toros');
  await press(element, 'Continue');
  await untilText(element, '881200450017');
  return element;
}

describe('what a browser remembers', () => {
  it('brings the same code back after a reload', async () => {
    const worker = await TestWorker.begin();
    const frame = await page(worker);
    await reachCode(frame);
    await reload(frame);
    const element = await inside(frame, 'vezne-checkout');
    await untilText(element, '881200450017');
    await untilText(element, 'Toros Bank');
    await untilText(element, 'Waiting for your transfer');
    expect(await worker.calls('session')).to.have.length(1);
    expect((await worker.calls('code')).map(({authorization}) => authorization)).to.deep.equal([
      'Bearer header.public.signature-one',
      'Bearer header.public.signature-one',
    ]);
  });

  it('brings the same code back in another tab', async () => {
    const worker = await TestWorker.begin();
    const frame = await page(worker);
    await reachCode(frame);
    frame.remove();
    await untilText(await inside(await page(worker), 'vezne-checkout'), '881200450017');
    expect(await worker.calls('session')).to.have.length(1);
  });

  it('comes back to a payment that arrived meanwhile', async () => {
    const worker = await TestWorker.begin();
    const frame = await page(worker);
    await reachCode(frame);
    await worker.script({payment: PAYMENTS.paid});
    await reload(frame);
    await untilText(await inside(frame, 'vezne-checkout'), 'Your payment has arrived');
  });

  it('comes back to the banks when no code was asked for, with the same session', async () => {
    const worker = await TestWorker.begin();
    const frame = await page(worker);
    await chooseBank(await inside(frame, 'vezne-checkout'), 'Toros');
    await reload(frame);
    const element = await inside(frame, 'vezne-checkout');
    await untilText(element, 'The bank you chose last time');
    expect(await worker.calls('session')).to.have.length(1);
    expect(await worker.calls('code')).to.have.length(0);
  });

  it('starts anew without a word when the remembered session is over', async () => {
    const worker = await TestWorker.begin();
    const frame = await page(worker);
    await reachCode(frame);
    await worker.script({
      session: session({token: 'a.b.after-a-week-1'}),
      token: 'a.b.after-a-week-1',
      code: orderCode({order_code: '770000000001'}),
    });
    await reload(frame);
    const element = await inside(frame, 'vezne-checkout');
    await untilText(element, '770000000001');
    await untilText(element, 'Waiting for your transfer');
    expect(text(element)).not.to.include('ended');
    expect(await worker.calls('session')).to.have.length(2);
  });

  it('keeps offers apart', async () => {
    const worker = await TestWorker.begin();
    await reachCode(await page(worker));
    const other = await inside(await page(worker, 'offer="silver"'), 'vezne-checkout');
    await untilText(other, 'Which bank will you send from?');
    expect((await worker.calls('session')).map(({body}) => body)).to.deep.equal([{offer: 'gold'}, {offer: 'silver'}]);
  });

  it('brings a session of the merchant’s server back to its code, without keeping it', async () => {
    const worker = await TestWorker.begin();
    const frame = await page(worker, 'session="a-secret-head.body.merchant-made-9"');
    await reachCode(frame);
    await reload(frame);
    await untilText(await inside(frame, 'vezne-checkout'), '881200450017');
    expect(JSON.stringify({...localStorage})).not.to.include('a-secret-head');
  });

  it('survives nonsense in its storage', async () => {
    const worker = await TestWorker.begin();
    for (const nonsense of ['{', '[]', '"x"', 'null', '{"session": {"token": 7}, "bank": 9, "stage": {}}']) {
      localStorage.setItem(`vezne ${worker.address} gold`, nonsense);
      localStorage.setItem(`vezne ${worker.address}`, nonsense);
      const frame = await page(worker);
      await untilText(await inside(frame, 'vezne-checkout'), 'Which bank will you send from?');
      frame.remove();
    }
  });

  it('can be replaced where storage is full, and is stored again once there is room', () => {
    const store = new SessionStore<{token: string}>('full', crypto.randomUUID());
    const {setItem} = Storage.prototype;
    store.write({token: 'first'});
    Storage.prototype.setItem = () => {
      throw new DOMException('full', 'QuotaExceededError');
    };
    try {
      store.write({token: 'second'});
    } finally {
      Storage.prototype.setItem = setItem;
    }
    expect(store.read()).to.deep.equal({token: 'second'});
    store.write({token: 'third'});
    expect(store.read()).to.deep.equal({token: 'third'});
    expect(Object.values({...localStorage})).to.include('{"token":"third"}');
  });

  const blocks = {
    'throws when it is touched': `Object.defineProperty(window, 'localStorage', {get() { throw new DOMException('no', 'SecurityError'); }})`,
    'is full': `Storage.prototype.setItem = () => { throw new DOMException('full', 'QuotaExceededError'); }`,
  };
  for (const [how, script] of Object.entries(blocks)) {
    it(`works for as long as the page lives where storage ${how}`, async () => {
      const worker = await TestWorker.begin();
      const frame = await page(worker, 'offer="gold"', `<script>${script}</script>`);
      const element = await reachCode(frame);
      const place = element.parentElement;
      element.remove();
      place?.append(element);
      await untilText(element, '881200450017');
      expect(await worker.calls('session')).to.have.length(1);
    });
  }
});
