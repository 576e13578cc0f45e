/**
 * Tests the human check before an order. Above a limit, the Worker requires the check. The element continues when the
 * shopper has passed it.
 */

import {expect} from '@open-wc/testing/pure';
import '../../../../widgets/bundles/hosted.ts';
import type {RedirectEvent} from '../../../../widgets/transfer/pay-button/hosted-pages.ts';
import {session} from '../../stub-worker/answers.ts';
import type {Operation} from '../../stub-worker/script.ts';
import {installFakeTurnstile} from '../../support/fake-turnstile.ts';
import {find, findAll, focused, record, show, until, untilText} from '../../support/page.ts';
import {chooseBank, press, typeInto} from '../../support/shopper.ts';
import {TestWorker} from '../../support/test-worker.ts';

const human_check = {sitekey: '1x00000000000000000000AA', action: 'order'};
const required = {kind: 'problem', code: 'human_check_required'} as const;

/** Shows an element whose Worker requires the human check before `operation`. */
async function open(markup: (attributes: string) => string, operation: Operation) {
  const worker = await TestWorker.start({session: session({human_check}), faults: {[operation]: required}});
  const element = show(markup(`api="${worker.address}" offer="gold" lang="en"`));
  element.addEventListener('vezne-redirect', (event) => event.preventDefault());
  return {worker, element, redirects: record<RedirectEvent>(element, 'vezne-redirect')};
}

/** The token of the human check in each request. The number in the fake's token is replaced with `n`. */
async function sentTokens(worker: TestWorker, operation: Operation): Promise<(string | undefined)[]> {
  const calls = await worker.calls(operation);
  return calls.map(({body}) => (body as {human?: string}).human?.replace(/\d+/, 'n'));
}

const findCheck = (element: Element): HTMLElement | undefined => findAll(element, '[slot=human-check] button')[0];
const untilCheck = (element: Element) => until('the check', () => findCheck(element));

beforeEach(() => sessionStorage.clear());

async function sendNotice(element: Element): Promise<void> {
  await untilText(element, 'Report my payment');
  await typeInto(element, '[name=bank]', 'toros');
  await typeInto(element, '[name=amount]', '149,90');
  await typeInto(element, '[name=when]', '2026-11-20T09:30');
  await typeInto(element, '[name=name]', 'Deniz Örnek');
  await press(element, 'Report my payment');
}

describe('the human check before an order', () => {
  // This must be the first test, because a page loads the script of the check only once.
  it('shows only that the check could not be loaded, in the language of the page, and loads it again', async () => {
    installFakeTurnstile({loads: false});
    const {element} = await open((attributes) => `<vezne-payment-code ${attributes}></vezne-payment-code>`, 'code');
    await untilText(
      element,
      'The check didn’t go through Check your connection and try again. No money has left your account. Try again',
    );
    expect(findAll(element, '[role=alert]')).to.have.length(1);
    element.lang = 'tr';
    await untilText(element, 'Bağlantınızı kontrol edip yeniden deneyin. Hesabınızdan para çıkmadı.');
    installFakeTurnstile();
    await press(element, 'Yeniden dene');
    await untilCheck(element);
    await untilText(element, 'Robot olmadığınızı doğrulayın');
    expect(findAll(element, '[role=alert]')).to.have.length(1);
    expect(find(element, '.problem:not(.calm)') === undefined).to.equal(true);
  });

  it('appears as a child of the checkout, which shows the code after the check is passed', async () => {
    installFakeTurnstile();
    const {worker, element} = await open((attributes) => `<vezne-checkout ${attributes}></vezne-checkout>`, 'code');
    await chooseBank(element, 'Toros');
    await untilText(element, 'Please confirm you’re human');
    const check = await until('the check', () =>
      element.querySelector<HTMLElement>(':scope > [slot=human-check] button'),
    );
    // Elements are nested, and the check is visible only if each of them passes its slot `human-check` on to the inner
    // element.
    expect(check.getBoundingClientRect().height).to.be.greaterThan(0);
    await worker.fault('code');
    check.click();
    await untilText(element, 'Enter only this as the description');
    expect(await sentTokens(worker, 'code')).to.deep.equal([undefined, 'human-n']);
    await until('the check is removed', () => !findCheck(element));
  });

  it('appears again, with another token, if the Worker rejects the first token', async () => {
    installFakeTurnstile();
    const {worker, element} = await open(
      (attributes) => `<vezne-payment-code ${attributes}></vezne-payment-code>`,
      'code',
    );
    await worker.fault('code', {kind: 'problem', code: 'human_check_failed'});
    (await untilCheck(element)).click();
    await untilText(element, 'The check didn’t go through');
    await until('two requests', async () => (await worker.calls('code')).length === 2);
    await worker.fault('code');
    (await untilCheck(element)).click();
    await untilText(element, 'Enter only this as the description');
    expect(await sentTokens(worker, 'code')).to.deep.equal([undefined, 'human-n', 'human-n']);
  });

  it('can be repeated after Turnstile has reported a failure', async () => {
    installFakeTurnstile();
    const {worker, element} = await open((attributes) => `<vezne-checkout ${attributes}></vezne-checkout>`, 'code');
    await chooseBank(element, 'Toros');
    const check = await untilCheck(element);
    check.focus();
    check.dispatchEvent(new Event('error'));
    await untilText(element, 'The check didn’t go through Check your connection and try again.');
    await until('the focus', () => focused()?.textContent?.trim() === 'Try again');
    expect(findCheck(element)).to.equal(undefined);
    await press(element, 'Try again');
    await worker.fault('code');
    (await untilCheck(element)).click();
    await untilText(element, 'Enter only this as the description');
  });

  for (const [via, operation, label] of [
    ['bank-page', 'bankPage', 'Pay by bank transfer'],
    ['payment-page', 'paymentPage', 'Pay by phone bill'],
  ] as const) {
    it(`is followed by the platform’s ${via} when the shopper has passed it`, async () => {
      installFakeTurnstile();
      const {worker, element, redirects} = await open(
        (attributes) => `<vezne-pay-button via="${via}" ${attributes}></vezne-pay-button>`,
        operation,
      );
      await press(element, label);
      const check = await untilCheck(element);
      await worker.fault(operation);
      check.click();
      await until('the redirect', () => redirects.length > 0);
      expect(await sentTokens(worker, operation)).to.deep.equal([undefined, 'human-n']);
    });
  }

  it('is followed by the shopper’s payment notice when the shopper has passed it', async () => {
    installFakeTurnstile();
    const {worker, element, redirects} = await open(
      (attributes) => `<vezne-payment-notice ${attributes}></vezne-payment-notice>`,
      'notice',
    );
    await sendNotice(element);
    const check = await untilCheck(element);
    await worker.fault('notice');
    check.click();
    await until('the redirect', () => redirects.length > 0);
    expect(await sentTokens(worker, 'notice')).to.deep.equal([undefined, 'human-n']);
    expect(find<HTMLInputElement>(element, '[name=name]')?.value).to.equal('Deniz Örnek');
  });

  it('appears for the payment notice inside the payment status', async () => {
    installFakeTurnstile();
    const {element} = await open(
      (attributes) => `<vezne-payment-status ${attributes}></vezne-payment-status>`,
      'notice',
    );
    await press(element, 'I left out the code');
    await sendNotice(element);
    const check = await untilCheck(element);
    expect(check.getBoundingClientRect().height).to.be.greaterThan(0);
  });
});
