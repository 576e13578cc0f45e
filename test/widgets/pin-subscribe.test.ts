import {expect} from '@open-wc/testing';
import {define} from '../../widgets/define.ts';
import {readMsisdn} from '../../widgets/internal/msisdn.ts';
import {elements} from '../../widgets/subscribing.ts';
import type {ErrorCode} from '../../worker/contract/codes.ts';
import {pinSent, session, terms} from './stub/answers.ts';
import type {Script} from './stub/script.ts';
import {ReadingPhone} from './support/reading-phone.ts';
import {announced, clickOn, find, findAll, press, record, show, text, typeInto, until, untilText} from './support/page.ts';
import {standInForTurnstile} from './support/turnstile.ts';
import {TestWorker} from './support/worker.ts';

define(elements);

async function open(script: Partial<Script> = {}, attributes = 'lang="en"'): Promise<{worker: TestWorker; element: HTMLElement}> {
  const worker = await TestWorker.begin(script);
  const element = show(`<vezne-pin-subscribe api="${worker.address}" offer="club" ${attributes}></vezne-pin-subscribe>`);
  return {worker, element};
}

async function fillIn(element: Element, number = '0532 123 45 67'): Promise<void> {
  await clickOn(element, '[name=operator][value="4"]');
  await typeInto(element, '#number', number);
  await clickOn(element, '[name=consent]');
}

async function reachPin(element: Element): Promise<void> {
  await fillIn(element);
  await press(element, 'Send me a code');
  await untilText(element, 'Write the code from the SMS');
}

async function enter(element: Element, pin: string): Promise<void> {
  await typeInto(element, '#pin', pin);
  await press(element, 'Start the subscription');
}

const button = (element: Element, words: string) => findAll<HTMLButtonElement>(element, 'button').find((each) => text(each).includes(words));

beforeEach(() => {
  sessionStorage.clear();
  localStorage.clear();
});

