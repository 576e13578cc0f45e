/** All refusals of a subscription, and the message that the page shows for each refusal. */

import {expect} from '@open-wc/testing';
import type {ErrorCode} from '../../../../worker/contract/codes.ts';
import {pinSent} from '../../stub-worker/answers.ts';
import {find, press, record, show, text, typeInto, until, untilText} from '../../support/page.ts';
import {button, enter, fillIn, open, reachPin} from '../../support/pin-page.ts';

describe('vezne-pin-subscribe after a refusal', () => {
  /**
   * Titles of the refusals after which the PIN can still be used: the platform's statuses
   * (`docs/spec/subscriptions.md`, section 7.2) and the Worker's own error codes.
   */
  const titles: Partial<Record<ErrorCode, string>> = {
    pin_wrong: 'The code is wrong',
    platform_refused: 'This could not be done',
    number_token_invalid: 'Your number was not recognised',
    subscription_not_found: 'The subscription was not found',
    already_cancelled: 'This subscription was cancelled already',
    cannot_cancel: 'This subscription cannot be cancelled right now',
    not_eligible: 'This number cannot subscribe',
    already_subscribed: 'This number is subscribed already',
    billing_cap_reached: 'The spending limit of this number is reached',
    test_mode: 'This subscription is not open yet',
    subscription_failed: 'The subscription could not begin',
    landing_not_found: 'This subscription was not found',
    outcome_unknown: 'It is not known yet whether this worked',
    temporarily_unavailable: 'The payment service does not answer right now',
    rate_limited: 'Too many attempts',
  };
  /** Refusals after which the PIN can no longer be used. */
  const pinEndingMessages: Partial<Record<ErrorCode, string>> = {
    pin_expired: 'The code has expired. Ask for a new one.',
    pin_blocked: 'Too many wrong codes. This one no longer counts. Ask for a new one.',
  };
  /** Refusals that are shown beside a field of the number form. */
  const fieldMessages: Partial<Record<ErrorCode, readonly [field: string, message: string]>> = {
    number_invalid: [
      'number',
      'This number cannot be subscribed. Write a Turkish mobile number: ten digits that begin with 5.',
    ],
    operator_invalid: ['operator', 'This number is not with that operator. Choose the operator of your number.'],
  };
  for (const [code, message] of Object.entries(titles)) {
    it(`shows a message after the error ${code}, and keeps the PIN`, async () => {
      const {worker, element} = await open();
      const errors = record<Event & {code: string}>(element, 'vezne-error');
      await reachPin(element);
      await worker.fault('subscribe', {kind: 'problem', code: code as ErrorCode});
      await enter(element, '1234');
      await untilText(element, message);
      expect(find<HTMLInputElement>(element, '#pin')?.value).to.equal('1234');
      expect(errors.map((each) => each.code)).to.deep.equal([code]);
      await worker.fault('subscribe');
      await press(element, 'Start the subscription');
      await untilText(element, 'You are subscribed');
    });
  }

  for (const [code, message] of Object.entries(pinEndingMessages)) {
    it(`stops the countdown and offers another PIN after the error ${code}`, async () => {
      const {worker, element} = await open({
        pin: pinSent({resendInMs: 0}),
        faults: {subscribe: {kind: 'problem', code: code as ErrorCode}},
      });
      await reachPin(element);
      await enter(element, '1234');
      await until(
        'the message without a countdown',
        () => text(element).includes(message) && !text(element).includes('good for another'),
      );
      expect(button(element, 'Start the subscription')?.disabled).to.equal(true);
      expect(find(element, '#pin-left')?.textContent).to.equal('');
      await until('the focus', () => find(element, 'button:focus')?.textContent === 'Send a new code');
      await worker.fault('subscribe');
      await press(element, 'Send a new code');
      await untilText(element, 'good for another');
      await enter(element, '5678');
      await untilText(element, 'You are subscribed');
    });
  }

  it('focuses the title if the PIN is blocked before another PIN can be requested', async () => {
    const {element} = await open({
      pin: pinSent({resendInMs: 45_000}),
      faults: {subscribe: {kind: 'problem', code: 'pin_blocked'}},
    });
    await reachPin(element);
    button(element, 'Start the subscription')?.focus();
    await enter(element, '1234');
    await until('the focus', () => find(element, 'h3:focus')?.textContent === 'Write the code from the SMS');
    expect(find(element, '#resend')).to.equal(undefined);
  });

  for (const [code, [field, message]] of Object.entries(fieldMessages)) {
    it(`goes back to the field ${field} if the Worker refuses the PIN with ${code}`, async () => {
      const {worker, element} = await open({faults: {subscribe: {kind: 'problem', code: code as ErrorCode}}});
      const errors = record<Event & {code: string}>(element, 'vezne-error');
      await reachPin(element);
      await enter(element, '1234');
      await untilText(element, 'Send me a code');
      expect(text(find(element, `#${field}-error`) as Element)).to.equal(message);
      expect(find<HTMLInputElement>(element, '#number')?.value).to.equal('0532 123 45 67');
      expect(errors.map((each) => each.code)).to.deep.equal([code]);
      await until('the focus', () => find(element, `[name=${field}]:focus`));
      await worker.fault('subscribe');
      await reachPin(element);
    });
  }

  it('shows a message for every refusal of a PIN request', async () => {
    const {worker, element} = await open();
    await fillIn(element);
    for (const [code, message] of Object.entries({
      ...titles,
      ...pinEndingMessages,
      number_invalid: fieldMessages.number_invalid?.[1],
      operator_invalid: fieldMessages.operator_invalid?.[1],
    })) {
      await worker.fault('pin', {kind: 'problem', code: code as ErrorCode});
      await press(element, 'Send me a code');
      await untilText(element, String(message).split('. ')[0] ?? '');
    }
  });

  it('announces a retry only if the element retries by itself', async () => {
    const {worker, element} = await open({faults: {session: {kind: 'problem', code: 'temporarily_unavailable'}}});
    await untilText(element, 'Nothing is lost. We will try again in a moment.');
    await worker.fault('pin', {kind: 'problem', code: 'temporarily_unavailable'});
    await press(element, 'Try again');
    await fillIn(element);
    await press(element, 'Send me a code');
    await untilText(element, 'Nothing is lost. Try again in a moment.');
    expect(text(element)).to.not.contain('We will try');
    await worker.fault('pin', {kind: 'reset'});
    await press(element, 'Send me a code');
    await untilText(element, 'Check your connection. Try again in a moment.');
  });

  it('shows a text about subscriptions if the Worker does not allow the page’s origin', async () => {
    const {element} = await open({isAllowed: false});
    await untilText(element, 'Nobody can subscribe from this page right now');
    expect(text(element)).to.not.contain('payments');
  });

  it('shows that the device is offline until it is online again', async () => {
    const {worker, element} = await open();
    await reachPin(element);
    await worker.fault('subscribe', {kind: 'reset'});
    Object.defineProperty(navigator, 'onLine', {value: false, configurable: true});
    await enter(element, '1234');
    await untilText(element, 'You are offline');
    delete (navigator as {onLine?: boolean}).onLine;
    dispatchEvent(new Event('online'));
    await until('no notice', () => !text(element).includes('You are offline'));
    expect(find<HTMLInputElement>(element, '#pin')?.value).to.equal('1234');
  });

  it('shows a message beside the operators if the Worker refuses the operator', async () => {
    const {worker, element} = await open({faults: {pin: {kind: 'problem', code: 'operator_invalid'}}});
    await fillIn(element);
    await press(element, 'Send me a code');
    await untilText(element, 'This number is not with that operator');
    expect(find(element, '#operator-error')?.textContent).to.contain('Choose the operator of your number.');
    await worker.fault('pin');
    await press(element, 'Send me a code');
    await untilText(element, 'Write the code from the SMS');
  });

  it('waits as long as the Worker requires before the next PIN request', async () => {
    const {element} = await open({faults: {pin: {kind: 'problem', code: 'rate_limited', retryAfter: 90}}});
    await fillIn(element);
    await press(element, 'Send me a code');
    await untilText(element, 'You can try again in 1:');
    expect(button(element, 'Send me a code')?.disabled).to.equal(true);
  });

  it('shows long waiting times in hours, before the next PIN and before the next attempt to subscribe', async () => {
    const {worker, element} = await open({
      pin: pinSent({resendInMs: 0}),
      faults: {pin: {kind: 'problem', code: 'rate_limited', retryAfter: 82_800}},
    });
    await fillIn(element);
    await press(element, 'Send me a code');
    await untilText(element, 'Too many attempts Try again later.');
    await untilText(element, 'You can try again in 23 hours.');
    await worker.fault('subscribe', {kind: 'problem', code: 'rate_limited', retryAfter: 82_800});
    const again = show(
      `<vezne-pin-subscribe api="${worker.address}" session="merchant-made" lang="tr"></vezne-pin-subscribe>`,
    );
    await fillIn(again);
    await press(again, 'Onay kodu gönder');
    await untilText(again, 'SMS ile gelen kodu yazın');
    await typeInto(again, '#pin', '1234');
    await press(again, 'Aboneliği başlat');
    await untilText(again, '23 saat sonra yeniden deneyebilirsiniz.');
    expect(button(again, 'Aboneliği başlat')?.disabled).to.equal(true);
    expect(button(again, 'Yeni kod iste')?.disabled).to.equal(false);
  });

  it('lets the shopper subscribe with the sent PIN after too many PINs were requested', async () => {
    const {worker, element} = await open({pin: pinSent({resendInMs: 0})});
    await reachPin(element);
    await worker.fault('pin', {kind: 'problem', code: 'rate_limited', retryAfter: 300});
    await press(element, 'Send a new code');
    await untilText(element, /ask for a new code in [45]:/);
    await enter(element, '1234');
    await untilText(element, 'You are subscribed');
  });

  it('accepts a PIN from another tab while the shopper must wait before requesting the next PIN', async () => {
    const {worker, element} = await open({faults: {pin: {kind: 'problem', code: 'rate_limited', retryAfter: 300}}});
    await untilText(element, 'Send me a code');
    expect(button(element, 'I have a code')).to.equal(undefined);
    await fillIn(element);
    await press(element, 'Send me a code');
    await untilText(element, 'If a code has just come to this number, you can use it.');
    await press(element, 'I have a code');
    await untilText(element, /Write the code from the SMS 0532 123 45 67 .* ask for a new code in [45]:/);
    expect(text(element)).to.not.contain('We sent').and.to.not.contain('good for another');
    await until('the focus', () => find(element, '#pin:focus'));
    await enter(element, '1234');
    await untilText(element, 'You are subscribed');
    expect((await worker.calls('subscribe'))[0]?.body).to.include({msisdn: '5321234567', operator: 4, pin: '1234'});
  });
});
