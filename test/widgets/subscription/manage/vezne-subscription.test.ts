import {expect} from '@open-wc/testing/pure';
import '../../../../widgets/bundles/subscription.ts';
import type {CancelEvent} from '../../../../widgets/subscription/manage/vezne-subscription.ts';
import {RENEWAL, STARTED, subscription} from '../../stub-worker/answers.ts';
import type {Script} from '../../stub-worker/script.ts';
import {announcements, find, findAll, record, show, text, until, untilText} from '../../support/page.ts';
import {press} from '../../support/shopper.ts';
import {SELLER} from '../../support/states/state.ts';
import {TestWorker} from '../../support/test-worker.ts';

/** How the element shows the contacts of `SELLER`. */
const CONTACTS = 'Seller: Fener Atölyesi Contact the seller E-mail the seller Call the seller: 0850 000 00 00';

async function open(script: Partial<Script> = {}, lang = 'en'): Promise<{worker: TestWorker; element: HTMLElement}> {
  const worker = await TestWorker.start(script);
  const element = show(
    `<vezne-subscription api="${worker.address}" session="management-session" lang="${lang}"></vezne-subscription>`,
  );
  return {worker, element};
}

/** The date of an instant, as the element writes it. */
const day = (instant: string | number, locale = 'en-GB') =>
  new Intl.DateTimeFormat(locale, {dateStyle: 'medium', timeZone: 'Europe/Istanbul'}).format(new Date(instant));
/** What a tab remembers of a subscription that has started. */
const savedStart = (msisdn: string) => JSON.stringify({startedAt: '2026-11-21T15:42:00+03:00', msisdn});
/** The text below the card, if it is visible. */
const nextStep = (element: Element) => {
  const shown = find(element, 'slot[name=cancelled] p');
  return shown?.checkVisibility() && text(shown);
};

