/** Where the focus moves when the page changes, for shoppers who use a keyboard or a screen reader. */

import {expect} from '@open-wc/testing/pure';
import {PAYMENTS} from './stub-worker/answers.ts';
import {find, focused, show, text, until, untilText} from './support/page.ts';
import {chooseBank, press} from './support/shopper.ts';
import {TestWorker} from './support/test-worker.ts';

/** Focuses the copy button, as if the shopper had just copied the code. */
async function focusCopy(within: Element): Promise<void> {
  (await until('the button', () => find(within, 'button.copy'))).focus();
  expect(text(focused() as Element)).to.equal('Copy the code');
}

describe('the focus', () => {
  it('moves to the payment status when the money arrives and the focused code disappears', async () => {
    const worker = await TestWorker.start();
    const element = show(`<vezne-checkout api="${worker.address}" offer="gold" lang="en"></vezne-checkout>`);
    await chooseBank(element, 'Toros');
    await untilText(element, 'Waiting for your transfer');
    await focusCopy(element);
    await worker.send(PAYMENTS.paid);
    await untilText(element, 'Payment received');
    await until('the title', () => focused()?.localName === 'h2');
    expect(text(focused() as Element)).to.equal('Payment received');
  });

  it('moves to the outcome when the money arrives, in a vezne-payment-code outside a checkout', async () => {
    const worker = await TestWorker.start();
    const element = show(
      `<vezne-payment-code api="${worker.address}" offer="gold" bank="toros" lang="en"></vezne-payment-code>`,
    );
    await untilText(element, '881200450017');
    await until('the socket', async () => (await worker.sockets()) === 1);
    await focusCopy(element);
    await worker.send(PAYMENTS.paid);
    await until('the title', () => focused()?.localName === 'h2');
    expect(text(focused() as Element)).to.equal('Payment received');
  });

  it('stays in a field of the merchant’s page when the money arrives', async () => {
    const worker = await TestWorker.start();
    const page = show(
      `<div><input><vezne-checkout api="${worker.address}" offer="gold" lang="en"></vezne-checkout></div>`,
    );
    await chooseBank(page, 'Toros');
    await untilText(page, 'Waiting for your transfer');
    find(page, 'input')?.focus();
    await worker.send(PAYMENTS.paid);
    await untilText(page, 'Payment received');
    expect(focused()).to.equal(find(page, 'input'));
  });

  it('stays in the element when the shopper retries a failed request', async () => {
    const worker = await TestWorker.start({faults: {banks: {kind: 'problem', code: 'temporarily_unavailable'}}});
    const element = show(`<vezne-bank-list api="${worker.address}" offer="gold" lang="en"></vezne-bank-list>`);
    await untilText(element, 'Try again');
    await worker.fault('banks', {kind: 'held'});
    find(element, '.problem button')?.focus();
    await press(element, 'Try again');
    await until('the skeleton', () => find(element, '.skeleton-list'));
    expect(focused()).to.equal(find(element, '.base'));
    await worker.release();
    await untilText(element, 'Toros');
    expect(focused()).to.equal(find(element, '.base'));
  });
});
