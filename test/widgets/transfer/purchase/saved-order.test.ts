import {expect} from '@open-wc/testing/pure';
import {BrowserStorage} from '../../../../widgets/core/storage.ts';
import {PAYMENTS, bank, bankList, orderCode, session} from '../../stub-worker/answers.ts';
import {SCRIPT, inside, openPage, reload} from '../../support/frame.ts';
import {findAll, record, text, until, untilText} from '../../support/page.ts';
import {chooseBank, selectBank, press} from '../../support/shopper.ts';
import {TestWorker} from '../../support/test-worker.ts';

const page = (worker: TestWorker, attributes = 'offer="gold"', head = '') =>
  openPage({
    head: head + SCRIPT,
    body: `<vezne-checkout api="${worker.address}" ${attributes} lang="en"></vezne-checkout>`,
  });

async function reachCode(frame: HTMLIFrameElement): Promise<HTMLElement> {
  const element = await inside(frame, 'vezne-checkout');
  await chooseBank(element, 'Toros');
  await untilText(element, '881200450017');
  return element;
}

/** Makes the Worker reject all sessions created so far, as if a week had passed or the Worker's secret had changed. */
const rejectSessions = (worker: TestWorker) =>
  worker.script({
    session: session({token: 'a.b.new-token-1'}),
    token: 'a.b.new-token-1',
    code: orderCode({order_code: '770000000001'}),
  });

