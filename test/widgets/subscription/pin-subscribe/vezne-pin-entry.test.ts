/** How a shopper types a PIN, lets the browser read it from the SMS, or requests another PIN. */

import {expect} from '@open-wc/testing/pure';
import {pinSent, terms} from '../../stub-worker/answers.ts';
import {Clocks} from '../../support/fake-time.ts';
import {installFakeTurnstile} from '../../support/fake-turnstile.ts';
import {FakeWebOtp} from '../../support/fake-web-otp.ts';
import {announcements, find, focused, show, text, until, untilText} from '../../support/page.ts';
import {button, enter, open, reachPin} from '../../support/pin-page.ts';
import {press, typeInto} from '../../support/shopper.ts';

/** What a screen reader announces. */
const announced = (element: HTMLElement) =>
  find(element, 'vezne-pin-entry')?.shadowRoot?.querySelector('[role=status]')?.textContent;

describe('the PIN entry of vezne-pin-subscribe', () => {
  let clocks: Clocks;
  beforeEach(() => (clocks = new Clocks()));
  afterEach(() => clocks.release());

  it('has a PIN field that a phone can fill in with the PIN from the SMS', async () => {
    const {element} = await open();
    await reachPin(element);
    const field = find<HTMLInputElement>(element, '#pin');
    expect([field?.inputMode, field?.autocomplete, field?.maxLength]).to.deep.equal(['numeric', 'one-time-code', -1]);
  });

  it('focuses and selects a wrong PIN, so that the shopper can type over it', async () => {
    const {element} = await open({faults: {subscribe: {kind: 'problem', code: 'pin_wrong'}}});
    await reachPin(element);
    await enter(element, '1234');
    const field = find<HTMLInputElement>(element, '#pin');
    await until(
      'the whole PIN selected',
      () => field?.getAttribute('aria-invalid') === 'true' && field.selectionEnd === 4 && field.selectionStart === 0,
    );
    expect(find(element, '#pin:focus')).to.equal(field);
  });

  it('stores the number while the shopper enters the PIN, and never the PIN', async () => {
    const {element} = await open({faults: {subscribe: {kind: 'problem', code: 'pin_wrong'}}});
    await reachPin(element);
    await enter(element, '90817263');
    await until('the refusal', () => find(element, '#pin')?.getAttribute('aria-invalid') === 'true');
    const stored = JSON.stringify([{...sessionStorage}, {...localStorage}]);
    expect(stored).to.include('5321234567');
    expect(stored).to.not.include('90817263');
  });

  it('asks for digits if the shopper types letters as the PIN', async () => {
    const {worker, element} = await open();
    await reachPin(element);
    await enter(element, '12a4');
    await untilText(element, 'It only has digits');
    expect(await worker.calls('subscribe')).to.deep.equal([]);
  });

  it('counts down by the Worker’s clock, even if the device’s clock is wrong', async () => {
    const {element} = await open({pin: pinSent({expiresInMs: 600_000, resendInMs: 0, skewMs: -7_200_000})});
    await reachPin(element);
    expect(text(element)).to.match(/expires in (10:00|9:5\d)/);
  });

  it('lets the shopper request another PIN only after the waiting time', async () => {
    const {worker, element} = await open({pin: pinSent({resendInMs: 45_000})});
    await reachPin(element);
    expect(text(element)).to.match(/You can request a new code in 0:4\d/);
    expect(button(element, 'Text me a new code')).to.equal(undefined);
    element.remove();
    await worker.script({pin: pinSent({resendInMs: 0})});
    const again = show(
      `<vezne-pin-subscribe api="${worker.address}" session="merchant-made" lang="en"></vezne-pin-subscribe>`,
    );
    await reachPin(again);
    await press(again, 'Text me a new code');
    await until('another PIN', async () => (await worker.calls('pin')).length === 3);
  });

  it('shows when another PIN was sent, empties the field and reads the next SMS', async () => {
    const {worker, element} = await open({pin: pinSent({resendInMs: 0})});
    const phone = new FakeWebOtp();
    try {
      await reachPin(element);
      await until('the request to the phone', () => phone.waiting === 1);
      await typeInto(element, '#pin', '1111');
      await worker.script({pin: pinSent({resendInMs: 45_000})});
      await press(element, 'Text me a new code');
      await untilText(
        element,
        /We sent a new code to 0532 123 45 67 at \d\d:\d\d\. Enter the code from the latest text\./,
      );
      expect(announcements(element).join()).to.contain('We sent a new code');
      expect(find<HTMLInputElement>(element, '#pin')?.value).to.equal('');
      await until('one new request to the phone', () => phone.waiting === 1 && phone.requestCount === 2);
      phone.receive('2222');
      await until('the PIN of the SMS', () => find<HTMLInputElement>(element, '#pin')?.value === '2222');
    } finally {
      phone.restore();
    }
  });

  it('fills in the PIN from the SMS, but never replaces digits that the shopper typed', async () => {
    const phone = new FakeWebOtp();
    try {
      const {element} = await open();
      await reachPin(element);
      await until('the request to the phone', () => phone.waiting === 1);
      await typeInto(element, '#pin', '12');
      phone.receive('3456');
      const other = await open();
      await reachPin(other.element);
      await until('the request to the phone', () => phone.waiting === 1);
      phone.receive('3456');
      await until('the PIN of the SMS', () => find<HTMLInputElement>(other.element, '#pin')?.value === '3456');
      expect(find<HTMLInputElement>(element, '#pin')?.value).to.equal('12');
    } finally {
      phone.restore();
    }
  });

  it('shows which numbers get no SMS, also after the PIN has expired', async () => {
    const {element} = await open({pin: pinSent({resendInMs: 0})});
    await reachPin(element);
    const hint =
      'Didn’t get a text? Check your number and operator. We can’t send a code to a number that’s already subscribed or that has mobile payments turned off.';
    expect(text(element)).to.contain(hint);
    clocks.putForward(600_000);
    await untilText(element, 'The code has expired Request a new one to continue.');
    expect(text(element)).to.contain(hint);
  });

  it('announces the last minute, the end of the PIN and when another PIN can be requested', async () => {
    const {element} = await open({pin: pinSent({expiresInMs: 600_000, resendInMs: 570_000})});
    await reachPin(element);
    expect(announced(element)).to.equal('');
    clocks.putForward(545_000);
    await until('the last minute', () => announced(element) === 'Your code expires in one minute.');
    clocks.putForward(30_000);
    await until('another PIN', () => announced(element) === 'You can request a new code now.');
    element.remove();
    const both = await open({pin: pinSent({resendInMs: 600_000})}, 'lang="en" session="both"');
    await reachPin(both.element);
    (focused() as HTMLElement).blur();
    clocks.putForward(600_000);
    const end = 'The code has expired. Request a new one to continue. You can request a new code now.';
    await until('the end', () => announced(both.element) === end);
  });

  it('says once that the PIN has expired: with the focus, if the shopper is at the PIN', async () => {
    const {element} = await open({pin: pinSent({resendInMs: 600_000})});
    await reachPin(element);
    clocks.putForward(600_000);
    await until('the title', () => find(element, 'h3:focus')?.textContent === 'The code has expired');
    expect(announced(element)).to.equal('You can request a new code now.');
  });

  it('shows the result of an attempt, even if the PIN has expired and the shopper has pressed “Change number”', async () => {
    const {worker, element} = await open({pin: pinSent({resendInMs: 0}), faults: {subscribe: {kind: 'held'}}});
    await reachPin(element);
    await enter(element, '1234');
    await untilText(element, 'Starting…');
    await press(element, 'Change number');
    expect(button(element, 'Change number')?.getAttribute('aria-disabled')).to.equal('true');
    clocks.putForward(600_000);
    await until('no countdown', () => !text(element).includes('expires in'));
    expect(text(element)).to.contain('Starting…').and.to.not.contain('The code has expired');
    expect(announced(element)).to.equal('');
    await until('the attempt', async () => (await worker.calls('subscribe')).length);
    await worker.release();
    await untilText(element, 'You’re subscribed');
  });

  it('says that the human check could not load, before and after the PIN has expired', async () => {
    const {worker, element} = await open({
      terms: terms({human_check: {sitekey: '1x00000000000000000000AA', action: 'pin'}}),
      pin: pinSent({resendInMs: 0}),
    });
    await reachPin(element);
    installFakeTurnstile({loads: false});
    await worker.fault('pin', {kind: 'problem', code: 'human_check_required'});
    await press(element, 'Text me a new code');
    const failure = 'The check didn’t go through Check your connection and try again. You weren’t charged this time.';
    await untilText(element, failure);
    expect(text(element)).to.contain('expires in').and.to.not.contain('Complete the check');
    clocks.putForward(600_000);
    await untilText(element, 'The code has expired');
    expect(text(element)).to.contain(failure).and.to.not.contain('Complete the check');
  });

  it('does not accept an expired PIN, and offers a new PIN', async () => {
    const {element} = await open({pin: pinSent({resendInMs: 0})});
    await reachPin(element);
    clocks.putForward(600_000);
    await untilText(element, 'The code has expired');
    expect(button(element, 'Subscribe for ₺12.00 a week')).to.equal(undefined);
    await press(element, 'Text me a new code');
  });
});