describe('vezne-subscription', () => {
  it('shows the subscription and its state', async () => {
    const {worker, element} = await open({}, 'tr');
    await untilText(element, 'Aboneliği iptal et');
    expect(text(element)).to.equal(
      `Aboneliğiniz Aktif Ücret ₺12,00 / hafta Numara 0532 *** ** 67 Başlangıç ${day(STARTED, 'tr')} Sonraki ödeme ${day(RENEWAL, 'tr')} Aboneliği iptal et`,
    );
    expect((await worker.calls('subscription'))[0]?.authorization).to.equal('Bearer management-session');
  });

  it('shows a trial that is running', async () => {
    const {element} = await open({subscription: subscription({trial_days: 1})}, 'tr');
    await untilText(element, 'Aktif Ücret 1 gün ücretsiz, sonra haftalık ₺12,00 Numara');
    element.lang = 'en';
    await untilText(element, 'Active Price ₺12.00 a week, first day free Number');
  });

  it('asks again whether to cancel if the page sets another session', async () => {
    const {worker, element} = await open();
    await press(element, 'Cancel subscription');
    await untilText(element, 'Yes, cancel');
    await worker.script({subscription: subscription({msisdn: '544*****11'})});
    Object.assign(element, {session: 'another-session'});
    await untilText(element, '0544');
    expect(text(element)).not.to.include('Yes, cancel');
    expect(await worker.calls('cancel')).to.deep.equal([]);
  });

  it('cancels the subscription after a confirmation, and dispatches an event to the page', async () => {
    const {worker, element} = await open();
    const events = record<CancelEvent>(element, 'vezne-cancel');
    await press(element, 'Cancel subscription');
    await untilText(element, 'Cancel your subscription?');
    await until('the focus', () => element.shadowRoot?.activeElement?.id === 'question');
    await press(element, 'Yes, cancel it');
    await until('the card', () => text(element).startsWith('Your subscription is cancelled'));
    expect(text(element)).to.equal(
      'Your subscription is cancelled You won’t be charged again. ' +
        `Price ₺12.00 a week Number 0532 *** ** 67 Started ${day(STARTED)} Cancelled ${day(Date.now())} Period ends ${day(RENEWAL)}`,
    );
    expect(nextStep(element)).to.equal('To subscribe again, go to the seller’s page.');
    await until('the focus', () => find(element, 'h2:focus'));
    expect(events.map((event) => event.subscription.state)).to.deep.equal(['cancelled']);
    expect(await worker.calls('cancel')).to.have.length(1);
  });

  it('lets the shopper subscribe again after a cancellation, in the tab in which the subscription started', async () => {
    const {worker, element} = await open();
    const keys = ['club', 'news', 'other'].map((offer) => `vezne pin ${worker.address} ${offer}`);
    const values = [savedStart('532*****67'), '{"enrollee":{}}', savedStart('533*****00')];
    for (const [index, key] of keys.entries()) sessionStorage[key] = values[index];
    await press(element, 'Cancel subscription');
    await press(element, 'Yes, cancel it');
    await untilText(element, 'Your subscription is cancelled');
    expect(keys.map((key) => sessionStorage[key] as string | undefined)).to.deep.equal([undefined, ...values.slice(1)]);
    for (const key of keys) delete sessionStorage[key];
  });

  it('cancels nothing when the shopper declines the confirmation', async () => {
    const {worker, element} = await open();
    await press(element, 'Cancel subscription');
    await press(element, 'No, keep it');
    await until('the focus on the button that asked', () => find(element, '#cancel:focus'));
    await press(element, 'Cancel subscription');
    await until('the focus', () => element.shadowRoot?.activeElement?.id === 'question');
    element.shadowRoot?.activeElement?.dispatchEvent(new KeyboardEvent('keydown', {key: 'Escape', bubbles: true}));
    await until('the focus on the button that asked', () => find(element, '#cancel:focus'));
    expect(await worker.calls('cancel')).to.deep.equal([]);
  });

  it('shows the card of a subscription that was cancelled earlier, and offers no cancellation', async () => {
    const {element} = await open({
      subscription: subscription({state: 'cancelled', cancelled_at: '2026-11-22T15:42:00+03:00'}),
      seller: SELLER,
    });
    await untilText(element, 'Your subscription is cancelled');
    await until('the next step', () => nextStep(element));
    await until('the contacts', () => findAll(element, 'vezne-seller-contacts').map(text).join() === CONTACTS);
    expect(text(element)).to.equal(
      'Your subscription is cancelled You won’t be charged again. Price ₺12.00 a week Number 0532 *** ** 67 ' +
        `Started ${day(STARTED)} Cancelled 22 Nov 2026`,
    );
    expect(find(element, 'button')).to.equal(undefined);
  });

  it('shows the page’s own title and the page’s link to subscribe again, instead of the default text', async () => {
    const worker = await TestWorker.start({subscription: subscription({state: 'cancelled'})});
    const element = show(
      `<vezne-subscription api="${worker.address}" session="management-session" lang="en"><b slot="title">Club</b><a slot="cancelled" href="/club">Join again</a></vezne-subscription>`,
    );
    await untilText(element, 'Your subscription is cancelled');
    const visible = [...element.children].map((child) => child.getBoundingClientRect().height > 0);
    expect(visible).to.deep.equal([true, true]);
    expect(nextStep(element)).to.equal(false);
  });

  const states = {
    retry: 'Payment failed We’ll try the payment again. Check your balance and spending limit.',
    suspend: 'Paused Your subscription is paused because a payment failed. To resume it, contact the seller.',
    rejected:
      'Not approved Your operator didn’t approve this subscription, so it never started and you weren’t charged. Ask your operator why, or contact the seller.',
    unknown: 'We can’t see your subscription’s status right now. Check again later, or cancel it.',
  } as const;
  for (const [state, message] of Object.entries(states)) {
    it(`says what the subscriber can do in the state ${state}, and offers to cancel unless rejected`, async () => {
      const {element} = await open({subscription: subscription({state: state as keyof typeof states}), seller: SELLER});
      await untilText(element, message);
      if (state === 'retry') expect(find(element, 'vezne-seller-contacts')).to.equal(undefined);
      else await untilText(element, CONTACTS);
      expect(find(element, '#cancel') === undefined).to.equal(state === 'rejected');
    });
  }

  it('shows no payment date that has passed', async () => {
    const {element} = await open({
      subscription: subscription({state: 'retry', renews_at: '2026-01-01T15:42:00+03:00'}),
    });
    await untilText(element, `Started ${day(STARTED)} Cancel subscription`);
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
    expect(text(element)).to.equal(
      'Your subscription We can’t see your subscription’s status right now. Check again later, or cancel it. Cancel subscription',
    );
  });

  it('reads the subscription again after a cancellation with an unknown outcome, and reports that it is cancelled', async () => {
    const {worker, element} = await open({faults: {cancel: {kind: 'problem', code: 'outcome_unknown'}}});
    const events = record<CancelEvent>(element, 'vezne-cancel');
    await press(element, 'Cancel subscription');
    await worker.script({subscription: subscription({state: 'cancelled'})});
    await press(element, 'Yes, cancel it');
    await untilText(element, 'Your subscription is cancelled');
    await until('the focus', () => find(element, 'h2:focus'));
    expect(await worker.calls('subscription')).to.have.length(2);
    expect(events.map((event) => event.subscription.state)).to.deep.equal(['cancelled']);
  });

  it('says that the subscriber must wait if a limit refuses the cancellation, and keeps the subscription', async () => {
    const {element} = await open({faults: {cancel: {kind: 'problem', code: 'rate_limited', retryAfter: 60}}});
    await press(element, 'Cancel subscription');
    await press(element, 'Yes, cancel it');
    await untilText(element, 'Please wait a moment Your subscription wasn’t cancelled this time.');
    expect(text(element)).to.match(/^Your subscription Active .* Try again in a moment\. Cancel subscription$/);
  });

  const ends = {
    session_expired: ['This page has expired', 'Reload it to start again.', 'Reload the page'],
    subscription_not_found: [
      'We couldn’t find your subscription',
      'The seller can check it for you.',
      'Contact the seller',
    ],
    already_cancelled: ['This subscription is already cancelled', 'There’s nothing more to do.', undefined],
  } as const;
  for (const [code, [title, sentence, step]] of Object.entries(ends)) {
    it(`shows a card with ${step ? 'one' : 'no'} next step after the error ${code}, and dispatches an event`, async () => {
      const worker = await TestWorker.start({
        seller: SELLER,
        faults: {subscription: {kind: 'problem', code: code as keyof typeof ends}},
      });
      const errors = record<Event & {code: string}>(document.body, 'vezne-error');
      const element = show(
        `<vezne-subscription api="${worker.address}" session="management-session" lang="en"></vezne-subscription>`,
      );
      await until('the card', () => text(element) === `${title} ${sentence}` && (!step || find(element, '.button')));
      expect(find(element, '.result')?.classList.contains('stopped')).to.equal(true);
      expect(findAll(element, 'button, .button').map(text)).to.deep.equal(step ? [step] : []);
      expect(announcements(element)).to.deep.equal([title]);
      expect(errors.map((event) => event.code)).to.deep.equal([code]);
    });
  }

  it('shows the contacts of the seller if the platform refuses to show the subscription', async () => {
    const {element} = await open({seller: SELLER, faults: {subscription: {kind: 'problem', code: 'platform_refused'}}});
    await untilText(
      element,
      'tell the seller. Error code: platform_refused. Your subscription isn’t affected. Try again',
    );
    await untilText(element, CONTACTS);
  });

  it('says that the subscription is not cancelled if the cancellation failed, and how else to cancel it', async () => {
    const {worker, element} = await open({faults: {cancel: {kind: 'problem', code: 'temporarily_unavailable'}}});
    const messages = {
      temporarily_unavailable: 'We couldn’t cancel your subscription The payment service isn’t responding.',
      misconfigured: 'We couldn’t cancel your subscription Try again in a moment.',
      cannot_cancel: 'It hasn’t been cancelled. Try again later, or cancel as described in your operator’s text',
      internal: 'if it’s cancelled',
    } as const;
    for (const [code, message] of Object.entries(messages)) {
      await worker.fault('cancel', {kind: 'problem', code: code as keyof typeof messages});
      await press(element, 'Cancel subscription');
      await press(element, 'Yes, cancel it');
      await untilText(element, message);
    }
  });

  it('tells the subscriber how to find out whether the subscription is cancelled, and mentions no charge', async () => {
    const {element} = await open({seller: SELLER, faults: {cancel: {kind: 'problem', code: 'outcome_unknown'}}});
    await press(element, 'Cancel subscription');
    await press(element, 'Yes, cancel it');
    await untilText(element, 'If you got a text about the cancellation, it’s cancelled.');
    await untilText(element, CONTACTS);
    const links = findAll<HTMLAnchorElement>(element, 'a.link').map(({href}) => href);
    expect(links).to.deep.equal([
      'https://shop.example/help',
      'mailto:help@shop.example?subject=Subscription%3A%20900719925474099312',
      'tel:08500000000',
    ]);
    // Neither the badge nor the next payment says that it is still active.
    expect(text(element)).to.not.match(/charged|Active|Next payment/);
  });
});
