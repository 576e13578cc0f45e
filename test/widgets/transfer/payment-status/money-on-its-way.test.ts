/** A shopper who says that the money is sent, or reports a transfer, is not asked to send the same money again. */

import {expect} from '@open-wc/testing/pure';
import {orderCode, PAYMENTS, session} from '../../stub-worker/answers.ts';
import {Clocks, FakeTime} from '../../support/fake-time.ts';
import {find, findAll, focused, record, show, text, until, untilText} from '../../support/page.ts';
import {chooseBank, press, typeInto} from '../../support/shopper.ts';
import {TestWorker} from '../../support/test-worker.ts';

const SELLER = {
  name: 'Lamps Ltd',
  support_url: 'https://shop.example/help',
  support_email: 'help@shop.example',
  support_phone: '0850 000 00 00',
};
const NOTICE = {at: '2026-11-21T15:42:00+03:00', bank: 'toros', amount: '149.90', sent: false};

const returnFrom = (outcome: string): void => history.replaceState(null, '', `?vezne-return=notice.${outcome}`);
const markup = (worker: TestWorker) =>
  `<vezne-checkout api="${worker.address}" offer="gold" lang="en"></vezne-checkout>`;

async function toCode(worker: TestWorker): Promise<HTMLElement> {
  const element = show(markup(worker));
  await chooseBank(element, 'Toros');
  await untilText(element, '881200450017');
  return element;
}

/** A checkout of the same order, as after a reload. */
function reload(element: Element, worker: TestWorker): HTMLElement {
  element.remove();
  return show(markup(worker));
}

const isClosed = (element: Element) => find<HTMLDetailsElement>(element, 'details')?.open === false;
/** The label of the card's primary button or link. */
const nextStep = (element: Element) => findAll(element, '.result .button').map((each) => text(each));

