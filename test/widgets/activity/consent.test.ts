/** The built tracker on pages that ask for consent. */

import {expect} from '@open-wc/testing/pure';
import {inside, openPage} from '../support/frame.ts';
import {record, until} from '../support/page.ts';
import {TestWorker} from '../support/test-worker.ts';
import {
  FUNNEL,
  click,
  sentActivities,
  sentTypes,
  storedKeys,
  trackerScript,
  waitForActivities,
} from '../support/tracker.ts';

beforeEach(() => sessionStorage.clear());

describe('the tracker', () => {
  it('counts, stores and sends nothing before a required consent, and counts the visit after the consent', async () => {
    const worker = await TestWorker.startCrossOrigin();
    const frame = await openPage({
      head: trackerScript(worker),
      body: FUNNEL.replace('offer=', 'consent="required" offer='),
    });
    const page = frame.contentWindow as Window & {vezne?: {consent?: () => void}};
    await until('the tracker', () => page.vezne?.consent);
    await click(frame, '#subscribe');
    expect([await sentActivities(worker), storedKeys(worker), sessionStorage.length]).to.deep.equal([[], [], 0]);
    page.vezne?.consent?.();
    await click(frame, '#confirm');
    await waitForActivities(worker, 2);
    expect(await sentTypes(worker)).to.deep.equal(['visit', 'confirm_clicked']);
  });

  it('keeps the tracking id of the visit on a page where the shopper has not consented yet', async () => {
    const worker = await TestWorker.startCrossOrigin();
    sessionStorage['vezne tracking'] = 'id-of-the-visit';
    const frame = await openPage({
      head: trackerScript(worker),
      body: FUNNEL.replace('offer=', 'consent="required" offer='),
    });
    const page = frame.contentWindow as Window & {vezne?: {consent?: () => void}};
    await until('the tracker', () => page.vezne?.consent);
    page.vezne?.consent?.();
    const [visit] = await waitForActivities(worker, 1);
    expect(visit?.tracking_id).to.equal('id-of-the-visit');
  });

  it('counts a visit if the shopper consented before the script had loaded', async () => {
    const banner = '<script>window.vezne ??= {consent() { this.consented = true; }}; vezne.consent();</script>';
    for (const script of ['activity.js', 'vezne.js']) {
      const worker = await TestWorker.startCrossOrigin();
      await openPage({
        head: `${banner}<script type="module" src="${worker.address}/${script}"></script>`,
        body: FUNNEL.replace('offer=', 'consent="required" offer='),
      });
      await waitForActivities(worker, 1);
      expect(await sentTypes(worker)).to.deep.equal(['visit']);
    }
  });

  describe('after the shopper has withdrawn the consent', () => {
    type Banner = Window & {vezne?: {consent?: () => void; withdrawConsent?: () => void}};
    const OLD_STUB = '<script>window.vezne ??= {consent() { this.consented = true; }}; vezne.consent();</script>';
    /** Each way in which a page counts, and withdraws. */
    for (const [what, head, attribute, withdraw] of [
      ['a page that calls', '', 'consent="required"', (page: Banner) => page.vezne?.withdrawConsent?.()],
      [
        'a page with the stub of earlier releases',
        OLD_STUB,
        'consent="required"',
        (page: Banner) => page.vezne?.withdrawConsent?.(),
      ],
      ['a page without the attribute', '', '', (page: Banner) => page.vezne?.withdrawConsent?.()],
      [
        'a page that sets the attribute',
        '',
        '',
        (page: Banner) => page.document.querySelector('vezne-activity')?.setAttribute('consent', 'required'),
      ],
    ] as const)
      it(`counts, stores and sends nothing: ${what}`, async () => {
        const worker = await TestWorker.startCrossOrigin({
          faults: {activity: {kind: 'problem', code: 'temporarily_unavailable'}},
        });
        const frame = await openPage({
          head: head + trackerScript(worker),
          body: FUNNEL.replace('offer=', `${attribute} offer=`),
        });
        const page = frame.contentWindow as Banner;
        await until('the tracker', () => page.vezne?.withdrawConsent);
        if (!head && attribute) page.vezne?.consent?.();
        await waitForActivities(worker, 1);
        await click(frame, '#subscribe');
        expect(storedKeys(worker)).to.have.length(2);
        // Another Worker's activity, which an earlier page has stored.
        localStorage['vezne https://other.example/v1/activities mb1x-1'] = '{}';
        withdraw(page);
        await click(frame, '#confirm');
        expect([
          Object.keys(localStorage).filter((key) => key.includes('v1/activities')),
          Object.keys(sessionStorage),
        ]).to.deep.equal([[], []]);
        await worker.fault('activity');
        const before = new Set((await sentActivities(worker)).map(({tracking_id}) => tracking_id));
        /** What another visitor sent. A request of the first visitor that was on its way may still arrive. */
        const ofAnother = async () =>
          (await sentActivities(worker)).flatMap(({type, tracking_id}) => (before.has(tracking_id) ? [] : [type]));
        page.dispatchEvent(new Event('online'));
        page.dispatchEvent(new PageTransitionEvent('pagehide'));
        // After a new consent, the shopper is another visitor, and the view was counted.
        frame.contentDocument?.querySelector('vezne-activity')?.removeAttribute('consent');
        page.vezne?.consent?.();
        await click(frame, '#confirm');
        await until('an activity of another visitor', async () => (await ofAnother()).length > 0);
        expect(await ofAnother()).to.deep.equal(['confirm_clicked']);
      });

    it('drops what earlier pages stored if the shopper withdrew before the script had loaded', async () => {
      const worker = await TestWorker.startCrossOrigin();
      localStorage[`vezne ${worker.address}/v1/activities ${Date.now().toString(36)}-1`] = '{"offer":"club"}';
      const banner =
        '<script>window.vezne ??= {consent() { this.consented = true; }, withdrawConsent() { this.consented = false; }}; vezne.withdrawConsent();</script>';
      const frame = await openPage({head: banner + trackerScript(worker), body: FUNNEL});
      await inside(frame, 'vezne-activity:defined');
      await click(frame, '#subscribe');
      expect([await sentActivities(worker), storedKeys(worker), sessionStorage.length]).to.deep.equal([[], [], 0]);
    });
  });

  it('counts a visit after the page has removed the consent attribute', async () => {
    const worker = await TestWorker.startCrossOrigin();
    const frame = await openPage({
      head: trackerScript(worker),
      body: FUNNEL.replace('offer=', 'consent="required" offer='),
    });
    const element = await inside(frame, 'vezne-activity:defined');
    element.removeAttribute('consent');
    await waitForActivities(worker, 1);
    expect(await sentTypes(worker)).to.deep.equal(['visit']);
  });

  it('requires consent with any text of the attribute but “false”, also if a framework sets the property', async () => {
    const worker = await TestWorker.startCrossOrigin();
    const frame = await openPage({head: trackerScript(worker)});
    const page = frame.contentDocument as Document;
    await until('the tracker', () => frame.contentWindow?.customElements.get('vezne-activity'));
    const events = record(page, 'vezne-activity');
    const count = async (set: (tracker: HTMLElement) => unknown) => {
      const tracker = page.createElement('vezne-activity');
      set(tracker);
      // A view of its own.
      tracker.setAttribute('offer', `offer-${Math.random()}`);
      page.body.append(tracker);
      await Promise.resolve();
      tracker.remove();
      return events.splice(0).length;
    };
    for (const [value, expected] of [
      ['required', 0],
      ['Required', 0],
      ['true', 0],
      ['', 0],
      ['yes', 0],
      ['false', 1],
      ['FALSE', 1],
    ] as const)
      expect(await count((tracker) => tracker.setAttribute('consent', value)), `attribute ${value}`).to.equal(expected);
    for (const [value, expected] of [
      ['required', 0],
      [true, 0],
      ['true', 0],
      [false, 1],
      ['false', 1],
      [null, 1],
      [undefined, 1],
      ['', 1],
    ] as const)
      expect(await count((tracker) => Object.assign(tracker, {consent: value})), `property ${value}`).to.equal(
        expected,
      );
  });

  it('keeps what waits for other trackers while a tracker waits for consent', async () => {
    const worker = await TestWorker.startCrossOrigin({
      faults: {activity: {kind: 'problem', code: 'temporarily_unavailable'}},
    });
    // An earlier page has stored this activity, and the tracking id.
    localStorage[`vezne ${worker.address}/v1/activities ${Date.now().toString(36)}-1`] = '{"offer":"club"}';
    sessionStorage['vezne tracking'] = 'campaign-7';
    const frame = await openPage({
      head: trackerScript(worker),
      body: `${FUNNEL}<vezne-activity id="asks" offer="gold" consent="required"></vezne-activity>`,
    });
    const asking = (await inside(frame, '#asks:defined')) as HTMLElement & Record<string, string>;
    await until('two stored activities', () => storedKeys(worker).length === 2);
    const late = frame.contentDocument?.createElement('vezne-activity') as HTMLElement;
    for (const [what, change] of Object.entries<() => unknown>({
      'another offer': () => (asking['offer'] = 'silver'),
      'another Worker': () => asking.setAttribute('api', worker.address),
      'another parameter': () => (asking['trackingParameter'] = 'click'),
      'the same consent': () => (asking['consent'] = 'required'),
      'a tracker that is added': () => frame.contentDocument?.body.append(late),
      'which then gets the attribute': () => late.setAttribute('consent', 'required'),
    })) {
      change();
      expect([storedKeys(worker).length, sessionStorage['vezne tracking']], what).to.deep.equal([2, 'campaign-7']);
    }
  });
});
