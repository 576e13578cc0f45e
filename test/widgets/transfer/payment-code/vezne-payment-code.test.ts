import {expect} from '@open-wc/testing/pure';
import type {LitElement} from 'lit';
import {codeGroups, spellOut} from '../../../../widgets/core/code-groups.ts';
import type {OrderCodeEvent, VeznePaymentCode} from '../../../../widgets/transfer/payment-code/vezne-payment-code.ts';
import {PAYMENTS, bank, bankList, orderCode, session} from '../../stub-worker/answers.ts';
import {Clocks, FakeTime, leaveTab} from '../../support/fake-time.ts';
import {announcements, find, findAll, focused, record, show, text, until, untilText} from '../../support/page.ts';
import {chooseBank, press} from '../../support/shopper.ts';
import {TestWorker} from '../../support/test-worker.ts';

const SELLER = {name: 'Lamps Ltd', support_url: 'https://shop.example/help'};

const dueIn = (ms: number) => orderCode({pay_until: new Date(Date.now() + ms).toISOString()});

const showCode = (worker: TestWorker, lang = 'en') =>
  show(`<vezne-payment-code api="${worker.address}" offer="gold" bank="toros" lang="${lang}"></vezne-payment-code>`);

describe('vezne-payment-code', () => {
  it('shows the order code, the account of the bank and the amount', async () => {
    const worker = await TestWorker.start();
    const code = show(
      `<vezne-payment-code api="${worker.address}" offer="gold" bank="marmara" lang="tr"></vezne-payment-code>`,
    );
    await untilText(code, 'Marmara Bankası');
    expect(text(code)).to.equal(
      'Açıklamaya yalnızca bunu yazın 881200450017 Kodu kopyala Son ödeme: 24 Kasım Salı 15:42 Alıcı banka Marmara Bankası ' +
        'IBAN TR460001500158007299283748 Kopyala Alıcı Örnek Ödeme A.Ş. Satıcı adına ödeme alan kuruluş. Bankanızda bu ad görünür. Kopyala Tutar ₺149,90 Kopyala ' +
        'Tutarın tamamını tek seferde gönderin. Açıklamada kod yoksa ödemenizi eşleştiremeyiz. ' +
        'Parayı gönderdim Tümünü kopyala Telefonda aç',
    );
  });

  it('dispatches an event with the order code to the page', async () => {
    const worker = await TestWorker.start();
    const events = record<OrderCodeEvent>(document.body, 'vezne-order-code');
    showCode(worker, 'tr');
    await until('the event', () => events[0]);
    expect(events.map((event) => event.orderCode)).to.deep.equal([
      {...orderCode(), account: bank('toros', 'Toros Bank'), seller: undefined},
    ]);
  });

  it('renders a code that arrives once', async () => {
    const worker = await TestWorker.start();
    const code = showCode(worker) as LitElement;
    const inOneTask = await new Promise<number>((resolve) => {
      let renderings = 0;
      code.addController({
        hostUpdated() {
          if (!text(code).includes('881200450017')) return;
          renderings += 1;
          if (renderings === 1) setTimeout(() => resolve(renderings));
        },
      });
    });
    expect(inOneTask).to.equal(1);
  });

  it('lays out its instructions while the code is on its way, and takes them away before anybody sees them', async () => {
    const worker = await TestWorker.start({faults: {code: {kind: 'held'}}});
    const code = showCode(worker);
    const root = code.shadowRoot as ShadowRoot;
    const seen: string[] = [];
    const checkFrame = () => {
      if (find(code, '.slip')) seen.push(text(code));
      if (code.isConnected) requestAnimationFrame(checkFrame);
    };
    requestAnimationFrame(checkFrame);
    const added: string[] = [];
    new MutationObserver((records) => {
      for (const {addedNodes} of records)
        for (const node of addedNodes)
          if (node instanceof Element)
            added.push(...[node, ...node.querySelectorAll('*')].map((each) => each.className));
    }).observe(root, {childList: true, subtree: true});
    const base = await until('the skeleton', () => find(code, '.base'));
    const nodes = [...base.childNodes];
    await until('the instructions', () => added.includes('slip') && added.includes('account'));
    // Lit clears until the end of its parent, so another part in it would lose its place.
    expect([...base.childNodes]).to.deep.equal(nodes);
    expect(base).not.to.have.property('_$litPart$');
    await new Promise(requestAnimationFrame);
    expect(seen).to.deep.equal([]);
    expect(announcements(code)).to.deep.equal(['Loading…']);
    expect(find(code, '.skeleton')).not.to.equal(undefined);
  });

  const groupings = [
    ['881200450017', ['8812', '0045', '0017']],
    ['AB7KQ2M9PX', ['AB7K', 'Q2M', '9PX']],
    ['1234567', ['1234', '567']],
    ['12345', ['12345']],
    ['7', ['7']],
    ['AB-1234-99', ['AB-1234-99']],
    ['ÇĞ12ŞÜ', ['ÇĞ1', '2ŞÜ']],
  ] as const;
  for (const [code, groups] of groupings) {
    it(`displays the code ${code} as ${groups.join(' ')}`, () => {
      expect(codeGroups(code)).to.deep.equal(groups);
    });
  }

  it('has a spelled copy of the code for screen readers', async () => {
    const worker = await TestWorker.start({code: orderCode({order_code: 'AB7KQ2'})});
    const code = show(`<vezne-payment-code api="${worker.address}" offer="gold" lang="tr"></vezne-payment-code>`);
    const spelling = await until('the spelling', () => find(code, '.code .visually-hidden'));
    expect(spelling.textContent).to.equal('A B 7, K Q 2');
    expect(spellOut(['88'])).to.equal('8 8');
    expect(find(code, '.code bdi')?.getAttribute('aria-hidden')).to.equal('true');
  });

  it('has no spaces in the text if the shopper selects the code or the IBAN', async () => {
    const worker = await TestWorker.start();
    const code = showCode(worker, 'tr');
    await untilText(code, 'Toros');
    for (const group of findAll(code, '.groups')) {
      getSelection()?.selectAllChildren(group);
      expect(getSelection()?.toString()).to.match(/^(881200450017|TR330006100519786457841326)$/);
    }
  });

  it('explains the recipient with the seller’s name, unless the recipient is the seller', async () => {
    for (const [name, explained] of [
      ['Lamps Ltd', true],
      ['Örnek Ödeme Kuruluşu A.Ş.', false],
    ] as const) {
      const worker = await TestWorker.start({code: orderCode({seller: {name}})});
      const code = showCode(worker);
      await untilText(code, 'Recipient Örnek Ödeme Kuruluşu A.Ş.');
      expect(text(code).includes('The payment provider for Lamps Ltd. Your bank will show this name.')).to.equal(
        explained,
      );
    }
  });

  it('closes the instructions after “I’ve sent the money”, and opens them again for the missing rest', async () => {
    const worker = await TestWorker.start();
    const markup = `<vezne-checkout api="${worker.address}" offer="gold" lang="en"></vezne-checkout>`;
    const element = show(markup);
    await chooseBank(element, 'Toros');
    await press(element, 'I’ve sent the money');
    for (const each of [element, show(markup)]) {
      await untilText(each, 'This page updates automatically when your money arrives. Don’t send it again.');
      expect(find<HTMLDetailsElement>(each, 'details')?.open).to.equal(false);
      expect(text(each)).not.to.include('Send the money from your bank').and.not.to.include('I’ve sent the money');
    }
    // The rest of the money needs the instructions again.
    await worker.send(PAYMENTS.partial);
    await untilText(element, 'Enter only this as the description');
    expect(find(element, 'details')).to.equal(undefined);
    // What to send is said above.
    expect(findAll(element, '.advice li').map((item) => item.textContent)).to.deep.equal([
      '',
      'Without the code in the description, we can’t match your payment.',
    ]);
    await press(element, 'I’ve sent the money');
    await untilText(element, 'This page updates automatically when your money arrives.');
    expect(text(element)).to.include('Remaining amount ₺49.90');
    expect(find<HTMLDetailsElement>(element, 'details')?.open).to.equal(false);
  });

  it('closes the instructions after the session has ended, and shows one primary button', async () => {
    for (const [hasSent, nextStep] of [
      [false, 'I haven’t paid, start a new payment'],
      [true, 'Contact the seller'],
    ] as const) {
      const worker = await TestWorker.start({code: orderCode({seller: SELLER})});
      const element = show(`<vezne-checkout api="${worker.address}" offer="gold" lang="en"></vezne-checkout>`);
      await chooseBank(element, 'Toros');
      await untilText(element, 'Waiting for your transfer');
      await until('the socket', async () => (await worker.sockets()) === 1);
      if (hasSent) await press(element, 'I’ve sent the money');
      await worker.script({token: 'another', sockets: 'refused'});
      await worker.dropSockets();
      await untilText(element, 'You can no longer track this order here');
      await untilText(element, 'Contact the seller');
      const buttons = findAll(element, 'button.button, a.button').filter((each) => each.checkVisibility());
      expect(buttons.map((each) => text(each))).to.deep.equal([nextStep]);
      expect(find<HTMLDetailsElement>(element, 'details')?.open).to.equal(false);
      expect(text(element)).to.include('881200450017').and.not.to.include('I’ve sent the money');
      expect(announcements(element)).to.include('You can no longer track this order here');
    }
  });

  it('lists the seller’s contacts, each on its own line and high enough for a finger', async () => {
    const seller = {...SELLER, support_email: 'help@shop.example', support_phone: '0850 000 00 00'};
    const worker = await TestWorker.start({payment: PAYMENTS.unclear, code: orderCode({seller})});
    const code = showCode(worker);
    await untilText(code, 'Call the seller: 0850 000 00 00');
    const boxes = findAll(code, '.contacts a').map((each) => each.getBoundingClientRect());
    expect(boxes.map(({height}) => height >= 44)).to.deep.equal([true, true, true]);
    expect(new Set(boxes.map(({top}) => top)).size).to.equal(3);
  });

  it('lists no contacts if there are none, and names the shop', async () => {
    for (const seller of [undefined, {name: 'Lamps Ltd'}]) {
      const worker = await TestWorker.start({payment: PAYMENTS.unclear, code: orderCode(seller && {seller})});
      const code = showCode(worker);
      await untilText(code, 'You can reach the seller through the shop where you ordered.');
      expect(find(code, '.contacts')).to.equal(undefined);
    }
  });

  it('starts a new payment after the session has ended, on a page without a checkout', async () => {
    const worker = await TestWorker.start();
    const code = showCode(worker);
    await untilText(code, 'Toros Bank');
    await until('the socket', async () => (await worker.sockets()) === 1);
    await worker.script({token: 'another', sockets: 'refused'});
    await worker.dropSockets();
    await untilText(code, 'You can no longer track this order here');
    const second = session({token: 'header.eyJvcmRlciI6IlAtMTAwOSJ9.signature-two'});
    await worker.script({token: second.token, session: second, code: orderCode({order_code: '770000000001'})});
    await press(code, 'I haven’t paid, start a new payment');
    await untilText(code, '770000000001');
  });

  it('lets the shopper choose a bank if the page has chosen no bank, or a bank that is no longer listed', async () => {
    for (const chosen of ['', 'bank="gone"']) {
      const worker = await TestWorker.start();
      const code = show(
        `<vezne-payment-code api="${worker.address}" offer="gold" ${chosen} lang="en"></vezne-payment-code>`,
      );
      await untilText(code, chosen ? 'The bank you chose is no longer listed.' : 'Choose a bank to see the account');
      expect(text(code)).to.include('881200450017').and.to.include('₺149.90');
      await chooseBank(code, 'Yayla');
      await untilText(code, 'TR330006100519786457841326');
      expect(text(code)).to.include('Yayla Katılım').and.not.to.include('Which bank will you pay from?');
    }
  });

  it('has a button that focuses the bank list on the page; a status waits for money only after the choice', async () => {
    const worker = await TestWorker.start();
    const source = `api="${worker.address}" offer="gold" lang="en"`;
    const status = show(`<vezne-payment-status ${source}></vezne-payment-status>`);
    const payments = record(status, 'vezne-payment');
    const list = show(`<vezne-bank-list ${source}></vezne-bank-list>`);
    const code = show(`<vezne-payment-code ${source}></vezne-payment-code>`);
    await press(code, 'Choose a bank');
    await until('the focus', () => find(list, 'input:focus'));
    expect(find(code, 'vezne-bank-list')).to.equal(undefined);
    await until('the payment', () => payments.length > 0);
    expect(text(status)).to.equal('');
    await chooseBank(list, 'Yayla');
    await untilText(code, 'TR330006100519786457841326');
    await untilText(status, 'Waiting for your transfer');
  });

  it('gets its code beside a status that read the payment before, and that waits for money now', async () => {
    const worker = await TestWorker.start({payment: {...PAYMENTS.waiting, order_code: null}});
    const source = `api="${worker.address}" offer="gold" bank="toros" lang="en"`;
    const status = show(`<vezne-payment-status ${source}></vezne-payment-status>`);
    const payments = record(status, 'vezne-payment');
    await until('the payment', () => payments.length > 0);
    expect(text(status)).to.equal('');
    await untilText(show(`<vezne-payment-code ${source}></vezne-payment-code>`), '881200450017');
    await untilText(status, 'Waiting for your transfer');
  });

  it('without a code, shows why beside a status that does not wait for money', async () => {
    const worker = await TestWorker.start({
      payment: {...PAYMENTS.waiting, order_code: null},
      faults: {code: {kind: 'problem', code: 'platform_refused'}},
    });
    const source = `api="${worker.address}" offer="gold" lang="en"`;
    const status = show(`<vezne-payment-status ${source}></vezne-payment-status>`);
    const payments = record(status, 'vezne-payment');
    await untilText(show(`<vezne-payment-code ${source}></vezne-payment-code>`), 'We couldn’t start the payment');
    await until('the payment', () => payments.length > 0);
    expect(text(status)).to.equal('');
  });

  it('counts down in the last hour, beside the time to pay, also if the page was opened before the last hour', async () => {
    const worker = await TestWorker.start({code: dueIn(7_200_000)});
    const time = new FakeTime();
    const clocks = new Clocks();
    try {
      const code = showCode(worker);
      await untilText(code, /Pay by \w+ \d+ \w+ at \d\d:\d\d/);
      expect(text(code)).not.to.include('Time left');
      const delayMs = await until('the timer', () => time.delays.find((each) => each > 3_000_000));
      clocks.putForward(delayMs);
      time.pass(delayMs);
      await untilText(code, /Pay by \w+ \d+ \w+ at \d\d:\d\d Time left: \d\d:\d\d/);
      const countdown = text(find(code, '[role=timer]') as Element);
      clocks.putForward(2_000);
      time.pass(1_000);
      await until('the next second', () => text(find(code, '[role=timer]') as Element) !== countdown);
    } finally {
      clocks.release();
      time.release();
    }
  });

  it('does not count down where nobody sees it: in closed instructions and in a hidden tab', async () => {
    const worker = await TestWorker.start({code: dueIn(3_000_000)});
    const code = showCode(worker);
    await untilText(code, 'Time left: 4');
    const returnToTab = leaveTab();
    const time = new FakeTime();
    try {
      await press(code, 'I’ve sent the money');
      const details = await until('the details', () => find<HTMLDetailsElement>(code, 'details'));
      const countdown = () => text(find(code, '[role=timer]') as Element);
      const tick = async () => {
        time.pass(1_000);
        await (code as unknown as LitElement).updateComplete;
      };
      const before = countdown();
      const clocks = new Clocks();
      clocks.putForward(60_000);
      try {
        await tick();
        expect(countdown()).to.equal(before);
        returnToTab();
        await tick();
        expect(countdown()).to.equal(before);
        details.open = true;
        await tick();
        expect(countdown()).to.not.equal(before);
      } finally {
        clocks.release();
      }
    } finally {
      time.release();
      returnToTab();
    }
  });

  it('without a status, says that it waits, and how to reach the seller if money could not be matched', async () => {
    const seller = {name: 'Lamps Ltd', support_email: 'help@lamps.example'};
    const worker = await TestWorker.start({code: orderCode({seller})});
    const code = showCode(worker);
    await press(code, 'I’ve sent the money');
    await untilText(code, 'Waiting for your ₺149.90 transfer This page updates automatically when your money arrives.');
    await until('the focus', () => focused() === find(code, '.card h3'));
    expect(text(code)).not.to.include('help@lamps.example');
    await worker.send(PAYMENTS.unclear);
    await untilText(
      code,
      'Your payment wasn’t in Turkish lira It counts towards your order once the seller approves it.',
    );
    await untilText(code, 'E-mail the seller');
    expect(text(code)).to.include('Lamps Ltd');
    expect(find<HTMLAnchorElement>(code, '.contacts a')?.pathname).to.equal('help@lamps.example');
    expect(text(code)).not.to.include('Payment details').and.not.to.include('IBAN');
  });

  it('closes the QR code with Escape, and moves the focus back to its button', async () => {
    const worker = await TestWorker.start();
    const code = showCode(worker);
    await press(code, 'Open on a phone');
    const qrCode = await until('the QR code', () => find(code, '.qr'));
    const escape = new KeyboardEvent('keydown', {key: 'Escape', bubbles: true, composed: true, cancelable: true});
    // Otherwise the browser would close a dialog around the element too.
    expect(qrCode.dispatchEvent(escape)).to.equal(false);
    await until('the end of the QR code', () => !find(code, '.qr'));
    expect(find(code, '[aria-expanded]')?.getAttribute('aria-expanded')).to.equal('false');
    expect(focused()).to.equal(find(code, 'button.phone'));
  });

  it('leaves the outcome to the status in a checkout, so that a screen reader reads it once', async () => {
    const worker = await TestWorker.start();
    const code = show<VeznePaymentCode>(
      `<vezne-payment-code api="${worker.address}" offer="gold" bank="toros" lang="en"></vezne-payment-code>`,
    );
    code.isInner = true;
    await untilText(code, '881200450017');
    await until('the socket', async () => (await worker.sockets()) === 1);
    await worker.send(PAYMENTS.paid);
    await until('the end of the instructions', () => !text(code).includes('881200450017'));
    expect(text(code)).to.equal('');
  });

  it('shows the account of the only bank even if the shopper has chosen none', async () => {
    const worker = await TestWorker.start({banks: bankList([bank('tek', 'Tek Banka')])});
    const source = `api="${worker.address}" offer="gold" lang="tr"`;
    const status = show(`<vezne-payment-status ${source}></vezne-payment-status>`);
    await untilText(show(`<vezne-payment-code ${source}></vezne-payment-code>`), 'Tek Banka');
    await untilText(status, 'Ödemenizi bekliyoruz');
  });

  it('shows the account that came with the code for its bank, not the account in the bank list', async () => {
    const worker = await TestWorker.start({
      code: orderCode({account: bank('toros', 'Toros Bank', {iban: 'TR460001500158007299283748'})}),
    });
    const code = showCode(worker);
    await untilText(code, 'TR460001500158007299283748');
    expect(text(code)).not.to.include('TR330006100519786457841326');
    expect((await worker.calls('code')).map(({body}) => (body as {bank: string}).bank)).to.deep.equal(['toros']);
  });

  it('requests the code at most three times if two elements of one order have different banks', async () => {
    const worker = await TestWorker.start();
    const [first, second] = ['toros', 'marmara'].map((name) =>
      show(`<vezne-payment-code api="${worker.address}" offer="gold" bank="${name}" lang="en"></vezne-payment-code>`),
    ) as [HTMLElement, HTMLElement];
    await untilText(first, 'Toros Bank');
    await untilText(second, 'Marmara Bank');
    await worker.send(PAYMENTS.paid);
    await untilText(first, 'Payment received');
    expect((await worker.calls('code')).length).to.be.at.most(3);
  });

  it('shows the code even if the bank list with the account cannot be loaded, and lets the shopper retry', async () => {
    const worker = await TestWorker.start({
      code: orderCode({account: bank('marmara', 'Marmara Bank')}),
      faults: {banks: {kind: 'problem', code: 'temporarily_unavailable'}},
    });
    const code = showCode(worker);
    await untilText(code, 'The payment service isn’t responding');
    expect(text(code)).to.include('881200450017');
    await worker.fault('banks');
    await press(code, 'Try again');
    await untilText(code, 'Toros Bank');
  });

  it('shows markup in an order code as text', async () => {
    const worker = await TestWorker.start({code: orderCode({order_code: '<b>1</b>'})});
    const code = showCode(worker, 'tr');
    await untilText(code, '<b>1</b>');
  });
});