describe('money on its way', () => {
  it('lets a shopper report a transfer after the deadline, and names one of the seller’s contacts', async () => {
    const worker = await TestWorker.start({payment: PAYMENTS.expired, code: orderCode({seller: SELLER})});
    const element = await toCode(worker);
    await untilText(element, 'I haven’t paid, start a new payment Contact the seller');
    expect(nextStep(element)).to.deep.equal(['I haven’t paid, start a new payment']);
    await press(element, 'I left out the code');
    await until('the form', () => find(element, 'vezne-payment-notice'));
  });

  it('draws when the money was sent and what to compare it with, until the shopper takes that back', async () => {
    const worker = await TestWorker.start();
    const element = await toCode(worker);
    await press(element, 'I’ve sent the money');
    const progress = await until('the line', () => find(element, '.wait'));
    const expected = /^Sent \d\d:\d\d At the bank Received Transfers .* Amount ₺149\.90 Payment code 881200450017$/;
    await until('the words', () => expected.test(text(progress)));
    const again = reload(element, worker);
    const kept = await until('the line after a reload', () => find(again, '.wait'));
    await until('the words after a reload', () => expected.test(text(kept)));
    await press(again, 'I haven’t sent it yet');
    await untilText(again, 'I’ve sent the money');
    expect(find(again, '.wait')).to.equal(undefined);
  });

  it('fills the part of the bar that has arrived, and counts the amount up once when all has arrived', async () => {
    const {matchMedia, requestAnimationFrame} = globalThis;
    globalThis.matchMedia = (query) => matchMedia(`not all and ${query}`);
    // The first frames have begun before the count.
    globalThis.requestAnimationFrame = (step) => requestAnimationFrame((time) => step(time - 100));
    // The amount of an order counts up once, whichever test has shown it.
    const order = 'P-2024';
    const payment = {...PAYMENTS.waiting, order};
    const worker = await TestWorker.start({session: session({order}), code: orderCode({order}), payment});
    const element = await toCode(worker);
    await worker.send({...PAYMENTS.partial, order});
    const bar = await until('the bar', () => find<HTMLProgressElement>(element, 'progress'));
    expect([bar.value, bar.max]).to.deep.equal([100, 149.9]);
    await worker.send({...PAYMENTS.paid, order});
    const card = await until('the movement', () => find(element, 'vezne-payment-outcome[arrived]'));
    const shown: (string | null | undefined)[] = [];
    await until('the amount', () => {
      shown.push(find(card, '.sum')?.textContent);
      return shown.at(-1) === '₺149.90';
    });
    expect(shown.filter((each) => each?.includes('-'))).to.deep.equal([]);
    expect(text(card).startsWith('₺149.90')).to.equal(true);
    document.body.append(element);
    expect(find(element, '[arrived]') === undefined, 'the sign is not drawn again').to.equal(true);
    const again = reload(element, worker);
    await until('the amount at once', () => find(again, '.sum')?.textContent === '₺149.90');
    expect(find(again, '[arrived]') === undefined, 'nothing moves again').to.equal(true);
    Object.assign(globalThis, {matchMedia, requestAnimationFrame});
  });

  it('closes the form for a report with a button or Escape, and opens the instructions again', async () => {
    for (const close of [
      (element: HTMLElement) => press(element, 'Cancel'),
      (element: HTMLElement) =>
        void find(element, '#amount')?.dispatchEvent(
          new KeyboardEvent('keydown', {key: 'Escape', bubbles: true, composed: true}),
        ),
    ]) {
      const element = await toCode(await TestWorker.start());
      await press(element, 'I left out the code');
      await until('the focus in the form', () => focused()?.textContent === 'Forgot to include the code?');
      await until('the form', () => find(element, '#amount'));
      expect(isClosed(element)).to.equal(true);
      await close(element);
      await until('the focus on the opener', () => focused()?.matches('button.forgotten'));
      expect(find(element, 'vezne-payment-notice')).to.equal(undefined);
      expect(isClosed(element)).to.equal(false);
      expect(text(element)).to.include('I’ve sent the money');
    }
  });

  it('keeps a form with text open on Escape, and never lets Escape close a dialog of the page', async () => {
    const element = await toCode(await TestWorker.start());
    const reached = record(document.body, 'keydown');
    await press(element, 'I left out the code');
    const escape = async (init: KeyboardEventInit = {}): Promise<boolean> => {
      const field = await until('the form', () => find(element, '#amount'));
      return field.dispatchEvent(
        new KeyboardEvent('keydown', {key: 'Escape', bubbles: true, composed: true, cancelable: true, ...init}),
      );
    };
    expect(await escape({isComposing: true})).to.equal(true);
    expect(await escape()).to.equal(false);
    expect(reached).to.have.length(1);
    await press(element, 'I left out the code');
    await typeInto(element, '#amount', '149');
    // The event of a field has to cross the shadow root of the form.
    find(element, '#amount')?.dispatchEvent(new InputEvent('input', {bubbles: true, composed: true}));
    expect(await escape()).to.equal(false);
    expect(reached).to.have.length(1);
    await press(element, 'Cancel');
    await until('the form is closed', () => !find(element, 'vezne-payment-notice'));
  });

  it('immediately says that a submitted report is being checked, and focuses this title', async () => {
    const worker = await TestWorker.start({payment: {...PAYMENTS.waiting, notice: NOTICE}});
    returnFrom('done');
    const element = await toCode(worker);
    await untilText(element, 'Checking your report');
    await until('the focus', () => focused()?.textContent === 'Checking your report');
    expect(text(element)).not.to.include('arrive instantly');
    // The code is closed, because the shopper must not send the money again.
    expect(isClosed(element)).to.equal(true);
    expect(text(element)).not.to.include('Send the money from your bank').and.not.to.include('I left out the code');
  });

  it('checks a report for some seconds only, and lets the shopper repeat a report that was never confirmed', async () => {
    const time = new FakeTime();
    const clocks = new Clocks();
    try {
      const worker = await TestWorker.start({payment: {...PAYMENTS.waiting, notice: NOTICE}});
      returnFrom('done');
      const element = await toCode(worker);
      await untilText(element, 'Checking your report');
      const nextCheck = async (ms: number): Promise<void> => {
        const delay = await until('the timer', () => time.delays.find((each) => each > ms * 0.9 && each <= ms));
        clocks.putForward(ms);
        time.pass(delay);
      };
      await nextCheck(30_000);
      // The platform says that it does not have the report, so the page must not say that the report is in use.
      await untilText(element, 'This page updates automatically when your money arrives. Don’t send it again.');
      expect(text(element)).not.to.include('your report').and.not.to.include('a few seconds');
      await nextCheck(3_600_000);
      await untilText(element, 'Finish your report');
      expect(isClosed(element)).to.equal(true);
    } finally {
      clocks.release();
      time.release();
    }
  });

  it('knows after a reload that the shopper has submitted the report', async () => {
    const worker = await TestWorker.start({payment: {...PAYMENTS.waiting, notice: NOTICE}});
    returnFrom('done');
    const element = await toCode(worker);
    await untilText(element, 'Checking your report');
    expect(location.search).to.equal('');
    const again = reload(element, worker);
    await untilText(again, 'Checking your report');
    expect(text(again)).not.to.include('hasn’t arrived yet').and.not.to.include('I left out the code');
  });

  it('does not believe a return URL if the Worker knows no payment notice', async () => {
    const worker = await TestWorker.start();
    returnFrom('done');
    const element = await toCode(worker);
    await untilText(element, 'I left out the code');
    expect(text(element)).to.include('Waiting for your transfer').and.not.to.include('Don’t send');
  });

  it('asks for the rest after reported money has arrived, even if the page moves the checkout', async () => {
    const worker = await TestWorker.start({payment: {...PAYMENTS.waiting, notice: NOTICE}});
    returnFrom('done');
    const element = await toCode(worker);
    await untilText(element, 'Checking your report');
    await worker.send({...PAYMENTS.partial, notice: {...NOTICE, sent: true}});
    await untilText(element, 'We’re looking for your payment');
    await worker.send(PAYMENTS.partial);
    await untilText(element, 'Send the rest in one transfer with the same code.');
    const place = show('<div tabindex="-1"></div>');
    place.focus();
    place.append(element);
    await worker.send({...PAYMENTS.partial, paid: '120.00', remaining: '29.90'});
    await untilText(element, '₺120.00 received, ₺29.90 to go Send the rest in one transfer with the same code.');
    expect(focused()).to.equal(place);
  });
});