describe('vezne-pin-subscribe', () => {
  it('says what it is, what it costs and the terms above everything that can be pressed', async () => {
    const {element} = await open({}, 'lang="tr"');
    await untilText(element, 'Onay kodu gönder');
    expect(text(element)).to.equal(
      'Kulüp üyeliği Haftada ₺12,00 Her hafta faturanıza yansır. İstediğiniz an iptal edebilirsiniz. ' +
        'Siz iptal edene kadar kendiliğinden yenilenir; ücret telefon faturanıza ya da bakiyenize yansır. Operatörünüz Bir İki ' +
        'Cep telefonu numaranız Örnek: 0532 123 45 67 Ücreti ve koşulları okudum, abone olmak istiyorum. Onay kodu gönder',
    );
    expect(find<HTMLInputElement>(element, '[name=consent]')?.checked).to.equal(false);
  });

  it('subscribes with the PIN of the SMS, and tells the page', async () => {
    const {worker, element} = await open();
    const sent = record<Event>(element, 'vezne-pin-sent');
    const subscribed = record<Event & {trackingId: string}>(element, 'vezne-subscribe');
    await reachPin(element);
    expect(text(element)).to.contain('We sent the code to 0532 123 45 67.');
    await enter(element, ' 12 34 ');
    await untilText(element, 'You are subscribed');
    const [pin] = await worker.calls('pin');
    const [subscribe] = await worker.calls('subscribe');
    const tracking_id = subscribed[0]?.trackingId;
    expect(pin?.body).to.deep.equal({msisdn: '5321234567', operator: 4, tracking_id});
    expect(subscribe?.body).to.deep.equal({msisdn: '5321234567', operator: 4, pin: '1234', tracking_id});
    expect([sent.length, subscribed.length]).to.deep.equal([1, 1]);
  });

  const numbers = [
    ['0532 123 45 67', '5321234567'],
    ['+90 (532) 123-45-67', '5321234567'],
    ['00905321234567', '5321234567'],
    ['\u202a+90 532\u2013123\u201345\u201367\u202c', '5321234567'],
    ['٠٥٣٢ ۱۲۳ ٤٥ ٦٧', '5321234567'],
    ['905321234567', '5321234567'],
    ['5321234567', '5321234567'],
    ['0212 123 45 67', undefined],
    ['+49 151 23456789', undefined],
    ['532 123 45 6', undefined],
    ['532123456x', undefined],
    ['', undefined],
  ] as const;
  for (const [written, read] of numbers) {
    it(`reads “${written}” as ${read ?? 'no mobile number'}`, () => {
      expect(readMsisdn(written)).to.equal(read);
    });
  }

  it('says beside each field what is missing, asks nothing, and leads to the first', async () => {
    const {worker, element} = await open();
    await untilText(element, 'Send me a code');
    await typeInto(element, '#number', '0212 123 45 67');
    await press(element, 'Send me a code');
    await untilText(element, 'Choose your operator.');
    expect(text(element)).to.contain('ten digits that begin with 5.').and.to.contain('Agree to the price and the terms to continue.');
    expect(element.shadowRoot?.activeElement?.getAttribute('name')).to.equal('operator');
    expect(await worker.calls('pin')).to.deep.equal([]);
  });

  it('calls nothing wrong any more that is put right', async () => {
    const {element} = await open();
    await press(element, 'Send me a code');
    const wrong = () => findAll(element, '.fault').map((each) => text(each)).filter(Boolean).length;
    await until('three faults', () => wrong() === 3);
    await clickOn(element, '[name=operator][value="4"]');
    await until('two faults', () => wrong() === 2);
    await typeInto(element, '#number', '0532 123 45 6');
    expect(wrong()).to.equal(2);
    await typeInto(element, '#number', '0532 123 45 67');
    await until('one fault', () => wrong() === 1);
    await clickOn(element, '[name=consent]');
    await until('no fault', () => wrong() === 0);
  });

  it('asks for no operator where there is one', async () => {
    const {worker, element} = await open({terms: terms({operators: [{id: 5, name: 'Üç'}]})});
    await typeInto(element, '#number', '5321234567');
    await clickOn(element, '[name=consent]');
    await press(element, 'Send me a code');
    await untilText(element, 'Write the code from the SMS');
    expect((await worker.calls('pin'))[0]?.body).to.include({operator: 5});
  });

  it('remembers the operator, and nothing is agreed to beforehand', async () => {
    const {worker, element} = await open();
    await reachPin(element);
    element.remove();
    sessionStorage.clear();
    const again = show(`<vezne-pin-subscribe api="${worker.address}/" offer="club" session="another" lang="en"></vezne-pin-subscribe>`);
    await untilText(again, 'Send me a code');
    expect(find<HTMLInputElement>(again, '[value="4"]')?.checked).to.equal(true);
    expect(find<HTMLInputElement>(again, '[name=consent]')?.checked).to.equal(false);
  });

  it('follows nobody and keeps no habit where the page’s tracker waits for consent', async () => {
    show('<vezne-activity offer="club" consent="required"></vezne-activity>');
    const before = location.href;
    history.replaceState(null, '', '?tracking_id=campaign-7');
    const {worker, element} = await open();
    await reachPin(element);
    history.replaceState(null, '', before);
    expect((await worker.calls('pin'))[0]?.body).to.have.property('tracking_id').that.matches(/^\w{8,}$/);
    expect(sessionStorage['vezne tracking']).to.equal(undefined);
    expect(Object.keys(localStorage)).to.deep.equal([]);
  });

  it('shows a number grouped once it is one', async () => {
    const {element} = await open();
    await typeInto(element, '#number', '+905321234567');
    expect(find<HTMLInputElement>(element, '#number')?.value).to.equal('0532 123 45 67');
  });

  /** By what the platform's statuses are called (subscriptions 7.2), and what the Worker adds: the first words of each. */
  const said: Partial<Record<ErrorCode, string>> = {
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
  const over: Partial<Record<ErrorCode, string>> = {
    pin_expired: 'The code has expired. Ask for a new one.',
    pin_blocked: 'Too many wrong codes. This one no longer counts. Ask for a new one.',
  };
  const beside: Partial<Record<ErrorCode, readonly [field: string, words: string]>> = {
    number_invalid: ['number', 'This number cannot be subscribed. Write a Turkish mobile number: ten digits that begin with 5.'],
    operator_invalid: ['operator', 'This number is not with that operator. Choose the operator of your number.'],
  };
  for (const [code, words] of Object.entries(said)) {
    it(`says what helps when the answer is ${code}, and keeps the PIN`, async () => {
      const {worker, element} = await open();
      const errors = record<Event & {code: string}>(element, 'vezne-error');
      await reachPin(element);
      await worker.fault('subscribe', {kind: 'problem', code: code as ErrorCode});
      await enter(element, '1234');
      await untilText(element, words);
      expect(find<HTMLInputElement>(element, '#pin')?.value).to.equal('1234');
      expect(errors.map((each) => each.code)).to.deep.equal([code]);
      await worker.fault('subscribe');
      await press(element, 'Start the subscription');
      await untilText(element, 'You are subscribed');
    });
  }

  for (const [code, words] of Object.entries(over)) {
    it(`has a PIN be over when the answer is ${code}: nothing counts down, and another is asked for`, async () => {
      const {worker, element} = await open({pin: pinSent({resendInMs: 0}), faults: {subscribe: {kind: 'problem', code: code as ErrorCode}}});
      await reachPin(element);
      await enter(element, '1234');
      await until('a PIN that is over', () => text(element).includes(words) && !text(element).includes('good for another'));
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

  for (const [code, [field, words]] of Object.entries(beside)) {
    it(`leads back to the ${field} when the answer to the PIN is ${code}`, async () => {
      const {worker, element} = await open({faults: {subscribe: {kind: 'problem', code: code as ErrorCode}}});
      const errors = record<Event & {code: string}>(element, 'vezne-error');
      await reachPin(element);
      await enter(element, '1234');
      await untilText(element, 'Send me a code');
      expect(text(find(element, `#${field}-fault`) as Element)).to.equal(words);
      expect(find<HTMLInputElement>(element, '#number')?.value).to.equal('0532 123 45 67');
      expect(errors.map((each) => each.code)).to.deep.equal([code]);
      await until('the focus', () => find(element, `[name=${field}]:focus`));
      await worker.fault('subscribe');
      await reachPin(element);
    });
  }

  it('says what was refused, whatever it was, before there is a PIN', async () => {
    const {worker, element} = await open();
    await fillIn(element);
    for (const [code, words] of Object.entries({...said, ...over, number_invalid: beside.number_invalid?.[1], operator_invalid: beside.operator_invalid?.[1]})) {
      await worker.fault('pin', {kind: 'problem', code: code as ErrorCode});
      await press(element, 'Send me a code');
      await untilText(element, String(words).split('. ')[0] ?? '');
    }
  });

  it('promises to try again only where it does', async () => {
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

  it('says where nobody can subscribe from the page, in words about subscribing', async () => {
    const {element} = await open({isAllowed: false});
    await untilText(element, 'Nobody can subscribe from this page right now');
    expect(text(element)).to.not.contain('payments');
  });

  it('says at the end what it costs from now on, and that it renews', async () => {
    const {element} = await open();
    await reachPin(element);
    await enter(element, '1234');
    await untilText(
      element,
      'You are subscribed Club membership: ₺12.00 every week Renews by itself until you cancel; it is charged to your phone bill or balance. Your operator confirms it by SMS',
    );
  });

  it('says that the device is offline for as long as it is', async () => {
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

  it('leads back to a PIN that was wrong, ready to be typed again', async () => {
    const {element} = await open({faults: {subscribe: {kind: 'problem', code: 'pin_wrong'}}});
    await reachPin(element);
    await enter(element, '1234');
    const field = find<HTMLInputElement>(element, '#pin');
    await until('the whole PIN chosen', () => field?.getAttribute('aria-invalid') === 'true' && field.selectionEnd === 4 && field.selectionStart === 0);
    expect(find(element, '#pin:focus')).to.equal(field);
  });

  it('asks for digits where letters were written', async () => {
    const {worker, element} = await open();
    await reachPin(element);
    await enter(element, '12a4');
    await untilText(element, 'it is digits only');
    expect(await worker.calls('subscribe')).to.deep.equal([]);
  });

  it('says of number and operator what the Worker refused about them', async () => {
    const {worker, element} = await open({faults: {pin: {kind: 'problem', code: 'operator_invalid'}}});
    await fillIn(element);
    await press(element, 'Send me a code');
    await untilText(element, 'This number is not with that operator');
    expect(find(element, '#operator-fault')?.textContent).to.contain('Choose the operator of your number.');
    await worker.fault('pin');
    await press(element, 'Send me a code');
    await untilText(element, 'Write the code from the SMS');
  });

  it('waits as long as the Worker asks before another PIN is asked for', async () => {
    const {element} = await open({faults: {pin: {kind: 'problem', code: 'rate_limited', retryAfter: 90}}});
    await fillIn(element);
    await press(element, 'Send me a code');
    await untilText(element, 'You can try again in 1:');
    expect(button(element, 'Send me a code')?.disabled).to.equal(true);
  });

  it('waits in hours where it takes that long, for another PIN and for another attempt', async () => {
    const {worker, element} = await open({pin: pinSent({resendInMs: 0}), faults: {pin: {kind: 'problem', code: 'rate_limited', retryAfter: 82_800}}});
    await fillIn(element);
    await press(element, 'Send me a code');
    await untilText(element, 'Too many attempts Try again later.');
    await untilText(element, 'You can try again in 23 hours.');
    await worker.fault('subscribe', {kind: 'problem', code: 'rate_limited', retryAfter: 82_800});
    const again = show(`<vezne-pin-subscribe api="${worker.address}" session="merchant-made" lang="tr"></vezne-pin-subscribe>`);
    await fillIn(again);
    await press(again, 'Onay kodu gönder');
    await untilText(again, 'SMS ile gelen kodu yazın');
    await typeInto(again, '#pin', '1234');
    await press(again, 'Aboneliği başlat');
    await untilText(again, '23 saat sonra yeniden deneyebilirsiniz.');
    expect(button(again, 'Aboneliği başlat')?.disabled).to.equal(true);
    expect(button(again, 'Yeni kod iste')?.disabled).to.equal(false);
  });

  it('waits for another PIN, and not for an attempt, when only PINs are asked for too often', async () => {
    const {worker, element} = await open({pin: pinSent({resendInMs: 0})});
    await reachPin(element);
    await worker.fault('pin', {kind: 'problem', code: 'rate_limited', retryAfter: 300});
    await press(element, 'Send a new code');
    await untilText(element, /ask for a new code in [45]:/);
    await enter(element, '1234');
    await untilText(element, 'You are subscribed');
  });

  it('takes a PIN that was asked for in another tab, when the number has to wait for the next one', async () => {
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

  it('counts down by the Worker’s clock, whatever the device’s says', async () => {
    const {element} = await open({pin: pinSent({expiresInMs: 600_000, resendInMs: 0, skewMs: -7_200_000})});
    await reachPin(element);
    expect(text(element)).to.match(/good for another (10:00|9:5\d)\./);
  });

  it('sends another PIN when the pause is over, and none before', async () => {
    const {worker, element} = await open({pin: pinSent({resendInMs: 45_000})});
    await reachPin(element);
    expect(text(element)).to.match(/ask for a new code in 0:4\d\./);
    expect(button(element, 'Send a new code')).to.equal(undefined);
    element.remove();
    await worker.script({pin: pinSent({resendInMs: 0})});
    const again = show(`<vezne-pin-subscribe api="${worker.address}" session="merchant-made" lang="en"></vezne-pin-subscribe>`);
    await reachPin(again);
    await press(again, 'Send a new code');
    await until('another PIN', async () => (await worker.calls('pin')).length === 3);
  });

  it('says when another PIN was sent, empties the field and reads the next SMS', async () => {
    const {worker, element} = await open({pin: pinSent({resendInMs: 0})});
    const phone = new ReadingPhone();
    try {
      await reachPin(element);
      await until('the phone asked', () => phone.waiting === 1);
      await typeInto(element, '#pin', '1111');
      await worker.script({pin: pinSent({resendInMs: 45_000})});
      await press(element, 'Send a new code');
      await untilText(element, /\d\d:\d\d: we sent a new code to 0532 123 45 67\. Write the code of the latest SMS\./);
      expect(announced(element).join()).to.contain('we sent a new code');
      expect(find<HTMLInputElement>(element, '#pin')?.value).to.equal('');
      await until('the phone asked again, and once', () => phone.waiting === 1 && phone.asked === 2);
      phone.receive('2222');
      await until('the PIN of the SMS', () => find<HTMLInputElement>(element, '#pin')?.value === '2222');
    } finally {
      phone.restore();
    }
  });

  it('writes the PIN of the SMS for who has written none, and leaves alone what was written', async () => {
    const phone = new ReadingPhone();
    try {
      const {element} = await open();
      await reachPin(element);
      await until('the phone asked', () => phone.waiting === 1);
      await typeInto(element, '#pin', '12');
      phone.receive('3456');
      const other = await open();
      await reachPin(other.element);
      await until('the phone asked', () => phone.waiting === 1);
      phone.receive('3456');
      await until('the PIN of the SMS', () => find<HTMLInputElement>(other.element, '#pin')?.value === '3456');
      expect(find<HTMLInputElement>(element, '#pin')?.value).to.equal('12');
    } finally {
      phone.restore();
    }
  });

  it('says to everybody which numbers get no SMS', async () => {
    const {element} = await open({pin: pinSent({expiresInMs: 1_500, resendInMs: 0})});
    await reachPin(element);
    const hint = 'No SMS? Check the number and the operator. A number that is subscribed already, or closed to mobile payment, gets none.';
    expect(text(element)).to.contain(hint);
    await untilText(element, 'The code has expired.');
    expect(text(element)).to.contain(hint);
  });

  it('takes no PIN that has expired, and offers a new one', async () => {
    const {element} = await open({pin: pinSent({expiresInMs: 1_500, resendInMs: 0})});
    await reachPin(element);
    await untilText(element, 'The code has expired.');
    expect(button(element, 'Start the subscription')?.disabled).to.equal(true);
    await press(element, 'Send a new code');
  });

  it('comes back to the number, which is still there', async () => {
    const {element} = await open();
    await reachPin(element);
    await press(element, 'Change the number');
    await untilText(element, 'Send me a code');
    expect(find<HTMLInputElement>(element, '#number')?.value).to.equal('0532 123 45 67');
    expect(find<HTMLInputElement>(element, '[value="4"]')?.checked).to.equal(true);
  });

  it('asks once, however often the button is pressed', async () => {
    const {worker, element} = await open();
    await reachPin(element);
    await worker.fault('subscribe', {kind: 'held'});
    await enter(element, '1234');
    button(element, 'Start the subscription')?.click();
    find<HTMLFormElement>(element, 'form')?.requestSubmit();
    await until('the call', async () => (await worker.calls('subscribe')).length > 0);
    await worker.release();
    await untilText(element, 'You are subscribed');
    expect(await worker.calls('subscribe')).to.have.length(1);
  });

  it('knows that it is subscribed when the attempt nobody answered had succeeded', async () => {
    const {worker, element} = await open();
    await reachPin(element);
    await worker.fault('subscribe', {kind: 'reset'});
    await enter(element, '1234');
    await untilText(element, 'cannot be reached');
    await worker.fault('subscribe', {kind: 'problem', code: 'already_subscribed'});
    await press(element, 'Start the subscription');
    await untilText(element, 'You are subscribed');
  });

  it('has who is asked to show that they are human do so, once for each PIN', async () => {
    const {worker, element} = await open({
      terms: terms({human_check: {sitekey: '1x00000000000000000000AA', action: 'pin'}}),
      faults: {pin: {kind: 'problem', code: 'human_check_required'}},
    });
    await fillIn(element);
    standInForTurnstile({comes: false});
    await press(element, 'Send me a code');
    await untilText(element, 'The check could not be loaded');
    standInForTurnstile();
    await press(element, 'Send me a code');
    await untilText(element, 'Please confirm that you are human');
    await press(element, 'I am human');
    await worker.fault('pin');
    await press(element, 'Send me a code');
    await untilText(element, 'Write the code from the SMS');
    const tokens = (await worker.calls('pin')).map(({body}) => (body as {human?: string}).human);
    expect(tokens).to.deep.equal([undefined, undefined, 'human-1']);
    expect(findAll(element, '[slot=human-check] button')).to.have.length(1);
  });

  it('renews a session that has ended without a word', async () => {
    const {worker, element} = await open();
    await untilText(element, 'Send me a code');
    const token = 'header.public.signature-two';
    await worker.script({token, session: session({token})});
    await reachPin(element);
    expect(await worker.calls('session')).to.have.length(2);
  });

  it('moves the focus to what begins: the PIN, then the end', async () => {
    const {element} = await open();
    await reachPin(element);
    const entry = await until('the entry', () => find(element, 'vezne-pin-entry'));
    await until('the focus', () => entry.shadowRoot?.activeElement?.id === 'pin');
    await enter(element, '1234');
    await untilText(element, 'You are subscribed');
    await until('the focus', () => entry.shadowRoot?.activeElement?.localName === 'h3');
  });

  it('has a PIN field that phones fill in', async () => {
    const {element} = await open();
    await reachPin(element);
    const field = find<HTMLInputElement>(element, '#pin');
    expect([field?.inputMode, field?.autocomplete, field?.maxLength]).to.deep.equal(['numeric', 'one-time-code', -1]);
  });

  it('says that an offer is not there, and that the network is not', async () => {
    const gone = await open({faults: {session: {kind: 'problem', code: 'unknown_offer'}}});
    await untilText(gone.element, 'This subscription is not on offer right now');
    const away = await open({faults: {session: {kind: 'reset'}}});
    await untilText(away.element, 'cannot be reached');
    await away.worker.fault('session');
    await press(away.element, 'Try again');
    await untilText(away.element, 'Club membership');
  });
});
