import {expect} from '@open-wc/testing';
import {BrowserStorage} from '../../../../widgets/core/storage.ts';
import {PAYMENTS, bank, bankList, orderCode, session} from '../../stub-worker/answers.ts';
import {SCRIPT, inside, openPage, reload} from '../../support/frame.ts';
import {chooseBank, press, text, until, untilText} from '../../support/page.ts';
import {TestWorker} from '../../support/test-worker.ts';

const page = (worker: TestWorker, attributes = 'offer="gold"', head = '') =>
  openPage({
    head: head + SCRIPT,
    body: `<vezne-checkout api="${worker.address}" ${attributes} lang="en"></vezne-checkout>`,
  });

async function reachCode(frame: HTMLIFrameElement): Promise<HTMLElement> {
  const element = await inside(frame, 'vezne-checkout');
  await chooseBank(element, 'Toros');
  await press(element, 'Continue');
  await untilText(element, '881200450017');
  return element;
}

/** As after a week, or when the Worker's secret was changed: only sessions made from now on are taken. */
const refuse = (worker: TestWorker) =>
  worker.script({
    session: session({token: 'a.b.another-one-1'}),
    token: 'a.b.another-one-1',
    code: orderCode({order_code: '770000000001'}),
  });

describe('what a browser remembers', () => {
  it('brings the same code back after a reload', async () => {
    const worker = await TestWorker.start();
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
    const worker = await TestWorker.start();
    const frame = await page(worker);
    await reachCode(frame);
    frame.remove();
    await untilText(await inside(await page(worker), 'vezne-checkout'), '881200450017');
    expect(await worker.calls('session')).to.have.length(1);
  });

  it('comes back to a payment that arrived meanwhile', async () => {
    const worker = await TestWorker.start();
    const frame = await page(worker);
    await reachCode(frame);
    await worker.script({payment: PAYMENTS.paid});
    await reload(frame);
    await untilText(await inside(frame, 'vezne-checkout'), 'Your payment has arrived');
  });

  it('comes back to the banks when no code was asked for, with the same session', async () => {
    const worker = await TestWorker.start();
    const frame = await page(worker);
    await chooseBank(await inside(frame, 'vezne-checkout'), 'Toros');
    await until('the session is kept', () =>
      Object.entries(localStorage).some(
        ([name, kept]) => name.includes(worker.address) && String(kept).includes('signature-one'),
      ),
    );
    await reload(frame);
    const element = await inside(frame, 'vezne-checkout');
    await untilText(element, 'The bank you chose last time');
    expect(await worker.calls('session')).to.have.length(1);
    expect(await worker.calls('code')).to.have.length(0);
  });

  describe('of an order that the Worker follows no more', () => {
    const LOST =
      'This order can no longer be followed here. Money you send with this code still reaches the seller. Start a new payment';

    async function lostOrder(): Promise<{worker: TestWorker; element: HTMLElement}> {
      const worker = await TestWorker.start();
      const frame = await page(worker);
      await reachCode(frame);
      await refuse(worker);
      await reload(frame);
      const element = await inside(frame, 'vezne-checkout');
      await untilText(element, LOST);
      return {worker, element};
    }

    it('shows the code and its account, and says that it is followed no more', async () => {
      const {worker, element} = await lostOrder();
      await untilText(element, 'Toros Bank');
      expect(text(element))
        .to.include('881200450017')
        .and.include('TR330006100519786457841326')
        .and.not.to.include('770000000001');
      expect(await worker.calls('session')).to.have.length(1);
    });

    it('shows the account it had, also where that is listed no more or the list cannot be had', async () => {
      const worker = await TestWorker.start();
      const frame = await page(worker);
      await reachCode(frame);
      await refuse(worker);
      await worker.script({banks: bankList([bank('cinar', 'Çınar Bankası'), bank('yayla', 'Yayla Katılım')])});
      await reload(frame);
      await untilText(await inside(frame, 'vezne-checkout'), 'Toros Bank');
      await worker.fault('banks', {kind: 'problem', code: 'temporarily_unavailable'});
      await reload(frame);
      const element = await inside(frame, 'vezne-checkout');
      await untilText(element, 'Toros Bank');
      await untilText(element, LOST);
    });

    it('begins another only where the shopper says so', async () => {
      const {element} = await lostOrder();
      await press(element, 'Start a new payment');
      await press(element, 'Continue');
      await untilText(element, '770000000001');
      await untilText(element, 'Waiting for your transfer');
      expect(text(element)).not.to.include('no longer be followed');
    });

    it('shows it again where the shopper went back to choose another bank', async () => {
      const worker = await TestWorker.start();
      const frame = await page(worker);
      await press(await reachCode(frame), 'Change');
      await refuse(worker);
      await reload(frame);
      const element = await inside(frame, 'vezne-checkout');
      await chooseBank(element, 'Marmara');
      await press(element, 'Continue');
      await untilText(element, LOST);
      expect(text(element)).to.include('881200450017').and.include('TR460001500158007299283748');
    });

    it('begins with the banks where it was paid', async () => {
      const worker = await TestWorker.start();
      const frame = await page(worker);
      const element = await reachCode(frame);
      await untilText(element, 'Waiting for your transfer');
      await worker.send(PAYMENTS.paid);
      await untilText(element, 'Your payment has arrived');
      await refuse(worker);
      await worker.script({payment: PAYMENTS.waiting});
      await reload(frame);
      const again = await inside(frame, 'vezne-checkout');
      await untilText(again, 'Which bank will you send from?');
      expect(await worker.calls('code')).to.have.length(2);
      await press(again, 'Continue');
      await untilText(again, '770000000001');
    });

    it('says the same of a session of the merchant’s server, which alone can make another', async () => {
      const worker = await TestWorker.start();
      const frame = await page(worker, 'session="a.b.merchant-made-3"');
      await reachCode(frame);
      await worker.script({token: 'another'});
      await reload(frame);
      const element = await inside(frame, 'vezne-checkout');
      await untilText(element, LOST.replace(' Start a new payment', ''));
      expect(text(element)).to.include('881200450017').and.not.to.include('Start a new payment');
    });
  });

  it('shows the code while the Worker cannot be reached, and goes on when it can', async () => {
    const worker = await TestWorker.start();
    const frame = await page(worker);
    await reachCode(frame);
    await worker.script({sockets: 'refused', faults: {code: {kind: 'reset'}, payment: {kind: 'reset'}}});
    await reload(frame);
    const element = await inside(frame, 'vezne-checkout');
    await untilText(element, '881200450017');
    await untilText(element, 'Toros Bank');
    await untilText(element, 'cannot be reached');
    await worker.script({sockets: 'open', faults: {}, payment: PAYMENTS.paid});
    await press(element, 'Try again');
    await untilText(element, 'Your payment has arrived');
  });

  it('has two tabs go on with one order when their session is refused', async () => {
    const worker = await TestWorker.start();
    const frames: HTMLIFrameElement[] = [];
    for (let tab = 0; tab < 2; tab += 1) {
      // One after the other: the second finds the session of the first.
      const frame = await page(worker);
      await untilText(await inside(frame, 'vezne-checkout'), 'Wooden desk lamp');
      frames.push(frame);
    }
    await worker.script({session: session({token: 'a.b.another-one-2'}), token: 'a.b.another-one-2'});
    for (const frame of frames) await reachCode(frame);
    expect(await worker.calls('session')).to.have.length(2);
    expect(
      (await worker.calls('code'))
        .map(({authorization}) => authorization)
        .filter((one) => one === 'Bearer a.b.another-one-2'),
    ).to.have.length(2);
  });

  it('keeps offers apart', async () => {
    const worker = await TestWorker.start();
    await reachCode(await page(worker));
    const other = await inside(await page(worker, 'offer="silver"'), 'vezne-checkout');
    await untilText(other, 'Which bank will you send from?');
    expect((await worker.calls('session')).map(({body}) => body)).to.deep.equal([{offer: 'gold'}, {offer: 'silver'}]);
  });

  it('brings a session of the merchant’s server back to its code, without keeping it', async () => {
    const worker = await TestWorker.start();
    const frame = await page(worker, 'session="a-secret-head.body.merchant-made-9"');
    await reachCode(frame);
    await reload(frame);
    await untilText(await inside(frame, 'vezne-checkout'), '881200450017');
    expect(JSON.stringify({...localStorage})).not.to.include('a-secret-head');
  });

  it('survives nonsense in its storage', async () => {
    const worker = await TestWorker.start();
    for (const nonsense of ['{', '[]', '"x"', 'null', '{"session": {"token": 7}, "bank": 9, "stage": {}}']) {
      localStorage.setItem(`vezne ${worker.address} gold`, nonsense);
      localStorage.setItem(`vezne ${worker.address}`, nonsense);
      const frame = await page(worker);
      await untilText(await inside(frame, 'vezne-checkout'), 'Which bank will you send from?');
      frame.remove();
    }
  });

  it('can be replaced where storage is full, and is stored again once there is room', () => {
    const store = new BrowserStorage<{token: string}>(['full', crypto.randomUUID()]);
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
      const worker = await TestWorker.start();
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
