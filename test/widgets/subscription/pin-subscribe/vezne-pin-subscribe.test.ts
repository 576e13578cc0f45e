/** How a shopper subscribes a mobile number: the number form, and all steps until the subscription has started. */

import {expect} from '@open-wc/testing/pure';
import {setViewport} from '@web/test-runner-commands';
import {pinSent, session, terms} from '../../stub-worker/answers.ts';
import {installFakeTurnstile} from '../../support/fake-turnstile.ts';
import {inside, openPage, reload} from '../../support/frame.ts';
import {announcements, find, findAll, record, show, text, until, untilText} from '../../support/page.ts';
import {button, enter, fillIn, open, reachPin} from '../../support/pin-page.ts';
import {clickOn, press, typeInto} from '../../support/shopper.ts';
import {TestWorker} from '../../support/test-worker.ts';

/** The date in so many milliseconds, as the element writes it. */
const day = (ms: number) =>
  new Intl.DateTimeFormat('en-GB', {dateStyle: 'medium', timeZone: 'Europe/Istanbul'}).format(Date.now() + ms);

describe('vezne-pin-subscribe', () => {
  it('shows title, price and terms above the form, whose consent box is not ticked', async () => {
    const {element} = await open({}, 'lang="tr"');
    await untilText(element, 'Onay kodu gönder');
    expect(text(element)).to.equal(
      'Kulüp üyeliği ₺12,00 / hafta Üyeler yeni ürünleri iki gün önceden görür. ' +
        'Siz iptal edene kadar otomatik yenilenir. Ücret faturanıza yansıtılır veya bakiyenizden düşülür. ' +
        'Abonelik koşulları Aydınlatma metni Operatörünüz Telemavi Kuzeycell ' +
        'Cep telefonu numaranız Örnek: 0532 123 45 67 Ücreti ve koşulları okudum, abone olmak istiyorum. Onay kodu gönder',
    );
    expect(find<HTMLInputElement>(element, '[name=consent]')?.checked).to.equal(false);
  });

  it('subscribes with the PIN from the SMS, and dispatches events to the page', async () => {
    const {worker, element} = await open();
    const sent = record<Event>(element, 'vezne-pin-sent');
    const subscribed = record<Event & {trackingId: string}>(element, 'vezne-subscribe');
    // As a site prints it and a phone copies it, and with the digits of another keyboard.
    await fillIn(element, '\u202a+90 (0532) 123–45–67\u202c');
    await press(element, 'Text me a code');
    await untilText(element, 'We sent it to 0532 123 45 67.');
    await enter(element, ' １２ 3٤ ');
    await untilText(element, 'You’re subscribed');
    const [pin] = await worker.calls('pin');
    const [subscribe] = await worker.calls('subscribe');
    const tracking_id = subscribed[0]?.trackingId;
    expect(pin?.body).to.deep.equal({msisdn: '5321234567', operator: 4, tracking_id});
    expect(subscribe?.body).to.deep.equal({
      msisdn: '5321234567',
      operator: 4,
      pin: '1234',
      tracking_id,
      language: 'en',
    });
    expect([sent.length, subscribed.length]).to.deep.equal([1, 1]);
  });

  it('shows an error beside each invalid field, focuses the first of them, and sends nothing', async () => {
    const {worker, element} = await open();
    await untilText(element, 'Text me a code');
    await typeInto(element, '#number', '0212 123 45 67');
    await press(element, 'Text me a code');
    await untilText(element, 'Choose your operator.');
    expect(text(element))
      .to.contain('11 digits starting with 05.')
      .and.to.contain('Agree to the price and terms to continue.');
    expect(element.shadowRoot?.activeElement?.getAttribute('name')).to.equal('operator');
    expect(await worker.calls('pin')).to.deep.equal([]);
  });

  it('scrolls the first invalid field and its label to a place below a fixed header of the page', async () => {
    const header = show('<div style="position: fixed; inset: 0 0 auto; block-size: 90px"></div>');
    const {element} = await open();
    show('<div style="block-size: 1000px"></div>');
    await setViewport({width: 360, height: 600});
    const send = await until('the button', () => button(element, 'Text me a code'));
    for (const wanted of ['operator', 'number', 'consent']) {
      // The field is hidden by the header.
      const field = await until(wanted, () => find(element, `[name=${wanted}]`));
      scrollTo(0, field.getBoundingClientRect().top + scrollY - 40);
      send.click();
      await until('the focus', () => find(element, `[name=${wanted}]:focus`));
      const name =
        wanted === 'operator'
          ? find(element, '#operator')
          : find(element, `label:has([name=${wanted}]), [for=${wanted}]`);
      expect(name?.getBoundingClientRect().top, wanted).to.be.at.least(header.offsetHeight);
      if (wanted === 'operator') await clickOn(element, '[name=operator][value="4"]');
      if (wanted === 'number') await typeInto(element, '#number', '0532 123 45 67');
    }
    await setViewport({width: 800, height: 600});
  });

  it('removes an error as soon as the shopper corrects the field', async () => {
    const {element} = await open();
    await press(element, 'Text me a code');
    const errorCount = () =>
      findAll(element, '.field-error')
        .map((each) => text(each))
        .filter(Boolean).length;
    await until('three errors', () => errorCount() === 3);
    await clickOn(element, '[name=operator][value="4"]');
    await until('two errors', () => errorCount() === 2);
    await typeInto(element, '#number', '0532 123 45 6');
    expect(errorCount()).to.equal(2);
    await typeInto(element, '#number', '0532 123 45 67');
    await until('one error', () => errorCount() === 1);
    await clickOn(element, '[name=consent]');
    await until('no error', () => errorCount() === 0);
  });

  it('names the operator instead of asking for it if there is only one, also if the operator is refused', async () => {
    const {worker, element} = await open({
      terms: terms({operators: [{id: 5, name: 'Üç'}]}),
      faults: {pin: {kind: 'problem', code: 'operator_invalid'}},
    });
    await untilText(element, 'Only Üç numbers can subscribe. For example, 0532 123 45 67');
    await typeInto(element, '#number', '5321234567');
    await clickOn(element, '[name=consent]');
    await press(element, 'Text me a code');
    await until('the error', () => find(element, '#number-error')?.textContent === 'Only Üç numbers can subscribe.');
    await worker.fault('pin');
    await press(element, 'Text me a code');
    await untilText(element, 'Enter the code we texted you');
    expect((await worker.calls('pin'))[0]?.body).to.include({operator: 5});
  });

  it('remembers the operator, but never the consent', async () => {
    const {worker, element} = await open();
    await reachPin(element);
    element.remove();
    sessionStorage.clear();
    const again = show(
      `<vezne-pin-subscribe api="${worker.address}/" offer="club" session="another" lang="en"></vezne-pin-subscribe>`,
    );
    await untilText(again, 'Text me a code');
    expect(find<HTMLInputElement>(again, '[value="4"]')?.checked).to.equal(true);
    expect(find<HTMLInputElement>(again, '[name=consent]')?.checked).to.equal(false);
  });

  it('stores neither the tracking id nor the operator before the shopper has consented to tracking', async () => {
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

  it('groups the digits of a complete number', async () => {
    const {element} = await open();
    await typeInto(element, '#number', '+905321234567');
    expect(find<HTMLInputElement>(element, '#number')?.value).to.equal('0532 123 45 67');
  });

  it('names the free days in the price, on the button and on the card, and the first payment after them', async () => {
    const {worker, element} = await open({terms: terms({period: 'monthly', trial_days: 7})});
    const price = () => text(find(element, '[part=price]') as Element);
    await until('the price', () => find(element, '[part=price]'));
    expect(price()).to.equal('₺12.00 a month, first 7 days free');
    element.lang = 'tr';
    await until('the Turkish price', () => price() === '7 gün ücretsiz, sonra aylık ₺12,00');
    element.lang = 'en';
    await reachPin(element);
    await enter(element, '1234', 'Subscribe for ₺12.00 a month, first 7 days free');
    await untilText(element, `₺12.00 a month, first 7 days free Number 0532 *** ** 67 Started ${day(0)}`);
    expect(text(element)).to.include(`Next payment ${day(7 * 86_400_000)}`);
    expect(await worker.calls('subscribe')).to.have.length(1);
  });

  it('shows number, price and the next payment after the shopper has subscribed, also after a reload', async () => {
    const worker = await TestWorker.start();
    const frame = await openPage({
      head: '<style>a {color: #345c00; background: #fff}</style><script type="module" src="/widgets/bundles/pin-subscribe.ts"></script>',
      body: `<vezne-pin-subscribe api="${worker.address}" offer="club" lang="en" theme="light"><a slot="done" hidden href="/club">Club</a></vezne-pin-subscribe>`,
    });
    const element = await inside(frame, 'vezne-pin-subscribe');
    const subscribed = record<Event>(element, 'vezne-subscribe');
    await reachPin(element);
    await enter(element, '1234');
    const card =
      'You’re subscribed Your operator will confirm by text message and tell you how to cancel. ' +
      `Club membership ₺12.00 a week Number 0532 *** ** 67 Started ${day(0)} Next payment ${day(7 * 86_400_000)}`;
    await until('the card', () => text(element) === card);
    expect(subscribed).to.have.length(1);
    expect(find<HTMLAnchorElement>(element, 'a.link')?.href).to.equal('https://shop.example/account');
    const next = element.querySelector('a') as HTMLAnchorElement;
    expect(next.offsetHeight, 'the page’s link is the main button').to.be.greaterThan(44);
    const {color, backgroundColor} = getComputedStyle(next);
    expect([color, backgroundColor], 'whatever colors the page’s links have').to.deep.equal([
      'rgb(255, 255, 255)',
      'rgb(11, 100, 84)',
    ]);
    await reload(frame);
    const again = await inside(frame, 'vezne-pin-subscribe');
    const repeated = record<Event>(again, 'vezne-subscribe');
    await until('the card', () => text(again) === card);
    expect(find(again, '#number')).to.equal(undefined);
    expect(repeated, 'the page is told only once').to.deep.equal([]);
    expect(JSON.stringify({...sessionStorage})).to.not.contain('5321234567');
  });

  it('lets the tracker count the click that requests a PIN only if all fields are correct', async () => {
    const {element} = await open();
    await untilText(element, 'Text me a code');
    const marked = () => find(element, '[data-vezne-track=subscribe_clicked]') !== undefined;
    await press(element, 'Text me a code');
    await untilText(element, 'Choose your operator.');
    expect(marked()).to.equal(false);
    await fillIn(element);
    await until('the mark', marked);
  });

  it('lets the tracker count the click that subscribes once for each PIN, if the PIN has only digits', async () => {
    const {worker, element} = await open({
      pin: pinSent({resendInMs: 0}),
      faults: {subscribe: {kind: 'problem', code: 'pin_wrong', attemptsLeft: 4}},
    });
    await reachPin(element);
    const marked = () => find(element, '[data-vezne-track=confirm_clicked]') !== undefined;
    expect(marked()).to.equal(false);
    await typeInto(element, '#pin', '12a4');
    await until('an update', () => find(element, '#confirm'));
    expect(marked()).to.equal(false);
    await typeInto(element, '#pin', '1234');
    await until('the mark', marked);
    await press(element, 'Subscribe for ₺12.00 a week');
    await untilText(element, 'That code isn’t right.');
    expect(marked()).to.equal(false);
    await worker.script({pin: pinSent({resendInMs: 0})});
    await press(element, 'Text me a new code');
    await untilText(element, 'We sent a new code');
    await typeInto(element, '#pin', '5678');
    await until('the mark', marked);
  });

  it('has one announcement for several errors, and fields that a screen reader calls required', async () => {
    const {element} = await open();
    await press(element, 'Text me a code');
    await until('the announcement', () => announcements(element).length > 0);
    expect(announcements(element)).to.deep.equal([
      'Choose your operator. Enter a Turkish mobile number: 11 digits starting with 05. Agree to the price and terms to continue.',
    ]);
    const required = findAll<HTMLInputElement>(element, '[required]').map(({name}) => name);
    expect(required).to.deep.equal(['number', 'consent']);
    expect(find(element, '[role=radiogroup]')?.ariaRequired).to.equal('true');
  });

  it('goes back to the number form, which still contains the number and the operator', async () => {
    const {element} = await open();
    await reachPin(element);
    await press(element, 'Change number');
    await untilText(element, 'Text me a code');
    expect(find<HTMLInputElement>(element, '#number')?.value).to.equal('0532 123 45 67');
    expect(find<HTMLInputElement>(element, '[value="4"]')?.checked).to.equal(true);
  });

  it('sends one request, even if the shopper submits several times', async () => {
    const {worker, element} = await open();
    await reachPin(element);
    await worker.fault('subscribe', {kind: 'held'});
    await enter(element, '1234');
    const confirm = await until('the label', () => button(element, 'Starting…'));
    expect([confirm.ariaBusy, confirm.ariaDisabled]).to.deep.equal(['true', 'true']);
    confirm.click();
    find<HTMLFormElement>(element, 'form')?.requestSubmit();
    await until('the call', async () => (await worker.calls('subscribe')).length > 0);
    await worker.release();
    await untilText(element, 'You’re subscribed');
    expect(await worker.calls('subscribe')).to.have.length(1);
  });

  it('shows success if an earlier attempt succeeded but got no answer', async () => {
    const {worker, element} = await open();
    await reachPin(element);
    await worker.fault('subscribe', {kind: 'reset'});
    await enter(element, '1234');
    await untilText(element, 'We can’t reach');
    await worker.fault('subscribe', {kind: 'problem', code: 'temporarily_unavailable'});
    await press(element, 'Subscribe for ₺12.00 a week');
    await untilText(element, 'We don’t know yet whether this went through');
    await worker.fault('subscribe', {kind: 'problem', code: 'already_subscribed'});
    await press(element, 'Subscribe for ₺12.00 a week');
    await untilText(element, 'You’re subscribed');
  });

  it('shows success after a reload, if the attempt before it succeeded but got no answer', async () => {
    const worker = await TestWorker.start({faults: {subscribe: {kind: 'problem', code: 'outcome_unknown'}}});
    const frame = await openPage({
      head: '<script type="module" src="/widgets/bundles/pin-subscribe.ts"></script>',
      body: `<vezne-pin-subscribe api="${worker.address}" offer="club" lang="en"></vezne-pin-subscribe>`,
    });
    const element = await inside(frame, 'vezne-pin-subscribe');
    await reachPin(element);
    await enter(element, '1234');
    await untilText(element, 'We don’t know yet whether this went through');
    await worker.fault('subscribe', {kind: 'problem', code: 'subscription_failed'});
    await reload(frame);
    const again = await inside(frame, 'vezne-pin-subscribe');
    const subscribed = record<Event>(again, 'vezne-subscribe');
    await untilText(again, 'Enter the code we texted you');
    await enter(again, '1234');
    await untilText(again, 'Check your balance and try again. The same number won’t be charged twice.');
    await worker.fault('subscribe', {kind: 'problem', code: 'already_subscribed'});
    await press(again, 'Subscribe for ₺12.00 a week');
    await untilText(again, 'You’re subscribed');
    expect(subscribed).to.have.length(1);
  });

  it('calls another number subscribed already, although an attempt with the first number got no answer', async () => {
    const {worker, element} = await open({faults: {subscribe: {kind: 'problem', code: 'outcome_unknown'}}});
    await reachPin(element);
    await enter(element, '1234');
    await untilText(element, 'We don’t know yet whether this went through');
    await press(element, 'Change number');
    await untilText(element, 'Text me a code');
    await fillIn(element, '0542 000 00 89');
    await press(element, 'Text me a code');
    await untilText(element, 'We sent it to 0542 000 00 89.');
    await worker.fault('subscribe', {kind: 'problem', code: 'already_subscribed'});
    await enter(element, '1234');
    await untilText(element, 'This number already has the subscription.');
  });

  it('shows one human check if the Worker requires it, and sends its token with the next PIN request', async () => {
    const {worker, element} = await open({
      terms: terms({human_check: {sitekey: '1x00000000000000000000AA', action: 'pin'}}),
      faults: {pin: {kind: 'problem', code: 'human_check_required'}},
    });
    await fillIn(element);
    installFakeTurnstile({loads: false});
    await press(element, 'Text me a code');
    await untilText(element, 'Check your connection and try again. You won’t pay until you confirm.');
    expect(text(element)).to.not.contain('Complete the check');
    installFakeTurnstile();
    await press(element, 'Text me a code');
    await untilText(element, 'Confirm you’re human Complete the check below, then request your code.');
    expect(find(element, '.calm') !== undefined, 'the notice is gray').to.equal(true);
    await press(element, 'I am human');
    await worker.fault('pin');
    await press(element, 'Text me a code');
    await untilText(element, 'Enter the code we texted you');
    const tokens = (await worker.calls('pin')).map(({body}) => (body as {human?: string}).human);
    expect(tokens).to.deep.equal([undefined, undefined, 'human-1']);
    expect(findAll(element, '[slot=human-check] button')).to.have.length(1);
  });

  it('opens a new session if the old one has expired, without telling the shopper', async () => {
    const {worker, element} = await open();
    await untilText(element, 'Text me a code');
    const token = 'header.eyJvcmRlciI6IlAtMTAwOSJ9.signature-two';
    await worker.script({token, session: session({token})});
    await reachPin(element);
    expect(await worker.calls('session')).to.have.length(2);
  });

  it('moves the focus to the PIN field, then to the title of the result', async () => {
    const {element} = await open();
    await reachPin(element);
    const entry = await until('the entry', () => find(element, 'vezne-pin-entry'));
    await until('the focus', () => entry.shadowRoot?.activeElement?.id === 'pin');
    await enter(element, '1234');
    await untilText(element, 'You’re subscribed');
    await until('the focus', () => entry.shadowRoot?.activeElement?.localName === 'vezne-result');
  });

  it('tells the shopper if the offer is unavailable or the network has failed', async () => {
    const unknownOffer = await open({faults: {session: {kind: 'problem', code: 'unknown_offer'}}});
    await untilText(unknownOffer.element, 'This subscription isn’t available right now');
    const unreachable = await open({faults: {session: {kind: 'reset'}}});
    await untilText(unreachable.element, 'We can’t reach');
    await unreachable.worker.fault('session');
    await press(unreachable.element, 'Try again');
    await untilText(unreachable.element, 'Club membership');
  });
});
