/** A mobile number that is subscribed: the form it is asked for with, and the way to the end. */

import {expect} from '@open-wc/testing';
import {parseMsisdn} from '../../../../widgets/core/format.ts';
import {session, terms} from '../../stub-worker/answers.ts';
import {installFakeTurnstile} from '../../support/fake-turnstile.ts';
import {clickOn, find, findAll, press, record, show, text, typeInto, until, untilText} from '../../support/page.ts';
import {button, enter, fillIn, open, reachPin} from '../../support/pin-page.ts';

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
      expect(parseMsisdn(written)).to.equal(read);
    });
  }

  it('says beside each field what is missing, asks nothing, and leads to the first', async () => {
    const {worker, element} = await open();
    await untilText(element, 'Send me a code');
    await typeInto(element, '#number', '0212 123 45 67');
    await press(element, 'Send me a code');
    await untilText(element, 'Choose your operator.');
    expect(text(element))
      .to.contain('ten digits that begin with 5.')
      .and.to.contain('Agree to the price and the terms to continue.');
    expect(element.shadowRoot?.activeElement?.getAttribute('name')).to.equal('operator');
    expect(await worker.calls('pin')).to.deep.equal([]);
  });

  it('calls nothing wrong any more that is put right', async () => {
    const {element} = await open();
    await press(element, 'Send me a code');
    const wrong = () =>
      findAll(element, '.field-error')
        .map((each) => text(each))
        .filter(Boolean).length;
    await until('three errors', () => wrong() === 3);
    await clickOn(element, '[name=operator][value="4"]');
    await until('two errors', () => wrong() === 2);
    await typeInto(element, '#number', '0532 123 45 6');
    expect(wrong()).to.equal(2);
    await typeInto(element, '#number', '0532 123 45 67');
    await until('one error', () => wrong() === 1);
    await clickOn(element, '[name=consent]');
    await until('no error', () => wrong() === 0);
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
    const again = show(
      `<vezne-pin-subscribe api="${worker.address}/" offer="club" session="another" lang="en"></vezne-pin-subscribe>`,
    );
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
    expect((await worker.calls('pin'))[0]?.body)
      .to.have.property('tracking_id')
      .that.matches(/^\w{8,}$/);
    expect(sessionStorage['vezne tracking']).to.equal(undefined);
    expect(Object.keys(localStorage)).to.deep.equal([]);
  });

  it('shows a number grouped once it is one', async () => {
    const {element} = await open();
    await typeInto(element, '#number', '+905321234567');
    expect(find<HTMLInputElement>(element, '#number')?.value).to.equal('0532 123 45 67');
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
    installFakeTurnstile({loads: false});
    await press(element, 'Send me a code');
    await untilText(element, 'The check could not be loaded');
    installFakeTurnstile();
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
