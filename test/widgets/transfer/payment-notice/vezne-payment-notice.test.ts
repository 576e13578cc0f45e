import {expect} from '@open-wc/testing/pure';
import {setViewport} from '@web/test-runner-commands';
import '../../../../widgets/bundles/hosted.ts';
import type {RedirectEvent} from '../../../../widgets/transfer/pay-button/hosted-pages.ts';
import {looksLikeIdentityNumber} from '../../../../widgets/transfer/payment-notice/notice-fields.ts';
import type {NoticeEvent} from '../../../../widgets/transfer/payment-notice/vezne-payment-notice.ts';
import {NO_PREFILL, PAYMENTS} from '../../stub-worker/answers.ts';
import type {Script} from '../../stub-worker/script.ts';
import {FakeTime} from '../../support/fake-time.ts';
import {find, findAll, focused, record, show, text, until, untilElapsed, untilText} from '../../support/page.ts';
import {chooseBank, clickOn, press, typeInto} from '../../support/shopper.ts';
import {TestWorker} from '../../support/test-worker.ts';

async function open(script: Partial<Script> = {}) {
  const worker = await TestWorker.start(script);
  const element = show<HTMLElement>(
    `<vezne-payment-notice api="${worker.address}" offer="gold" lang="en"></vezne-payment-notice>`,
  );
  const redirects = record<RedirectEvent>(element, 'vezne-redirect');
  const notices = record<NoticeEvent>(element, 'vezne-notice');
  element.addEventListener('vezne-redirect', (event) => event.preventDefault());
  await untilText(element, 'Report my payment');
  return {worker, element, redirects, notices};
}

const STARTED = {at: '2026-11-21T15:42:00+03:00', bank: 'toros', amount: '149.90'};

/** Opens a page whose notice was started but not submitted. @param query - The query of the page's URL. */
const openStarted = async (query: string) => {
  const worker = await TestWorker.start({payment: {...PAYMENTS.waiting, notice: {...STARTED, sent: false}}});
  history.replaceState(null, '', query);
  const element = show(`<vezne-payment-status api="${worker.address}" offer="gold" lang="en"></vezne-payment-status>`);
  await until('the status', () => find(element, 'h3'));
  return {worker, element};
};

const valueOf = (element: Element, name: string) => find<HTMLInputElement>(element, `[name=${name}]`)?.value;

