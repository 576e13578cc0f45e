/** The code and the status change places in the checkout, but stay the same elements. */

import {expect} from '@open-wc/testing';
import type {OrderCodeEvent} from '../../../../widgets/transfer/payment-code/vezne-payment-code.ts';
import {PAYMENTS} from '../../stub-worker/answers.ts';
import {chooseBank, find, findAll, focused, press, record, show, text, until, untilText} from '../../support/page.ts';
import {TestWorker} from '../../support/test-worker.ts';

async function toCode(worker: TestWorker): Promise<HTMLElement> {
  const element = show(`<vezne-checkout api="${worker.address}" offer="gold" lang="en"></vezne-checkout>`);
  await chooseBank(element, 'Toros');
  await untilText(element, 'Waiting for your transfer');
  return element;
}

const order = (element: Element) =>
  findAll(element, 'vezne-payment-code, vezne-payment-status').map(({localName}) => localName);

describe('the payment step of vezne-checkout', () => {
  it('announces the order code once, and keeps an open QR code, when the instructions close and open', async () => {
    const worker = await TestWorker.start();
    const codes = record<OrderCodeEvent>(document.body, 'vezne-order-code');
    const payments = record(document.body, 'vezne-payment');
    const element = await toCode(worker);
    const parts = [find(element, 'vezne-payment-code'), find(element, 'vezne-payment-status')];
    expect(order(element)).to.deep.equal(['vezne-payment-code', 'vezne-payment-status']);
    await press(element, 'Open on a phone');
    await until('the QR code', () => find(element, 'svg.qr'));
    await press(element, 'I’ve sent the money');
    await untilText(element, 'Don’t send it again.');
    expect(order(element)).to.deep.equal(['vezne-payment-status', 'vezne-payment-code']);
    await worker.send(PAYMENTS.partial);
    await untilText(element, 'Send the rest with the same code.');
    expect(order(element)).to.deep.equal(['vezne-payment-code', 'vezne-payment-status']);
    expect([find(element, 'vezne-payment-code'), find(element, 'vezne-payment-status')]).to.deep.equal(parts);
    await until('the QR code again', () => find(element, 'svg.qr'));
    expect(codes).to.have.length(1);
    expect(payments).to.have.length(2);
  });

  it('moves the focus to the status when the shopper has sent the money', async () => {
    const element = await toCode(await TestWorker.start());
    findAll(element, 'button')
      .find((each) => text(each) === 'I’ve sent the money')
      ?.focus();
    await press(element, 'I’ve sent the money');
    await untilText(element, 'Don’t send it again.');
    await until('the focus', () => text(focused() as Element) === 'Waiting for your transfer');
    await find<HTMLElement & {updateComplete: Promise<boolean>}>(element, 'vezne-payment-code')?.updateComplete;
    expect(text(focused() as Element)).to.equal('Waiting for your transfer');
  });
});
