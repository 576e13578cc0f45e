import {expect} from '@open-wc/testing/pure';
import {sendKeys} from '@web/test-runner-commands';
import {PAYMENTS, bank, bankList, orderCode, session} from '../../stub-worker/answers.ts';
import {SCRIPT, inside, openPage} from '../../support/frame.ts';
import {announcements, find, findAll, focused, record, show, text, until, untilText} from '../../support/page.ts';
import {chooseBank, press} from '../../support/shopper.ts';
import {TestWorker} from '../../support/test-worker.ts';

const checkout = (worker: TestWorker, attributes = 'offer="gold" lang="en"') =>
  show(`<vezne-checkout api="${worker.address}" ${attributes}></vezne-checkout>`);

async function reachCode(element: Element): Promise<void> {
  await chooseBank(element, 'Toros');
  await untilText(element, 'Enter only this as the description');
}

const currentStep = (element: Element) => text(find(element, '[aria-current=step]') as Element);

describe('vezne-checkout', () => {
  it('shows the bank list, then the order code, then the payment that has arrived', async () => {
    const worker = await TestWorker.start();
    const element = checkout(worker);
    const events: string[] = [];
    for (const type of ['vezne-bank-select', 'vezne-order-code', 'vezne-payment', 'vezne-error']) {
      element.addEventListener(type, () => events.push(type));
    }
    await untilText(element, 'Wooden desk lamp');
    expect(text(element)).to.include('₺149.90');
    expect(currentStep(element)).to.equal('Bank');
    await reachCode(element);
    expect(currentStep(element)).to.equal('Pay');
    await untilText(element, 'Waiting for your transfer');
    await worker.send(PAYMENTS.paid);
    await untilText(element, 'Payment received');
    expect(currentStep(element)).to.equal('Done');
    expect(text(element)).not.to.include('Enter only this as the description');
    expect(new Set(events)).to.deep.equal(new Set(['vezne-bank-select', 'vezne-order-code', 'vezne-payment']));
  });

  it('requests the session, the banks and the order code only once', async () => {
    const worker = await TestWorker.start();
    const element = checkout(worker);
    await reachCode(element);
    await untilText(element, 'Waiting');
    const calls = (await worker.calls()).filter(({operation}) => operation !== 'live');
    expect(calls).to.have.deep.members([
      {operation: 'session', authorization: null, body: {offer: 'gold'}},
      {operation: 'banks', authorization: null, body: null},
      {
        operation: 'code',
        authorization: null,
        body: {session: 'header.eyJvcmRlciI6IlAtMTAwOSJ9.signature-one', bank: 'toros'},
      },
    ]);
  });

  it('requests no order code before the shopper chooses a bank, even if there is only one bank', async () => {
    const worker = await TestWorker.start({banks: bankList([bank('tek', 'Tek Banka')])});
    const element = checkout(worker);
    await untilText(element, 'Tek Banka');
    expect(await worker.calls('code')).to.deep.equal([]);
    await chooseBank(element, 'Tek');
    await untilText(element, '881200450017');
  });

  it('supports the keyboard in every step', async () => {
    const worker = await TestWorker.start();
    const element = checkout(worker);
    await untilText(element, 'Çınar Bankası');
    element.insertAdjacentHTML('beforebegin', '<button>Before</button>');
    find<HTMLElement>(element.parentElement as Element, 'button')?.focus();
    await sendKeys({press: 'Tab'});
    expect(focused()?.getAttribute('type')).to.equal('radio');
    await sendKeys({press: 'Space'});
    await sendKeys({press: 'ArrowDown'});
    expect(currentStep(element)).to.equal('Bank');
    await sendKeys({press: 'Enter'});
    await untilText(element, 'Marmara Bankası');
    await until('the focus at the new step', () => text(focused() as Element) === 'Send the money from your bank');
    await sendKeys({press: 'Tab'});
    expect(focused()?.getAttribute('aria-label')).to.equal('Copy the code');
  });

  it('moves the focus to the payment step even if the bundle for this step must be loaded first', async () => {
    const worker = await TestWorker.start();
    const body = `<vezne-checkout api="${worker.address}" offer="gold" lang="en"></vezne-checkout>`;
    const frame = await openPage({head: SCRIPT, body});
    await reachCode(await inside(frame, 'vezne-checkout'));
    const page = frame.contentDocument as Document;
    await until('the focus at the new step', () => text(focused(page) as Element) === 'Send the money from your bank');
  });

  it('keeps the order code when the shopper changes the bank', async () => {
    // The page knows no payment yet when the shopper changes the bank.
    const worker = await TestWorker.start({sockets: 'silent', faults: {payment: {kind: 'held'}}});
    const element = checkout(worker);
    await reachCode(element);
    await untilText(element, 'Toros Bank');
    await press(element, 'Change');
    await until('the focus at the banks', () => focused()?.getAttribute('type') === 'radio');
    await chooseBank(element, 'Yayla');
    await untilText(element, 'Yayla Katılım');
    expect(text(element)).to.include('8812 0045 0017'.replaceAll(' ', ''));
    expect(await worker.calls('session')).to.have.length(1);
    // The money may arrive while the shopper chooses another bank.
    await press(element, 'Change');
    await until('the focus at the banks', () => focused()?.getAttribute('type') === 'radio');
    await worker.send(PAYMENTS.waiting);
    await worker.send(PAYMENTS.paid);
    await until('the focus at the last card', () => focused()?.localName === 'h2');
    expect(text(focused() as Element)).to.equal('Payment received');
    expect(currentStep(element)).to.equal('Done');
    expect(announcements(element)).to.include('Payment received');
    expect(text(element)).to.include('Place another order');
  });

  it('reaches its last step without a tap if the order was paid on another page, and requests no code', async () => {
    const worker = await TestWorker.start({payment: PAYMENTS.paid});
    const element = checkout(worker, 'session="a.b.paid-elsewhere-1" lang="en"');
    await untilText(element, 'Payment received');
    expect(currentStep(element)).to.equal('Done');
    expect(text(element)).not.to.include('Which bank');
    expect(await worker.calls('code')).to.deep.equal([]);
    // Money that could not be matched may be the whole amount.
    const unmatched = await TestWorker.start({payment: PAYMENTS.unclear});
    const unclear = checkout(unmatched, 'session="a.b.paid-elsewhere-2" lang="en"');
    await untilText(unclear, 'Don’t send it again');
    expect(text(unclear)).not.to.include('Which bank');
    expect(await unmatched.calls('code')).to.deep.equal([]);
  });

  it('asks for a bank after a report on another device only if the shopper wants to pay from another bank', async () => {
    const notice = {at: '2026-11-21T15:42:00+03:00', bank: 'toros', amount: '149.90', sent: true};
    const worker = await TestWorker.start({payment: {...PAYMENTS.waiting, notice}});
    const element = checkout(worker, 'session="a.b.reported-elsewhere" lang="en"');
    await untilText(element, 'We’re looking for your payment');
    expect(currentStep(element)).to.equal('Pay');
    expect(text(element)).not.to.include('Which bank');
    (await until('the code', () => find(element, 'vezne-payment-code > button'))).click();
    await untilText(element, 'Which bank will you pay from?');
    await chooseBank(element, 'Yayla');
    await untilText(element, 'Yayla Katılım');
  });

  it('says above the code that a part of the money has arrived, and shows the remaining amount', async () => {
    const worker = await TestWorker.start({payment: PAYMENTS.partial});
    const element = checkout(worker);
    await reachCode(element);
    await untilText(element, '₺49.90 to go');
    await untilText(element, 'Remaining amount');
    const header = find(element, '.header') as Element;
    expect(text(header)).to.include('Remaining amount ₺49.90').and.not.to.include('₺149.90');
    expect(text(element)).not.to.include('Send the full amount');
    expect(text(find(element, '.step-title') as Element)).to.equal('₺100.00 received, ₺49.90 to go');
    await until('the status', () => find(element, 'progress'));
    expect(text(element).match(/to go/g)).to.have.length(1);
  });

  it('labels the amount in its header only while something is left to pay', async () => {
    const worker = await TestWorker.start();
    const element = checkout(worker);
    await reachCode(element);
    await untilText(element, 'Waiting for your transfer');
    const header = find(element, '.header') as Element;
    expect(header.textContent).to.include('Pay');
    await worker.send(PAYMENTS.paid);
    await untilText(element, 'Payment received');
    // The card names the amount.
    expect(header.textContent).to.not.include('₺149.90').and.not.to.include('to pay');
    expect(text(element)).to.contain('₺149.90 Payment received');
  });

  it('uses a session that the merchant’s server created, and takes the amount from the order code', async () => {
    const worker = await TestWorker.start({
      token: 'a.b.merchant-made-2',
      code: orderCode({amount: '75.00'}),
      payment: {...PAYMENTS.waiting, amount: '75.00'},
    });
    const element = checkout(worker, 'session="a.b.merchant-made-2" lang="en"');
    await untilText(element, 'Payment by bank transfer');
    await reachCode(element);
    await until('the amount', () => text(find(element, '.header') as Element).includes('₺75.00'));
    expect(await worker.calls('session')).to.deep.equal([]);
  });

  it('shows that a session created by the merchant’s server has ended, and dispatches vezne-error', async () => {
    const worker = await TestWorker.start({token: 'another'});
    const element = checkout(worker, 'session="a.b.merchant-made-3" lang="en"');
    const errors = record<Event & {code: string; retryable: boolean}>(document.body, 'vezne-error');
    await chooseBank(element, 'Toros');
    await untilText(element, 'This page timed out');
    expect(text(element)).to.include(
      'If you haven’t, reload this page, or open the order again from the seller’s page.',
    );
    await untilText(element, 'Reload the page');
    expect(text(element)).not.to.include('Try again').and.not.to.include('Waiting for your transfer');
    expect(errors.map(({code, retryable}) => [code, retryable])).to.deep.include(['session_expired', false]);
  });

  it('shows the seller’s contacts if a session of the merchant’s server may only read the payment', async () => {
    const seller = {name: 'Lamps Ltd', support_url: 'https://shop.example/help', support_email: 'help@shop.example'};
    const worker = await TestWorker.start({
      payment: {...PAYMENTS.waiting, order_code: null, seller},
      faults: {code: {kind: 'problem', code: 'session_expired'}},
    });
    const element = checkout(worker, 'session="a.b.merchant-made-4" lang="en"');
    await chooseBank(element, 'Toros');
    await untilText(element, 'E-mail the seller');
    expect(text(element)).to.match(/seller’s page\. Seller Lamps Ltd .*Reload the page Contact the seller/);
  });

  it('shares one session, one order and one socket with the other elements of its offer', async () => {
    const worker = await TestWorker.start();
    const element = checkout(worker);
    const code = show(`<vezne-payment-code api="${worker.address}" offer="gold" lang="en"></vezne-payment-code>`);
    const status = show(`<vezne-payment-status api="${worker.address}" offer="gold" lang="en"></vezne-payment-status>`);
    await reachCode(element);
    await untilText(code, 'Toros Bank');
    await untilText(status, 'Waiting');
    expect(await worker.calls('session')).to.have.length(1);
    // The code was made before the shopper chose a bank, so it is read again with the account of that bank.
    const banks = (await worker.calls('code')).map(({body}) => (body as {bank?: string}).bank);
    expect(banks).to.deep.equal([undefined, 'toros']);
    expect(await worker.sockets()).to.equal(1);
  });

  it('changes its language when its lang attribute changes', async () => {
    const worker = await TestWorker.start();
    const element = checkout(worker, 'offer="gold" lang="tr"');
    await untilText(element, 'Ahşap masa lambası');
    await untilText(element, 'Hangi bankadan göndereceksiniz?');
    element.lang = 'en';
    await untilText(element, 'Which bank will you pay from?');
    await untilText(element, 'Wooden desk lamp');
    expect(find(element, '.base')?.getAttribute('lang')).to.equal('en');
  });

  it('uses the language of the element around it, and English for a language without texts', async () => {
    const worker = await TestWorker.start();
    const section = show(
      `<section lang="tr-TR"><vezne-checkout api="${worker.address}" offer="gold"></vezne-checkout></section>`,
    );
    await untilText(section, 'Hangi bankadan');
    section.lang = 'de';
    await untilText(section, 'Which bank');
    expect(find(section, '.base')?.getAttribute('lang')).to.equal('en');
  });

  it('opens another session when its offer changes', async () => {
    const worker = await TestWorker.start();
    const element = checkout(worker);
    await untilText(element, 'Wooden desk lamp');
    await worker.script({
      session: session({token: 'a.b.second-offer-1', title: {tr: 'Sandalye', en: 'Chair'}, amount: '20.00'}),
    });
    element.setAttribute('offer', 'silver');
    await untilText(element, 'Chair');
    expect(text(element)).to.include('₺20.00');
    expect((await worker.calls('session')).map(({body}) => body)).to.deep.equal([{offer: 'gold'}, {offer: 'silver'}]);
  });

  it('calls another Worker when its api attribute changes, also if the address ends with a slash', async () => {
    const [worker, other] = [
      await TestWorker.start(),
      await TestWorker.start({session: session({title: {tr: 'Öteki', en: 'Other'}})}),
    ];
    const element = checkout(worker);
    await untilText(element, 'Wooden desk lamp');
    element.setAttribute('api', `${other.address}/`);
    await untilText(element, 'Other');
  });

  it('starts a new payment with another session and another order code', async () => {
    const worker = await TestWorker.start({payment: PAYMENTS.paid});
    const element = checkout(worker);
    await chooseBank(element, 'Toros');
    await untilText(element, 'Payment received');
    await worker.script({
      session: session({token: 'a.b.begun-again-1'}),
      code: orderCode({order_code: '990000000001'}),
      payment: PAYMENTS.waiting,
      token: 'a.b.begun-again-1',
    });
    await press(element, 'Place another order');
    await untilText(element, 'Which bank will you pay from?');
    expect(await worker.codeSessions()).not.to.include('a.b.begun-again-1');
    await chooseBank(element, 'Toros');
    await untilText(element, '990000000001');
    expect((await worker.codeSessions()).filter((each) => each === 'a.b.begun-again-1')).to.have.length(1);
  });

  it('sends only one request if it is moved in the page while it is loading', async () => {
    const worker = await TestWorker.start({faults: {session: {kind: 'held'}}});
    const element = checkout(worker);
    await until('the request', async () => (await worker.calls('session')).length);
    const main = show('<main></main>');
    main.append(element);
    await worker.release();
    await untilText(element, 'Wooden desk lamp');
    expect(await worker.calls('session')).to.have.length(1);
  });

  it('sends its request again if it is removed while it is loading, and is added again later', async () => {
    const worker = await TestWorker.start({faults: {session: {kind: 'held'}}});
    const element = checkout(worker);
    const parent = element.parentElement;
    await until('the request', async () => (await worker.calls('session')).length);
    element.remove();
    await worker.fault('session');
    await worker.release();
    await Promise.resolve();
    parent?.append(element);
    await untilText(element, 'Wooden desk lamp');
  });

  it('does not inherit text styles of the page', async () => {
    const worker = await TestWorker.start();
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(
      '* {letter-spacing: 9px; text-transform: uppercase; line-height: 4; text-align: right; font-size: 40px; white-space: pre}',
    );
    const element = checkout(worker);
    await untilText(element, 'Wooden desk lamp');
    const {width} = element.getBoundingClientRect();
    document.adoptedStyleSheets = [sheet];
    const style = getComputedStyle(find(element, 'h2') as Element);
    expect([style.letterSpacing, style.textTransform, style.textAlign, style.whiteSpace]).to.deep.equal([
      'normal',
      'none',
      'start',
      'normal',
    ]);
    document.adoptedStyleSheets = [];
    expect(element.getBoundingClientRect().width).to.equal(width);
  });

  it('fits into a width of 320 pixels in every step, also with a long code', async () => {
    const worker = await TestWorker.start({code: orderCode({order_code: 'ABCDEFGHJKLMNPQRSTUVWXYZ'})});
    const frame = show('<div></div>');
    frame.style.width = '320px';
    const element = checkout(worker);
    frame.append(element);
    await untilText(element, 'Çınar');
    const fits = () =>
      findAll(element, '*').every(
        (each) => each.matches('.visually-hidden') || each.scrollWidth <= Math.max(each.clientWidth, 320),
      );
    expect(fits()).to.equal(true);
    await reachCode(element);
    await untilText(element, 'Waiting');
    expect(fits()).to.equal(true);
    expect(element.getBoundingClientRect().width).to.be.lessThanOrEqual(320);
  });
});
