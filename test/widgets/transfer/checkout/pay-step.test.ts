/** The checkout's second step, which shows the order code and the payment status. */

import {expect} from '@open-wc/testing/pure';
import type {LitElement} from 'lit';
import type {OrderCodeEvent} from '../../../../widgets/transfer/payment-code/vezne-payment-code.ts';
import {PAYMENTS, bankList, orderCode, session} from '../../stub-worker/answers.ts';
import {announcements, find, findAll, focused, record, show, text, until, untilText} from '../../support/page.ts';
import {chooseBank, press} from '../../support/shopper.ts';
import {SELLER, openedByLink, refused} from '../../support/states/state.ts';
import {TestWorker} from '../../support/test-worker.ts';

async function toCode(worker: TestWorker): Promise<HTMLElement> {
  const element = show(`<vezne-checkout api="${worker.address}" offer="gold" lang="en"></vezne-checkout>`);
  await chooseBank(element, 'Toros');
  await untilText(element, 'Waiting for your transfer');
  return element;
}

describe('the payment step of vezne-checkout', () => {
  it('dispatches vezne-order-code once, even if the instructions close and open and the bank changes', async () => {
    const worker = await TestWorker.start();
    const codes = record<OrderCodeEvent>(document.body, 'vezne-order-code');
    const payments = record(document.body, 'vezne-payment');
    const element = await toCode(worker);
    await press(element, 'I’ve sent the money');
    await untilText(element, 'Don’t send it again.');
    await worker.send(PAYMENTS.partial);
    await untilText(element, '₺49.90 to go Send the rest in one transfer with the same code. Enter only this');
    await press(element, 'Change');
    await chooseBank(element, 'Yayla');
    await untilText(element, 'Yayla Katılım');
    await until('the status', () => find(element, 'progress'));
    expect(codes.map((event) => event.orderCode.order_code)).to.deep.equal(['881200450017']);
    expect(payments.length).to.be.greaterThan(1);
  });

  it('moves the focus to the status when the shopper says that the money is sent', async () => {
    const element = await toCode(await TestWorker.start());
    findAll(element, 'button')
      .find((each) => text(each) === 'I’ve sent the money')
      ?.focus();
    await press(element, 'I’ve sent the money');
    await untilText(element, 'Don’t send it again.');
    await until('the focus', () => text(focused() as Element) === 'Waiting for your transfer');
  });

  it('requests the code of a new payment with the bank that the shopper chooses for this payment', async () => {
    const worker = await TestWorker.start({payment: PAYMENTS.expired});
    const element = show(`<vezne-checkout api="${worker.address}" offer="gold" lang="en"></vezne-checkout>`);
    await chooseBank(element, 'Toros');
    await untilText(element, 'I haven’t paid, start a new payment');
    await worker.script({
      payment: PAYMENTS.waiting,
      session: session({token: 'header.eyJvcmRlciI6IlAtMTAwOSJ9.signature-two'}),
    });
    await press(element, 'I haven’t paid, start a new payment');
    await chooseBank(element, 'Çınar');
    await untilText(element, 'Waiting for your transfer');
    const banks = (await worker.calls('code')).map(({body}) => (body as {bank?: string}).bank);
    expect(banks).to.deep.equal(['toros', 'cinar']);
  });

  it('if there is no account, offers to choose a bank, and no button to report that the money is sent', async () => {
    const worker = await TestWorker.start({code: orderCode({account: null}), banks: bankList([])});
    openedByLink();
    const opened = show(`<vezne-checkout api="${worker.address}" offer="gold" lang="en"></vezne-checkout>`);
    await press(opened, 'Open the order');
    const button = await until('the button', () => find(opened, '[slot=account]'));
    expect([text(button), button.className]).to.deep.equal(['Choose a bank', 'button']);
    expect(text(opened)).not.to.include('I’ve sent the money').and.not.to.include('Open on a phone');
  });

  it('names the seller and asks for no money if the order code is refused, until a retry succeeds', async () => {
    const faults = {code: refused('platform_refused')};
    const worker = await TestWorker.start({faults, code: orderCode({seller: SELLER})});
    const element = show(`<vezne-checkout api="${worker.address}" offer="gold" lang="en"></vezne-checkout>`);
    await chooseBank(element, 'Toros');
    await untilText(element, 'Contact the seller');
    expect(text(element)).not.to.include('Send the money from your bank');
    await worker.fault('code', undefined);
    await press(element, 'Try again');
    await untilText(element, 'Waiting for your transfer');
    expect(text(element)).to.include('Send the money from your bank');
  });

  it('says once that the device is offline', async () => {
    const worker = await TestWorker.start();
    const element = await toCode(worker);
    await until('the socket', async () => (await worker.sockets()) === 1);
    Object.defineProperty(navigator, 'onLine', {value: false, configurable: true});
    try {
      await worker.script({sockets: 'refused', faults: {payment: {kind: 'reset'}}});
      await worker.dropSockets();
      dispatchEvent(new Event('offline'));
      await untilText(element, 'You’re offline You can still pay with these details');
      await until('the request that fails', async () => (await worker.calls('payment')).length > 0);
      const status = find(element, 'vezne-payment-status') as LitElement;
      status.requestUpdate();
      await status.updateComplete;
      expect(text(element)).not.to.include('Connection lost.').and.not.to.include('updates automatically');
      expect(announcements(element).filter((each) => /offline|Connection/i.test(each))).to.have.length(1);
    } finally {
      Reflect.deleteProperty(navigator, 'onLine');
    }
  });
});