describe('a saved order', () => {
  it('shows the same order code after a reload', async () => {
    const worker = await TestWorker.start();
    const frame = await page(worker);
    await reachCode(frame);
    await reload(frame);
    const element = await inside(frame, 'vezne-checkout');
    await untilText(element, '881200450017');
    await untilText(element, 'Toros Bank');
    await untilText(element, 'Waiting for your transfer');
    expect(await worker.calls('session')).to.have.length(1);
    expect(await worker.codeSessions()).to.deep.equal([
      'header.eyJvcmRlciI6IlAtMTAwOSJ9.signature-one',
      'header.eyJvcmRlciI6IlAtMTAwOSJ9.signature-one',
    ]);
  });

  it('after a reload, shows the payment also if it arrives before the order code', async () => {
    const worker = await TestWorker.start();
    const frame = await page(worker);
    await reachCode(frame);
    await worker.fault('code', {kind: 'held'});
    await reload(frame);
    const element = await inside(frame, 'vezne-checkout');
    const payments = record(element, 'vezne-payment');
    await until('the payment', () => payments.length > 0);
    await worker.release();
    await untilText(element, 'Waiting for your transfer');
  });

  it('shows the same order code in another tab', async () => {
    const worker = await TestWorker.start();
    const frame = await page(worker);
    await reachCode(frame);
    frame.remove();
    await untilText(await inside(await page(worker), 'vezne-checkout'), '881200450017');
    expect(await worker.calls('session')).to.have.length(1);
  });

  it('shows the banks with the same session after a reload, if no order code was requested yet', async () => {
    const worker = await TestWorker.start();
    const frame = await page(worker);
    await selectBank(await inside(frame, 'vezne-checkout'), 'Toros');
    await until('the session is saved', () =>
      Object.entries(localStorage).some(
        ([name, value]) => name.includes(worker.address) && String(value).includes('signature-one'),
      ),
    );
    await reload(frame);
    const element = await inside(frame, 'vezne-checkout');
    await untilText(element, 'Last used');
    expect(await worker.calls('session')).to.have.length(1);
    expect(await worker.calls('code')).to.have.length(0);
  });

  describe('whose session the Worker rejects', () => {
    const ENDED_TEXT =
      'You can no longer track this order here If you’ve sent the money, it will reach the seller; don’t send it again. ' +
      'If you haven’t, start a new payment. Order number P-1009 Copy Payment code 881200450017 Copy I haven’t paid, start a new payment';

    async function openRejected(): Promise<{worker: TestWorker; element: HTMLElement}> {
      const worker = await TestWorker.start();
      const frame = await page(worker);
      await reachCode(frame);
      await rejectSessions(worker);
      await reload(frame);
      const element = await inside(frame, 'vezne-checkout');
      await untilText(element, ENDED_TEXT);
      return {worker, element};
    }

    it('shows its code and account, and says that it can no longer be tracked', async () => {
      const {worker, element} = await openRejected();
      await untilText(element, 'Toros Bank');
      expect(text(element))
        .to.include('881200450017')
        .and.include('TR330006100519786457841326')
        .and.not.to.include('770000000001');
      expect(await worker.calls('session')).to.have.length(1);
    });

    it('shows its account even if the bank is no longer listed or the list cannot be loaded', async () => {
      const worker = await TestWorker.start();
      const frame = await page(worker);
      await reachCode(frame);
      await rejectSessions(worker);
      await worker.script({banks: bankList([bank('cinar', 'Çınar Bankası'), bank('yayla', 'Yayla Katılım')])});
      await reload(frame);
      await untilText(await inside(frame, 'vezne-checkout'), 'Toros Bank');
      await worker.fault('banks', {kind: 'problem', code: 'temporarily_unavailable'});
      await reload(frame);
      const element = await inside(frame, 'vezne-checkout');
      await untilText(element, 'Toros Bank');
      await untilText(element, ENDED_TEXT);
    });

    it('shows no link from the storage whose URL is not https, and keeps the other contacts of the seller', async () => {
      const worker = await TestWorker.start();
      const frame = await page(worker);
      await reachCode(frame);
      const storage = (frame.contentWindow as Window).localStorage;
      const key = `vezne ${worker.address} gold`;
      const saved = JSON.parse(storage[key]) as {instructions: {orderCode: object; account: object}};
      const hostile = 'javascript:alert(1)';
      const account = {...saved.instructions.account, app_url: hostile};
      const seller = {name: 'Lamps Ltd', support_url: hostile, support_email: 'a@shop.example'};
      saved.instructions = {
        ...saved.instructions,
        orderCode: {...saved.instructions.orderCode, account, seller},
        account,
      };
      storage[key] = JSON.stringify(saved);
      await rejectSessions(worker);
      await reload(frame);
      const element = await inside(frame, 'vezne-checkout');
      await untilText(element, 'You can no longer track this order here');
      await untilText(element, 'TR330006100519786457841326');
      // The other contacts stay, because the shopper may have to ask the seller.
      await untilText(element, 'E-mail the seller');
      expect(findAll<HTMLAnchorElement>(element, 'a').map(({protocol}) => protocol)).to.deep.equal(['mailto:']);
      expect(text(element)).to.include('Lamps Ltd');
    });

    it('is replaced only if the shopper starts a new payment', async () => {
      const {element} = await openRejected();
      await press(element, 'I haven’t paid, start a new payment');
      await chooseBank(element, 'Toros');
      await untilText(element, '770000000001');
      await untilText(element, 'Waiting for your transfer');
      expect(text(element)).not.to.include('You can no longer track this order here');
    });

    it('shows the same code even if the shopper went back to choose another bank', async () => {
      const worker = await TestWorker.start();
      const frame = await page(worker);
      await press(await reachCode(frame), 'Change');
      await rejectSessions(worker);
      await reload(frame);
      const element = await inside(frame, 'vezne-checkout');
      await chooseBank(element, 'Marmara');
      await untilText(element, ENDED_TEXT);
      await untilText(element, 'TR460001500158007299283748');
      expect(text(element)).to.include('881200450017');
    });

    it('is replaced by a new order if it was paid, and the checkout starts with the banks', async () => {
      const worker = await TestWorker.start();
      const frame = await page(worker);
      const element = await reachCode(frame);
      await untilText(element, 'Waiting for your transfer');
      await worker.send(PAYMENTS.paid);
      await untilText(element, 'Payment received');
      await rejectSessions(worker);
      await worker.script({payment: PAYMENTS.waiting});
      await reload(frame);
      const again = await inside(frame, 'vezne-checkout');
      await untilText(again, 'Which bank will you pay from?');
      expect(await worker.calls('code')).to.have.length(2);
      await chooseBank(again, 'Toros');
      await untilText(again, '770000000001');
    });

    it('offers no new payment for a session that the merchant’s server created', async () => {
      const worker = await TestWorker.start();
      const frame = await page(worker, 'session="a.b.merchant-made-3"');
      await reachCode(frame);
      await worker.script({token: 'another'});
      await reload(frame);
      const element = await inside(frame, 'vezne-checkout');
      await untilText(element, ENDED_TEXT.replace(/start a new.+/, 'ask the seller for a new payment.'));
      expect(text(element)).to.include('881200450017').and.not.to.include('start a new payment');
    });
  });

  it('shows its code while the Worker cannot be reached, and continues when the Worker answers again', async () => {
    const worker = await TestWorker.start();
    const frame = await page(worker);
    await reachCode(frame);
    await worker.script({sockets: 'refused', faults: {code: {kind: 'reset'}, payment: {kind: 'reset'}}});
    await reload(frame);
    const element = await inside(frame, 'vezne-checkout');
    await untilText(element, '881200450017');
    await untilText(element, 'Toros Bank');
    await untilText(element, 'We can’t reach');
    await worker.script({sockets: 'open', faults: {}, payment: PAYMENTS.paid});
    await press(element, 'Try again');
    await untilText(element, 'Payment received');
  });

  it('uses the same new session in two tabs after the Worker has rejected their old session', async () => {
    const worker = await TestWorker.start();
    const frames: HTMLIFrameElement[] = [];
    for (let tab = 0; tab < 2; tab += 1) {
      // Open one tab after the other, so that the second tab finds the session of the first tab.
      const frame = await page(worker);
      await untilText(await inside(frame, 'vezne-checkout'), 'Wooden desk lamp');
      frames.push(frame);
    }
    // The second tab reads the payment of the saved session. Without a socket, it would soon read again by itself.
    await until('the socket', async () => (await worker.sockets()) === 1);
    await worker.script({session: session({token: 'a.b.new-token-2'}), token: 'a.b.new-token-2'});
    for (const frame of frames) await reachCode(frame);
    expect(await worker.calls('session')).to.have.length(2);
    expect((await worker.codeSessions()).filter((token) => token === 'a.b.new-token-2')).to.have.length(2);
  });

  it('is stored separately for each offer', async () => {
    const worker = await TestWorker.start();
    await reachCode(await page(worker));
    const other = await inside(await page(worker, 'offer="silver"'), 'vezne-checkout');
    await untilText(other, 'Which bank will you pay from?');
    expect((await worker.calls('session')).map(({body}) => body)).to.deep.equal([{offer: 'gold'}, {offer: 'silver'}]);
  });

  it('shows the same code for a session of the merchant’s server, and does not store the token', async () => {
    const worker = await TestWorker.start();
    const frame = await page(worker, 'session="a-secret-head.body.merchant-made-9"');
    await reachCode(frame);
    await reload(frame);
    await untilText(await inside(frame, 'vezne-checkout'), '881200450017');
    expect(JSON.stringify({...localStorage})).not.to.include('a-secret-head');
  });

  it('is ignored if the storage contains invalid data', async () => {
    const worker = await TestWorker.start();
    for (const invalid of ['{', '[]', '"x"', 'null', '{"session": {"token": 7}, "bank": 9, "step": {}}']) {
      localStorage.setItem(`vezne ${worker.address} gold`, invalid);
      localStorage.setItem(`vezne ${worker.address}`, invalid);
      const frame = await page(worker);
      await untilText(await inside(frame, 'vezne-checkout'), 'Which bank will you pay from?');
      frame.remove();
    }
  });

  it('is kept in memory while the storage is full, and is stored again when there is room', () => {
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
    'throws an error': `Object.defineProperty(window, 'localStorage', {get() { throw new DOMException('no', 'SecurityError'); }})`,
    'is full': `Storage.prototype.setItem = () => { throw new DOMException('full', 'QuotaExceededError'); }`,
  };
  for (const [how, script] of Object.entries(blocks)) {
    it(`lasts until the page closes if the storage ${how}`, async () => {
      const worker = await TestWorker.start();
      const frame = await page(worker, 'offer="gold"', `<script>${script}</script>`);
      const element = await reachCode(frame);
      const parent = element.parentElement;
      element.remove();
      parent?.append(element);
      await untilText(element, '881200450017');
      expect(await worker.calls('session')).to.have.length(1);
    });
  }
});
