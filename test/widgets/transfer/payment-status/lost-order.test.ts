/** An order whose session has ended, so that the page can no longer read its payment. */

import {expect} from '@open-wc/testing/pure';
import {PAYMENTS, session} from '../../stub-worker/answers.ts';
import {find, show, text, until, untilText} from '../../support/page.ts';
import {chooseBank} from '../../support/shopper.ts';
import {TestWorker} from '../../support/test-worker.ts';

const LOST = 'You can no longer track this order here';

async function toCode(worker: TestWorker): Promise<HTMLElement> {
  const element = show(`<vezne-checkout api="${worker.address}" offer="gold" lang="en"></vezne-checkout>`);
  await chooseBank(element, 'Toros');
  await untilText(element, '881200450017');
  await until('the socket', async () => (await worker.sockets()) === 1);
  return element;
}

/** Makes the Worker reject the session of the order. */
async function endSession(worker: TestWorker): Promise<void> {
  await worker.script({token: 'a.b.another'});
  await worker.dropSockets();
}

describe('an order that the page can no longer read', () => {
  it('shows the remaining amount, not the whole one, after a part of the money', async () => {
    const worker = await TestWorker.start({payment: PAYMENTS.partial});
    const element = await toCode(worker);
    await untilText(element, '₺49.90 to go');
    await endSession(worker);
    await untilText(element, `${LOST} We’ve received ₺100.00.`);
    expect(text(element)).not.to.match(/start a new payment/i);
    const code = find(element, 'vezne-payment-code') as Element;
    await untilText(code, 'Remaining amount ₺49.90 Copy');
    expect(text(code)).not.to.match(/149\.90|full amount/);
  });

  for (const [name, markup] of [
    ['vezne-checkout', '<vezne-checkout'],
    ['vezne-payment-code', '<vezne-payment-code bank="toros"'],
  ] as const)
    it(`is shown by ${name} even if another tab has started another order since`, async () => {
      const worker = await TestWorker.start();
      const checkout = await toCode(worker);
      await untilText(checkout, 'Waiting for your transfer');
      checkout.remove();
      const element = show(`${markup} api="${worker.address}" offer="gold" lang="en"></${name}>`);
      await untilText(element, '881200450017');
      localStorage[`vezne ${worker.address} gold`] = JSON.stringify({
        session: session({token: 'a.b.of-other-tab'}),
        step: 'bank',
      });
      await endSession(worker);
      await untilText(element, LOST);
      expect(text(element)).to.include('881200450017').and.to.include('Start a new payment');
      expect(text(element)).not.to.include('This page updates automatically');
    });
});
