import {expect} from '@open-wc/testing';
import '../../../../widgets/bundles/subscription.ts';
import type {CancelEvent} from '../../../../widgets/subscription/manage/vezne-subscription.ts';
import {subscription} from '../../stub-worker/answers.ts';
import type {Script} from '../../stub-worker/script.ts';
import {find, press, record, show, text, until, untilText} from '../../support/page.ts';
import {TestWorker} from '../../support/test-worker.ts';

async function open(script: Partial<Script> = {}, lang = 'en'): Promise<{worker: TestWorker; element: HTMLElement}> {
  const worker = await TestWorker.start(script);
  const element = show(
    `<vezne-subscription api="${worker.address}" session="management-session" lang="${lang}"></vezne-subscription>`,
  );
  return {worker, element};
}

describe('vezne-subscription', () => {
  it('shows the subscription and its state', async () => {
    const {worker, element} = await open({}, 'tr');
    await untilText(element, 'Aboneliği iptal et');
    expect(text(element)).to.equal(
      'Aboneliğiniz Etkin Numara 0532 *** ** 67 Ücret ₺12,00 / hafta Başlangıç 21 Kas 2026 15:42 Sonraki ödeme 21 Kas 2026 15:42 Aboneliği iptal et',
    );
    expect((await worker.calls('subscription'))[0]?.authorization).to.equal('Bearer management-session');
  });

  it('cancels the subscription after a confirmation, and dispatches an event to the page', async () => {
    const {worker, element} = await open();
    const events = record<CancelEvent>(element, 'vezne-cancel');
    await press(element, 'Cancel subscription');
    await untilText(element, 'Cancel your subscription?');
    await until('the focus', () => element.shadowRoot?.activeElement?.id === 'question');
    await press(element, 'Yes, cancel it');
    await until('the card', () => text(element).startsWith('Your subscription is cancelled'));
    expect(text(element)).to.match(
      /charged again\. Number 0532 \*\*\* \*\* 67 Price ₺12\.00 a week Started .* Cancelled on \d.* Paid until 21 Nov 2026/,
    );
    await until('the focus', () => find(element, 'h2:focus'));
    expect(events.map((event) => event.subscription.state)).to.deep.equal(['cancelled']);
    expect(await worker.calls('cancel')).to.have.length(1);
  });

  it('cancels nothing when the shopper declines the confirmation', async () => {
    const {worker, element} = await open();
    await press(element, 'Cancel subscription');
    await press(element, 'No, keep my subscription');
    await until('the focus on the button that asked', () => find(element, '#cancel:focus'));
    await press(element, 'Cancel subscription');
    await until('the focus', () => element.shadowRoot?.activeElement?.id === 'question');
    element.shadowRoot?.activeElement?.dispatchEvent(new KeyboardEvent('keydown', {key: 'Escape', bubbles: true}));
    await until('the focus on the button that asked', () => find(element, '#cancel:focus'));
    expect(await worker.calls('cancel')).to.deep.equal([]);
  });

  it('offers no cancellation for a cancelled subscription', async () => {
    const {element} = await open({
      subscription: subscription({state: 'cancelled', cancelled_at: '2026-11-21T15:42:00+03:00'}),
    });
    await untilText(element, 'Cancelled');
    expect(find(element, 'button')).to.equal(undefined);
  });

  it('omits details that the platform does not report', async () => {
    const {element} = await open({
      subscription: subscription({
        state: 'unknown',
        msisdn: null,
        price: null,
        period: null,
        subscribed_at: null,
        renews_at: null,
      }),
    });
    await untilText(element, 'Cancel subscription');
    expect(text(element)).to.equal('Your subscription Status unknown Cancel subscription');
  });

  it('reads the subscription again if it is not known whether it was cancelled', async () => {
    const {worker, element} = await open({faults: {cancel: {kind: 'problem', code: 'outcome_unknown'}}});
    await press(element, 'Cancel subscription');
    await worker.script({subscription: subscription({state: 'cancelled'})});
    await press(element, 'Yes, cancel it');
    await untilText(element, 'We don’t know yet');
    await untilText(element, 'Cancelled');
    expect(await worker.calls('subscription')).to.have.length(2);
  });

  it('tells the subscriber if the session has expired', async () => {
    const {element} = await open({faults: {subscription: {kind: 'problem', code: 'session_expired'}}});
    await untilText(element, 'This page has expired');
  });
});
