/** How the first device shows the QR code that opens an order on a second device. */

import {expect} from '@open-wc/testing/pure';
import {setViewport} from '@web/test-runner-commands';
import type {LitElement} from 'lit';
import {handoffUrl} from '../../../../widgets/transfer/handoff/vezne-handoff.ts';
import {claimHandoffLink, takeHandoffLink} from '../../../../widgets/transfer/purchase/handoff-link.ts';
import {PAYMENTS, handoff} from '../../stub-worker/answers.ts';
import {FakeTime} from '../../support/fake-time.ts';
import {announcements, find, findAll, show, text, until, untilText} from '../../support/page.ts';
import {chooseBank, press} from '../../support/shopper.ts';
import {TestWorker} from '../../support/test-worker.ts';

const LINK = `#${new URLSearchParams({vezne: handoff().code, offer: 'gold', bank: 'toros'})}`;

const code = (worker: TestWorker) =>
  show(`<vezne-payment-code api="${worker.address}" offer="gold" bank="toros" lang="en"></vezne-payment-code>`);

let copiedLink = '';

const writeText = async (link: string): Promise<void> => {
  copiedLink = link;
};

/** The link in the QR code, which the page shows only as a picture. */
function linkOf(element: Element): string {
  findAll(element, 'button')
    .find((each) => text(each) === 'Copy the link')
    ?.click();
  return copiedLink;
}

const untilLink = (element: Element, expected: string) =>
  until(`the link “${expected}”`, () => linkOf(element).includes(expected));

