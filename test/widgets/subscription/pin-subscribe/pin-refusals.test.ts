/** All refusals of a subscription, and the message that the page shows for each refusal. */

import {expect} from '@open-wc/testing/pure';
import type {ErrorCode} from '../../../../worker/contract/codes.ts';
import {pinSent, terms} from '../../stub-worker/answers.ts';
import {announcements, find, findAll, focused, record, show, text, until, untilText} from '../../support/page.ts';
import {button, enter, fillIn, open, reachPin} from '../../support/pin-page.ts';
import {press, typeInto} from '../../support/shopper.ts';
import {SELLER} from '../../support/states/state.ts';

const hasContacts = (element: Element) => text(element).includes('Contact the seller E-mail the seller');

describe('vezne-pin-subscribe after a refusal', () => {
  /**
   * Titles of the refusals after which the PIN can still be used: the platform's statuses
   * (`docs/spec/subscriptions.md`, section 7.2) and the Worker's own error codes.
   */
  const titles: Partial<Record<ErrorCode, string>> = {
    pin_wrong: 'That code isn’t right',
    platform_refused:
      'We couldn’t start your subscription Try again in a moment. If it keeps happening, tell the seller. Error code: platform_refused. You weren’t charged this time.',
    misconfigured: 'Error code: misconfigured',
    number_token_invalid: 'We couldn’t recognise it automatically',
    subscription_not_found: 'We couldn’t find your subscription',
    already_cancelled: 'This subscription is already cancelled',
    cannot_cancel: 'We can’t cancel your subscription right now',
    subscription_failed:
      'We couldn’t start your subscription Your operator didn’t approve it. Check your balance and try again. You weren’t charged this time.',
    outcome_unknown: 'We don’t know yet whether this went through',
    temporarily_unavailable: 'isn’t responding Try again in a moment. You weren’t charged this time.',
    internal: 'We don’t know yet whether this went through',
    rate_limited: 'Too many attempts You weren’t subscribed or charged this time.',
  };
  /** Titles of the refusals after which another PIN would be refused too. */
  const finalTitles: Partial<Record<ErrorCode, string>> = {
    not_eligible: 'This number can’t subscribe',
    already_subscribed: 'You’re already subscribed',
    billing_cap_reached: 'This number has reached its spending limit',
    test_mode: 'This subscription isn’t open yet',
    landing_not_found: 'This subscription isn’t available right now',
  };
  /** Messages of the refusals after which the shopper needs another PIN. */
  const pinEndingMessages: Partial<Record<ErrorCode, string>> = {
    pin_expired: 'The code has expired Request a new one. You weren’t charged this time.',
    pin_blocked: 'Too many wrong codes This code no longer works. Request a new one. You weren’t charged this time.',
  };
  /** Refusals that are shown beside a field of the number form. */
  const fieldMessages: Partial<Record<ErrorCode, readonly [field: string, message: string]>> = {
    number_invalid: ['number', 'We can’t use this number. Check it, or enter another Turkish mobile number.'],
    operator_invalid: ['operator', 'This number is with a different operator. Choose your number’s operator.'],
  };
  /** The refusals after which the shopper may need the seller. */
  const FOR_SELLER = /platform_refused|misconfigured|outcome_unknown|_not_found|cannot_cancel/;
  for (const [code, message] of Object.entries(titles)) {
    it(`shows a message after the error ${code}, and keeps the PIN for the next try`, async () => {
      const {worker, element} = await open({terms: terms({seller: SELLER})});
      const errors = record<Event & {code: string}>(element, 'vezne-error');
      await reachPin(element);
      await worker.fault('subscribe', {kind: 'problem', code: code as ErrorCode});
      await enter(element, '1234');
      await untilText(element, message);
      const isForSeller = FOR_SELLER.test(code) || code === 'internal';
      await until('the seller’s contacts, if needed', () => hasContacts(element) === isForSeller);
      expect(find<HTMLInputElement>(element, '#pin')?.value).to.equal('1234');
      expect(errors.map((each) => each.code)).to.deep.equal([code]);
      await worker.fault('subscribe');
      await press(element, 'Subscribe for ₺12.00 a week');
      await untilText(element, 'You’re subscribed');
    });
  }

  for (const [code, title] of Object.entries(finalTitles)) {
    it(`shows a card with at most one main button after the error ${code}, and focuses its title`, async () => {
      const {worker, element} = await open({terms: terms({seller: SELLER})});
      await reachPin(element);
      await worker.fault('subscribe', {kind: 'problem', code: code as ErrorCode});
      await typeInto(element, '#pin', '1234');
      const confirm = await until('the button', () => button(element, 'Subscribe for ₺12.00 a week'));
      confirm.focus();
      confirm.click();
      await untilText(element, title);
      await until('the focus', () => find(element, 'h2:focus')?.textContent === title);
      expect(findAll(element, 'button.button').map((each) => text(each))).to.deep.equal(
        code === 'already_subscribed' || code === 'landing_not_found' ? [] : ['Use another number'],
      );
      expect(text(element)).to.not.contain('Didn’t get a text?').and.to.not.contain(code);
      const certain = findAll(element, 'vezne-result > .muted').map(text);
      expect(certain).to.deep.equal(/already|landing/.test(code) ? [] : ['You weren’t charged this time.']);
      if (code !== 'landing_not_found') return;
      const contact = await until('the seller’s page', () => find<HTMLAnchorElement>(element, 'a.button'));
      expect(contact.href).to.equal(SELLER.support_url);
    });
  }

  it('shows a friendly card if the number already has the subscription, and offers to manage it', async () => {
    const {element} = await open(
      {faults: {subscribe: {kind: 'problem', code: 'already_subscribed'}}},
      'lang="en"><a slot="manage" href="/mine">Mine</a',
    );
    await reachPin(element);
    await enter(element, '1234');
    await untilText(element, 'You won’t be charged twice.');
    expect(find(element, '.result')?.classList.contains('good')).to.equal(true);
    expect(find(element, '[role=alert].problem')).to.equal(undefined);
    expect(find<HTMLAnchorElement>(element, 'a.button')?.href).to.equal('https://shop.example/account');
    expect(element.querySelector('[slot=manage]')?.getBoundingClientRect().height).to.be.greaterThan(0);
    await press(element, 'Use another number');
    await untilText(element, 'Text me a code');
    await until('the focus', () => find(element, '#number:focus'));
  });

  it('keeps the focus on the pressed button while the request waits for an answer, and after a refusal', async () => {
    const {worker, element} = await open();
    await fillIn(element);
    const send = await until('the button', () => button(element, 'Text me a code'));
    send.focus();
    await worker.fault('pin', {kind: 'problem', code: 'temporarily_unavailable'});
    send.click();
    await untilText(element, 'Try again in a moment.');
    expect(focused()).to.equal(send);
    await worker.fault('pin', {kind: 'held'});
    send.click();
    await until('the label', () => text(send) === 'Sending…' && send.ariaBusy === 'true');
    expect([focused(), send.ariaDisabled, send.disabled]).to.deep.equal([send, 'true', false]);
    await worker.release();
    await untilText(element, 'Enter the code we texted you');
    await worker.fault('subscribe', {kind: 'problem', code: 'subscription_failed'});
    await typeInto(element, '#pin', '1234');
    const confirm = await until('the button', () => button(element, 'Subscribe for ₺12.00 a week'));
    confirm.focus();
    confirm.click();
    await untilText(element, 'Check your balance and try again.');
    expect(focused()).to.equal(confirm);
    expect(text(element)).to.not.contain('subscription_failed');
  });

  it('from the second wrong PIN on, shows how many attempts are left, and blocks the PIN when none is left', async () => {
    const {worker, element} = await open({pin: pinSent({resendInMs: 0})});
    await reachPin(element);
    const wrong = (attemptsLeft: number) =>
      worker.fault('subscribe', {kind: 'problem', code: 'pin_wrong', attemptsLeft});
    const expected = [
      [4, 'That code isn’t right. Enter the code from the latest text.'],
      [3, 'That code isn’t right. You have 3 tries left. Enter the code from the latest text.'],
      [1, 'That code isn’t right. You have 1 try left. Enter the code from the latest text.'],
    ] as const;
    for (const [attemptsLeft, message] of expected) {
      await wrong(attemptsLeft);
      await enter(element, '1234');
      await until(message, () => text(find(element, '#pin-error') as Element) === message);
    }
    await wrong(0);
    await enter(element, '1234');
    await untilText(
      element,
      'Too many wrong codes This code no longer works. Request a new one. You weren’t charged this time.',
    );
    expect(button(element, 'Subscribe for ₺12.00 a week')).to.equal(undefined);
    await until('the focus', () => find(element, 'h3:focus')?.textContent === 'Too many wrong codes');
  });

  for (const [code, message] of Object.entries(pinEndingMessages)) {
    it(`replaces the PIN field with one button after the error ${code}`, async () => {
      const {worker, element} = await open({
        pin: pinSent({resendInMs: 0}),
        faults: {subscribe: {kind: 'problem', code: code as ErrorCode}},
      });
      await reachPin(element);
      await enter(element, '1234');
      await until(
        'the message without a countdown',
        () => text(element).includes(message) && !text(element).includes('expires in'),
      );
      expect(button(element, 'Subscribe for ₺12.00 a week')).to.equal(undefined);
      expect(find(element, '#pin'), 'the PIN field').to.equal(undefined);
      expect(text(element)).to.not.contain('Didn’t get a text?').and.to.not.contain('We sent');
      await until('the focus', () => message.startsWith(find(element, 'h3:focus')?.textContent ?? 'nothing'));
      await worker.fault('subscribe');
      await press(element, 'Text me a new code');
      await untilText(element, 'expires in');
      await until('the focus on the empty field', () => find<HTMLInputElement>(element, '#pin:focus')?.value === '');
      await enter(element, '5678');
      await untilText(element, 'You’re subscribed');
    });
  }

  it('shows a button that waits if the PIN is blocked before another PIN can be requested', async () => {
    const {element} = await open({
      pin: pinSent({resendInMs: 45_000}),
      faults: {subscribe: {kind: 'problem', code: 'pin_blocked'}},
    });
    await reachPin(element);
    await enter(element, '1234');
    await untilText(element, 'Too many wrong codes');
    expect(button(element, 'Text me a new code')?.ariaDisabled).to.equal('true');
    expect(find(element, '#resend')).to.equal(undefined);
  });

  for (const [code, [field, message]] of Object.entries(fieldMessages)) {
    it(`goes back to the field ${field} if the Worker refuses the PIN with ${code}`, async () => {
      const {worker, element} = await open({faults: {subscribe: {kind: 'problem', code: code as ErrorCode}}});
      const errors = record<Event & {code: string}>(element, 'vezne-error');
      await reachPin(element);
      await enter(element, '1234');
      await untilText(element, 'Text me a code');
      expect(text(find(element, `#${field}-error`) as Element)).to.equal(message);
      expect(find<HTMLInputElement>(element, '#number')?.value).to.equal('0532 123 45 67');
      expect(errors.map((each) => each.code)).to.deep.equal([code]);
      await until('the focus', () => find(element, `[name=${field}]:focus`));
      await worker.fault('subscribe');
      await reachPin(element);
    });
  }

  it('shows a message for every refusal of a PIN request, with the seller’s contacts where they help', async () => {
    const {worker, element} = await open({terms: terms({seller: SELLER})});
    await fillIn(element);
    for (const [code, message] of Object.entries({
      ...titles,
      ...finalTitles,
      ...pinEndingMessages,
      number_invalid: fieldMessages.number_invalid?.[1],
      operator_invalid: fieldMessages.operator_invalid?.[1],
      platform_refused: 'We couldn’t text you a code Try again in a moment',
      misconfigured: 'We couldn’t text you a code Try again in a moment',
      temporarily_unavailable: 'isn’t responding Try again in a moment. You won’t pay until you confirm',
      internal: 'The payment service isn’t responding Try again in a moment',
      rate_limited: 'Please wait a moment Too many requests',
    })) {
      await worker.fault('pin', {kind: 'problem', code: code as ErrorCode});
      await press(element, 'Text me a code');
      await untilText(element, String(message).split('. ')[0] ?? '');
      await until('the seller’s contacts, if needed', () => hasContacts(element) === FOR_SELLER.test(code));
    }
  });

  it('says “We’ll retry” after a failure that the element itself retries, and after no other failure', async () => {
    const {worker, element} = await open({faults: {session: {kind: 'problem', code: 'temporarily_unavailable'}}});
    await untilText(element, 'We’ll retry in a moment.');
    await worker.fault('pin', {kind: 'problem', code: 'temporarily_unavailable'});
    await press(element, 'Try again');
    await fillIn(element);
    await press(element, 'Text me a code');
    await untilText(element, 'Try again in a moment.');
    expect(text(element)).to.not.contain('We’ll retry');
    await worker.fault('pin', {kind: 'reset'});
    await press(element, 'Text me a code');
    await untilText(element, 'Check your connection. Try again in a moment. You won’t pay until you confirm.');
  });

  it('names the wrong setting if the page is on localhost, where its developer sees the message', async () => {
    const {element} = await open({isAllowed: false});
    await untilText(element, 'Add that origin to its ALLOWED_ORIGINS.');
  });

  it('shows that the device is offline until it is online again', async () => {
    const {worker, element} = await open();
    await reachPin(element);
    await worker.fault('subscribe', {kind: 'reset'});
    Object.defineProperty(navigator, 'onLine', {value: false, configurable: true});
    await enter(element, '1234');
    await untilText(element, 'You’re offline');
    delete (navigator as {onLine?: boolean}).onLine;
    dispatchEvent(new Event('online'));
    await until('no notice', () => !text(element).includes('You’re offline'));
    expect(find<HTMLInputElement>(element, '#pin')?.value).to.equal('1234');
  });

  it('shows a message beside the operators if the Worker refuses the operator', async () => {
    const {worker, element} = await open({faults: {pin: {kind: 'problem', code: 'operator_invalid'}}});
    await fillIn(element);
    await press(element, 'Text me a code');
    await untilText(element, 'This number is with a different operator');
    expect(find(element, '#operator-error')?.textContent).to.contain('Choose your number’s operator.');
    await worker.fault('pin');
    await press(element, 'Text me a code');
    await untilText(element, 'Enter the code we texted you');
  });

  it('waits as long as the Worker requires before the next PIN request, and says so in one sentence', async () => {
    const {element} = await open({faults: {pin: {kind: 'problem', code: 'rate_limited', retryAfter: 90}}});
    await fillIn(element);
    await press(element, 'Text me a code');
    await untilText(element, 'You can request another in 2 minutes.');
    expect(text(element)).to.not.contain('Please wait');
    expect(find(element, '.calm') !== undefined, 'the notice is gray').to.equal(true);
    expect(announcements(element)).to.deep.equal([
      'Too many codes were requested. You can request another in 2 minutes.',
    ]);
    expect(button(element, 'Text me a code')?.ariaDisabled).to.equal('true');
  });

  it('says that a code was sent just now if another device has requested it within the last minute', async () => {
    const {element} = await open({faults: {pin: {kind: 'problem', code: 'rate_limited', retryAfter: 40}}});
    await fillIn(element);
    await press(element, 'Text me a code');
    await untilText(element, 'A code was sent just now. You can request another in 40 seconds.');
  });

  it('shows long waiting times in hours, before the next PIN and before the next attempt to subscribe', async () => {
    const {worker, element} = await open({
      pin: pinSent({resendInMs: 0}),
      faults: {pin: {kind: 'problem', code: 'rate_limited', retryAfter: 82_800}},
    });
    await fillIn(element);
    await press(element, 'Text me a code');
    await untilText(element, 'You can request another in 23 hours.');
    await worker.fault('subscribe', {kind: 'problem', code: 'rate_limited', retryAfter: 82_800});
    const again = show(
      `<vezne-pin-subscribe api="${worker.address}" session="merchant-made" lang="tr"></vezne-pin-subscribe>`,
    );
    await fillIn(again);
    await press(again, 'Onay kodu gönder');
    await untilText(again, 'SMS ile gelen kodu girin');
    await typeInto(again, '#pin', '1234');
    await press(again, 'Abone ol · ₺12,00 / hafta');
    await untilText(again, '23 saat sonra yeniden deneyebilirsiniz.');
    expect(button(again, 'Abone ol · ₺12,00 / hafta')?.ariaDisabled).to.equal('true');
    expect(button(again, 'Yeni kod iste')?.ariaDisabled).to.equal(null);
  });

  it('lets the shopper subscribe with the sent PIN after too many PINs were requested', async () => {
    const {worker, element} = await open({pin: pinSent({resendInMs: 0})});
    await reachPin(element);
    await worker.fault('pin', {kind: 'problem', code: 'rate_limited', retryAfter: 300});
    await press(element, 'Text me a new code');
    await untilText(
      element,
      /We didn’t send a new code You can still use the code from the latest text\..*You can request a new code in [45]:/,
    );
    expect(text(element)).to.contain('Didn’t get a text?');
    await enter(element, '1234');
    await untilText(element, 'You’re subscribed');
  });

  it('accepts a PIN that was requested in another tab, while this tab must wait before it requests a PIN', async () => {
    const {worker, element} = await open({faults: {pin: {kind: 'problem', code: 'rate_limited', retryAfter: 300}}});
    await untilText(element, 'Text me a code');
    expect(button(element, 'I have a code')).to.equal(undefined);
    await fillIn(element);
    await press(element, 'Text me a code');
    await untilText(element, 'Just received a code on this number? You can use it.');
    await press(element, 'I have a code');
    await untilText(element, /Enter the code we texted you 0532 123 45 67 .* You can request a new code in [45]:/);
    expect(text(element)).to.not.contain('We sent').and.to.not.contain('expires in');
    await until('the focus', () => find(element, '#pin:focus'));
    await enter(element, '1234');
    await untilText(element, 'You’re subscribed');
    expect((await worker.calls('subscribe'))[0]?.body).to.include({msisdn: '5321234567', operator: 4, pin: '1234'});
  });
});