describe('vezne-payment-notice', () => {
  it('is not filled with what belongs to another order than that of its session', async () => {
    const other = {...NO_PREFILL, name: 'Ada Örnek'};
    const time = new FakeTime();
    try {
      const {worker, element} = await open({prefill: {...other, order: 'another'}});
      await untilElapsed(time, 'two requests', async () => (await worker.calls('prefill')).length > 1);
      expect(valueOf(element, 'name')).to.equal('');
      await worker.script({prefill: other});
      await untilElapsed(time, 'the name', () => valueOf(element, 'name') === 'Ada Örnek');
    } finally {
      time.release();
    }
  });

  it('sends the notice, and sends the shopper to the platform’s page', async () => {
    const {worker, element, redirects, notices} = await open();
    await typeInto(element, '[name=bank]', 'toros');
    await typeInto(element, '[name=amount]', 'TL 1.149,9');
    await typeInto(element, '[name=name]', ' Deniz Örnek ');
    await typeInto(element, '[name=when]', '2026-11-20T09:30');
    await typeInto(element, '[name=phone]', '+90 (0532) 123 45 67');
    await typeInto(element, '[name=identity]', '\u202a10000000146\u202c');
    await press(element, 'Report my payment');
    await until('the redirect', () => redirects.length > 0);
    const [call] = await worker.calls('notice');
    const {redirect_url, back_url, ...body} = (call?.body ?? {}) as Record<string, unknown>;
    expect(body).to.deep.equal({
      bank: 'toros',
      amount: '1149.90',
      notice: {name: 'Deniz Örnek', phone: '5321234567', tc_no: '10000000146', apply_time: '2026-11-20T09:30:00+03:00'},
    });
    expect(
      [redirect_url, back_url].map((address) => new URL(String(address)).searchParams.get('vezne-return')),
    ).to.deep.equal(['notice.done', 'notice.back']);
    expect(notices.map(({noticeCode}) => noticeCode)).to.deep.equal(['N-77']);
    expect(redirects.map(({url}) => url)).to.deep.equal(['https://pay.platform.example/phs/yonlendir/N-77']);
  });

  it('can be sent again after the browser has restored the page from the back-forward cache', async () => {
    // The platform's page has the URL of this page and a fragment, so that the browser stays on this page.
    const here = location.href;
    const worker = await TestWorker.start({notice: {notice_code: 'N-1', url: `${here}#left`}});
    const element = show(
      `<vezne-payment-notice api="${worker.address}" offer="gold" lang="en"></vezne-payment-notice>`,
    );
    await typeInto(element, '[name=bank]', 'toros');
    await typeInto(element, '[name=amount]', '149,90');
    await typeInto(element, '[name=when]', '2026-11-20T09:30');
    await press(element, 'Report my payment');
    await until('the other page', () => location.hash === '#left');
    history.replaceState(null, '', here);
    expect(find(element, 'button[type=submit]')?.getAttribute('aria-busy')).to.equal('true');
    dispatchEvent(new PageTransitionEvent('pageshow', {persisted: true}));
    await press(element, 'Report my payment');
    await until('the second request', async () => (await worker.calls('notice')).length === 2);
  });

  it('shows an error beside each invalid field, keeps what the shopper typed, and sends nothing', async () => {
    const {worker, element} = await open();
    await typeInto(element, '[name=amount]', 'çok');
    await typeInto(element, '[name=email]', 'deniz@');
    await typeInto(element, '[name=when]', '2199-01-01T00:00');
    await press(element, 'Report my payment');
    await untilText(element, 'Choose the bank you sent the money to.');
    for (const message of [
      'Enter the amount you sent in digits',
      'Check the e-mail address.',
      'Choose a date and time in the past.',
    ]) {
      expect(text(element)).to.contain(message);
    }
    expect(element.shadowRoot?.activeElement?.getAttribute('name')).to.equal('bank');
    expect(valueOf(element, 'amount')).to.equal('çok');
    expect(await worker.calls('notice')).to.deep.equal([]);
  });

  it('knows just now, today and yesterday in Turkish time, and shows the exact time behind the last two', async () => {
    const {element} = await open();
    await untilText(element, 'Report my payment');
    const hours = () => (Date.now() - Date.parse(`${valueOf(element, 'when')}:00+03:00`)) / 3_600_000;
    const isShown = () => find(element, '#when')?.checkVisibility();
    expect([isShown(), Math.abs(hours()) < 0.1]).to.deep.equal([false, true]);
    await press(element, 'Yesterday');
    await until('the field', isShown);
    expect(Math.round(hours())).to.equal(24);
    expect(text(element)).to.contain('(Turkish time)');
    await press(element, 'Today');
    expect(Math.round(hours())).to.equal(0);
    expect(findAll(element, '[aria-pressed=true]').map(text)).to.deep.equal(['Today']);
  });

  it('removes the error of a field when the values of the order arrive later and fill in the field', async () => {
    const {worker, element} = await open({faults: {prefill: {kind: 'held'}}});
    await press(element, 'Report my payment');
    await untilText(element, 'Enter the amount you sent');
    await worker.release();
    await until('the amount', () => valueOf(element, 'amount') === '149.90');
    await until('no error', () => !text(element).includes('Enter the amount you sent'));
    expect(findAll(element, '[aria-invalid]').map((field) => field.id)).to.deep.equal(['bank']);
  });

  it('focuses the first invalid field, even if the field is in closed details', async () => {
    const {element} = await open();
    await typeInto(element, '[name=bank]', 'toros');
    await until('the amount', () => valueOf(element, 'amount'));
    await typeInto(element, '[name=when]', '2199-01-01T00:00');
    await press(element, 'Report my payment');
    expect(element.shadowRoot?.activeElement?.getAttribute('name')).to.equal('when');
    // The e-mail field is in the closed details, which open before the focus moves.
    await typeInto(element, '[name=when]', '2026-11-20T09:30');
    await typeInto(element, '[name=email]', 'deniz@');
    await press(element, 'Report my payment');
    expect(element.shadowRoot?.activeElement?.getAttribute('name')).to.equal('email');
  });

  it('has the values of its session after the page has set another one', async () => {
    const {worker, element} = await open({prefill: {...NO_PREFILL, name: 'Ada Örnek', email: 'ada@shop.example'}});
    await until('the name', () => valueOf(element, 'name') === 'Ada Örnek');
    await worker.script({prefill: {...NO_PREFILL, name: 'Can Deneme'}});
    Object.assign(element, {session: 'a.b.another-session'});
    await until('the other name', () => valueOf(element, 'name') === 'Can Deneme');
    expect(valueOf(element, 'email')).to.equal('');
  });

  it('is prefilled with the shopper’s data and the remaining amount', async () => {
    const {element} = await open({
      prefill: {...NO_PREFILL, amount: '49.90', name: 'Deniz Örnek', phone: '5321234567'},
    });
    await until('the name', () => valueOf(element, 'name') === 'Deniz Örnek');
    expect([valueOf(element, 'amount'), valueOf(element, 'email'), valueOf(element, 'phone')]).to.deep.equal([
      '49.90',
      '',
      '0532 123 45 67',
    ]);
  });

  for (const [code, tone, notice, hasButton] of [
    [
      'platform_refused',
      '',
      'We couldn’t send your report Try again in a moment. If it keeps happening, tell the seller. Don’t send the money again. Error code: platform_refused.',
      true,
    ],
    ['session_expired', 'warn', 'Reload it to report again. Don’t send the money again.', false],
    [
      'order_paid',
      'calm good',
      'There’s nothing left to pay for this order You don’t need to report a payment.',
      false,
    ],
    ['order_cancelled', 'calm', 'Don’t send the money. If you already have, contact the seller.', false],
  ] as const)
    it(`does not invite the shopper to send the money again if the Worker refuses with ${code}`, async () => {
      const {element} = await open({faults: {notice: {kind: 'problem', code}}});
      await typeInto(element, '[name=bank]', 'toros');
      await typeInto(element, '[name=when]', '2026-11-20T09:30');
      await until('the amount', () => valueOf(element, 'amount'));
      await press(element, 'Report my payment');
      await untilText(element, notice);
      expect(find(element, '.problem')?.className.trim()).to.equal(`problem ${tone}`.trim());
      expect(find(element, '[type=submit]') !== undefined).to.equal(hasButton);
    });

  it('warns the shopper if an identity number looks wrong, but sends it', async () => {
    const {worker, element, redirects} = await open();
    await typeInto(element, '[name=bank]', 'toros');
    await typeInto(element, '[name=name]', 'Deniz Örnek');
    await typeInto(element, '[name=when]', '2026-11-20T09:30');
    await typeInto(element, '[name=identity]', '12345678901');
    await untilText(element, 'doesn’t look like a Turkish ID number');
    await until('the amount', () => valueOf(element, 'amount'));
    await press(element, 'Report my payment');
    await until('the redirect', () => redirects.length > 0);
    expect((await worker.calls('notice'))[0]?.body).to.have.nested.property('notice.tc_no', '12345678901');
  });

  it('says that the notice is not sent, keeps what the shopper typed, and sends the notice at the next try', async () => {
    const {worker, element, redirects} = await open({
      faults: {notice: {kind: 'problem', code: 'temporarily_unavailable'}},
    });
    await typeInto(element, '[name=bank]', 'toros');
    await typeInto(element, '[name=name]', 'Deniz Örnek');
    await typeInto(element, '[name=when]', '2026-11-20T09:30');
    await until('the amount', () => valueOf(element, 'amount'));
    await press(element, 'Report my payment');
    const unsent = 'Your report hasn’t been sent yet Try again in a moment. Don’t send the money again.';
    await untilText(element, unsent);
    expect(valueOf(element, 'name')).to.equal('Deniz Örnek');
    await worker.fault('notice', {kind: 'problem', code: 'rate_limited'});
    await clickOn(element, 'button[type=submit]');
    await until('the second refusal', async () => (await worker.calls('notice')).length === 2);
    await untilText(element, unsent);
    await worker.fault('notice');
    await until('the end of the wait', () => find(element, '[type=submit]')?.ariaDisabled !== 'true');
    await clickOn(element, 'button[type=submit]');
    await until('the redirect', () => redirects.length > 0);
  });

  it('recognizes valid identity numbers by their check digits', () => {
    expect(
      ['10000000146', '12345678950', '12345678901', '01234567890', '1000000014', 'abcdefghijk'].map(
        looksLikeIdentityNumber,
      ),
    ).to.deep.equal([true, true, false, false, false, false]);
  });

  it('is offered from the first second, and disappears when the platform has received the notice', async () => {
    const worker = await TestWorker.start();
    const element = show(
      `<vezne-payment-status api="${worker.address}" offer="gold" lang="en"></vezne-payment-status>`,
    );
    await press(element, 'I left out the code');
    await untilText(element, 'Report my payment');
    await worker.send({...PAYMENTS.waiting, notice: {...STARTED, sent: true}});
    await untilText(element, 'We’re looking for your payment');
    expect(text(element)).to.not.contain('Report my payment');
  });

  describe('that was not submitted on the platform’s page', () => {
    it('is called unsent, and the form is offered immediately', async () => {
      const {element} = await openStarted('?vezne-return=notice.back');
      expect(text(element)).to.contain('Your report hasn’t arrived yet');
      expect(location.search).to.not.contain('vezne-return');
      await press(element, 'Finish your report');
      await untilText(element, 'Report my payment');
    });

    it('focuses the title of its form when the shopper opens the form', async () => {
      const {element} = await openStarted('?vezne-return=notice.back');
      const question = await until('the question', () => find(element, 'button.forgotten'));
      question.focus();
      question.click();
      const form = await until('the form', () => find(element, 'vezne-payment-notice'));
      await until('its title', () => focused() && focused() === find(form, 'h3'));
    });

    it('has fields that fit into the card on the smallest phone, and are at least 75 % as wide', async () => {
      const worker = await TestWorker.start({payment: {...PAYMENTS.waiting, notice: {...STARTED, sent: false}}});
      await setViewport({width: 360, height: 800});
      const element = show(`<vezne-checkout api="${worker.address}" offer="gold" lang="tr"></vezne-checkout>`);
      await chooseBank(element, 'Çınar');
      await press(element, 'Bildirimi tamamla');
      await untilText(element, 'Ödememi bildir');
      const form = await until('the form', () => find(element, 'vezne-payment-notice'));
      await press(form, 'Dün');
      (await until('the further fields', () => find<HTMLDetailsElement>(form, 'details'))).open = true;
      const card = (await until('the card', () => find(element, '.body'))).getBoundingClientRect();
      const fields = findAll(form, 'input, select');
      const boxes = fields.map((field) => field.getBoundingClientRect());
      await setViewport({width: 800, height: 600});
      expect(boxes).to.have.length(8);
      for (const {left, right, width} of boxes) {
        expect(left).to.be.at.least(card.left);
        expect(right).to.be.at.most(card.right);
        expect(width).to.be.at.least(card.width * 0.75);
      }
    });
  });
});