describe('vezne-handoff', () => {
  beforeEach(() => {
    Object.defineProperty(navigator, 'clipboard', {value: {writeText}, configurable: true});
  });
  afterEach(() => {
    copiedLink = '';
    delete (navigator as {clipboard?: unknown}).clipboard;
  });

  it('keeps the fragment of the page, and the route in it, on the phone and after the link was taken', () => {
    const here = location.href.split('#')[0] ?? '';
    const link = {vezne: 'AB-1', offer: 'gold'};
    for (const [fragment, expected] of [
      ['', '#vezne=AB-1&offer=gold'],
      ['#', '#vezne=AB-1&offer=gold'],
      ['#/odeme', '#/odeme?vezne=AB-1&offer=gold'],
      ['#/odeme?step=2', '#/odeme?step=2&vezne=AB-1&offer=gold'],
      ['#!/odeme', '#!/odeme?vezne=AB-1&offer=gold'],
      ['#prices', '#prices?vezne=AB-1&offer=gold'],
    ] as const) {
      history.replaceState(null, '', here + fragment);
      const address = handoffUrl(link);
      expect(address).to.equal(here + expected);
      history.replaceState(null, '', address);
      takeHandoffLink();
      expect(location.hash).to.equal(fragment === '#' ? '' : fragment);
      expect(claimHandoffLink({offer: 'gold', session: ''})).to.deep.equal(link);
    }
    history.replaceState(null, '', here);
  });

  before(() => setViewport({width: 1280, height: 800}));
  after(() => setViewport({width: 800, height: 600}));

  it('creates a hand-off code when the shopper opens the QR code, which has the page’s URL with this code', async () => {
    const worker = await TestWorker.start();
    const element = code(worker);
    await untilText(element, 'Open on a phone');
    expect(await worker.calls('handoff')).to.deep.equal([]);
    await press(element, 'Open on a phone');
    const picture = await until('the picture', () => find<HTMLCanvasElement>(element, '.qr'));
    expect([picture.getAttribute('role'), picture.getAttribute('aria-label')]).to.deep.equal([
      'img',
      'QR code that opens this payment on a phone',
    ]);
    expect(linkOf(element)).to.equal(`${location.href}${LINK.replace('&bank=toros', '')}`);
    // In each row of a corner: the light border of four modules, then a mark of seven, dark on light.
    const {data, width} = (picture.getContext('2d') as CanvasRenderingContext2D).getImageData(0, 0, picture.width, 12);
    const rows = Array.from({length: 12}, (_, y) =>
      Array.from({length: 12}, (__, x) => data.slice((y * width + x) * 4, (y * width + x) * 4 + 4).join()),
    );
    const shown = rows.map((row) => row.map((color) => ({'255,255,255,255': ' ', '0,0,0,255': '#'})[color]).join(''));
    const side = '    #     # ';
    const middle = '    # ### # ';
    const end = '    ####### ';
    const quiet = Array.from({length: 4}, () => ' '.repeat(12));
    expect(shown).to.deep.equal([...quiet, end, side, middle, middle, middle, side, end, ' '.repeat(12)]);
    expect(getComputedStyle(picture).imageRendering).to.equal('pixelated');
    expect(picture.getBoundingClientRect().width).to.be.greaterThan(180);
    await press(element, 'Open on a phone');
    await until('the QR code is hidden', () => !find(element, '.qr'));
  });

  it('is open beside the order code if there is room for two columns', async () => {
    const element = code(await TestWorker.start());
    (element.parentElement as HTMLElement).style.inlineSize = '700px';
    await until('the QR code', () => find(element, '.beside') && find(element, '.qr'));
    expect(text(element)).to.not.contain('Open on a phone');
  });

  it('opens beside the order code of a checkout as soon as the page becomes wide, and closes when it becomes narrow', async () => {
    const worker = await TestWorker.start();
    const element = show(`<vezne-checkout api="${worker.address}" offer="gold" lang="en"></vezne-checkout>`);
    await chooseBank(element, 'Toros');
    await untilText(element, 'Open on a phone');
    const {style} = element.parentElement as HTMLElement;
    style.inlineSize = '800px';
    await until('the QR code', () => find(element, '.beside') && find(element, '.qr'));
    style.inlineSize = '600px';
    await untilText(element, 'Open on a phone');
    expect(find(element, '.beside')).to.equal(undefined);
  });

  it('closes although the page was wide for less than a frame, and something else has rendered it', async () => {
    const {requestAnimationFrame} = globalThis;
    const frames: FrameRequestCallback[] = [];
    const worker = await TestWorker.start();
    const element = show<LitElement>(
      `<vezne-checkout api="${worker.address}" offer="gold" lang="en"></vezne-checkout>`,
    );
    await chooseBank(element, 'Toros');
    await untilText(element, 'Open on a phone');
    // The first observation of a size is in the first frame, and its effect in the second.
    for (let passed = 0; passed < 3; passed++) await new Promise(requestAnimationFrame);
    const {style} = element.parentElement as HTMLElement;
    globalThis.requestAnimationFrame = (frame) => frames.push(frame);
    try {
      style.inlineSize = '800px';
      element.requestUpdate();
      await until('two columns', () => find(element, '.wide'));
      find<LitElement>(element, 'vezne-payment-code')?.requestUpdate();
      await until('the QR code', () => find(element, '.beside') && find(element, '.qr') && frames.length > 0);
      style.inlineSize = '600px';
      for (const frame of frames.splice(0)) frame(0);
    } finally {
      Object.assign(globalThis, {requestAnimationFrame});
    }
    await untilText(element, 'Open on a phone');
  });

  it('copies the link and confirms that, or offers the link in a field if the browser refuses to copy', async () => {
    const worker = await TestWorker.start();
    const element = code(worker);
    await press(element, 'Open on a phone');
    await press(element, 'Copy the link');
    await untilText(element, '✓ Link copied');
    expect(announcements(element)).to.include('Link copied');
    const {execCommand} = document;
    Object.defineProperty(navigator, 'clipboard', {value: undefined, configurable: true});
    document.execCommand = () => false;
    try {
      await press(element, '✓ Link copied');
      await untilText(element, 'Copy the selected text yourself');
      const field = await until('the field', () => find<HTMLTextAreaElement>(element, 'textarea'));
      expect(field.value).to.equal(copiedLink);
      field.style.inlineSize = '8em';
      expect(field.clientHeight).to.be.at.least(field.scrollHeight);
    } finally {
      document.execCommand = execCommand;
    }
  });

  it('renews the hand-off code before the code expires, and when the shopper asks for a new QR code', async () => {
    const worker = await TestWorker.start();
    const element = code(worker);
    await untilText(element, 'Open on a phone');
    const time = new FakeTime();
    try {
      await press(element, 'Open on a phone');
      await until('the picture', () => find(element, '.qr'));
      expect(time.delays).to.include(540_000);
      await worker.script({handoff: handoff({code: 'second'})});
      await press(element, 'Get a new QR code');
      await untilLink(element, '#vezne=second');
      await worker.script({handoff: handoff({code: 'third'})});
      /** Lets time pass until the code is shown, but not beyond `endMs`. */
      const untilCode = (name: string, endMs: number) =>
        until(name, () => {
          if (time.nowMs < endMs && time.delays.length > 0) time.elapse();
          return linkOf(element).includes(`#vezne=${name}`);
        });
      await untilCode('third', 540_000);
      const createdMs = time.nowMs;
      await worker.script({handoff: handoff({code: 'fourth'})});
      const parent = element.parentElement;
      element.remove();
      parent?.append(element);
      await untilLink(element, '#vezne=third');
      await untilCode('fourth', createdMs + 540_000);
    } finally {
      time.release();
    }
  });

  it('says that the shopper can pay on this device if the hand-off cannot be created, and offers a retry', async () => {
    const worker = await TestWorker.start({faults: {handoff: {kind: 'problem', code: 'temporarily_unavailable'}}});
    const element = code(worker);
    await press(element, 'Open on a phone');
    await untilText(element, 'We couldn’t create the QR code. You can pay on this device.');
    await worker.fault('handoff');
    await press(element, 'Try again');
    await until('the picture', () => find(element, '.qr'));
    expect(text(element)).to.include('881200450017'.slice(0, 4));
    const busy = code(await TestWorker.start({faults: {handoff: {kind: 'problem', code: 'rate_limited'}}}));
    await press(busy, 'Open on a phone');
    await untilText(busy, 'The QR code will be ready in a moment. You can also pay on this device.');
    expect(text(busy)).not.to.include('Try again');
  });

  it('says that the order was opened on another device, and offers a new QR code', async () => {
    const worker = await TestWorker.start();
    const element = code(worker);
    await press(element, 'Open on a phone');
    await until('the picture', () => find(element, '.qr'));
    // The first payment that the page reads does not count as a change.
    await until('the socket', async () => (await worker.sockets()) > 0);
    await worker.send({...PAYMENTS.waiting, handed_over_at: '2026-11-21T15:43:00+03:00'});
    await untilText(element, 'Opened on a phone Continue on your phone; both devices show when your payment arrives.');
    expect(find(element, '.qr')).to.equal(undefined);
    expect(announcements(element).some((announcement) => announcement.startsWith('Opened on a phone'))).to.equal(true);
    await press(element, 'Get a new QR code');
    await until('another picture', () => find(element, '.qr'));
    await worker.send({...PAYMENTS.waiting, handed_over_at: '2026-11-21T15:44:00+03:00'});
    await untilText(element, 'Opened on a phone');
  });

  it('shows a new QR code even if an earlier QR code was used', async () => {
    const worker = await TestWorker.start({
      payment: {...PAYMENTS.waiting, handed_over_at: '2026-11-21T15:43:00+03:00'},
    });
    const element = code(worker);
    await untilText(element, 'Open on a phone');
    await until('the payment', async () => (await worker.sockets()) === 1);
    await press(element, 'Open on a phone');
    await until('the picture', () => find(element, '.qr'));
    expect(text(element)).not.to.include('Opened on a phone');
  });

  it('says that the order was opened on another device, even if sockets are blocked', async () => {
    const worker = await TestWorker.start({sockets: 'refused'});
    const element = code(worker);
    await press(element, 'Open on a phone');
    await until('the picture', () => find(element, '.qr'));
    await until('a poll', async () => (await worker.calls('payment')).length > 0);
    await worker.script({payment: {...PAYMENTS.waiting, handed_over_at: '2026-11-21T15:43:00+03:00'}});
    dispatchEvent(new Event('online'));
    await untilText(element, 'Opened on a phone');
  });
});
