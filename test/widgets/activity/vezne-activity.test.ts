/** The built tracker on merchants' pages. */

import {expect} from '@open-wc/testing/pure';
import {SCRIPT, fetchedFiles, inside, openPage, reload} from '../support/frame.ts';
import {record, until} from '../support/page.ts';
import {TestWorker, origin} from '../support/test-worker.ts';
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
  it('sends the visit and clicks in order, with the same tracking id, and loads only one file', async () => {
    const worker = await TestWorker.startCrossOrigin();
    const frame = await openPage({head: trackerScript(worker), body: FUNNEL});
    await waitForActivities(worker, 1);
    await click(frame, '#subscribe b');
    await click(frame, '#confirm');
    const all = await waitForActivities(worker, 3);
    const [visit] = all;
    expect(all.map(({type}) => type)).to.deep.equal(['visit', 'subscribe_clicked', 'confirm_clicked']);
    expect(new Set(all.map(({tracking_id}) => tracking_id)).size).to.equal(1);
    expect(new Set(all.map(({event_id}) => event_id)).size).to.equal(3);
    expect(visit).to.deep.include({
      offer: 'club',
      url: frame.contentWindow?.location.href,
      referer: document.location.href,
    });
    const files =
      frame.contentWindow?.performance.getEntriesByType('resource').filter(({name}) => name.endsWith('.js')) ?? [];
    expect(files.map(({name}) => name)).to.deep.equal([`${worker.address}/activity.js`]);
  });

  it('removes phone numbers and number tokens from the URL that it sends and stores, in any parameter', async () => {
    const worker = await TestWorker.startCrossOrigin({
      faults: {activity: {kind: 'problem', code: 'temporarily_unavailable'}},
    });
    const address = {nt: '912345678', tel: '+905321234567', page: '12345678'};
    await openPage({head: trackerScript(worker), body: FUNNEL, ...address});
    const [visit] = await waitForActivities(worker, 1);
    const {searchParams} = new URL(visit?.url ?? '');
    expect(['nt', 'tel', 'page'].map((name) => searchParams.get(name))).to.deep.equal(['-', '+-', '12345678']);
    expect(
      storedKeys(worker)
        .map((key) => localStorage[key] as string)
        .join(''),
    )
      .to.contain('nt=-')
      .and.not.contain('912345678');
  });

  it('uses the campaign id in the page’s URL as tracking id, also on the next page, whose URL has none', async () => {
    const worker = await TestWorker.startCrossOrigin();
    const page = (extra: object) =>
      openPage({
        head: trackerScript(worker),
        body: '<vezne-activity offer="club" tracking-parameter="click"></vezne-activity>',
        ...extra,
      });
    await page({click: 'campaign-7'});
    await waitForActivities(worker, 1);
    await page({});
    expect((await waitForActivities(worker, 2)).map(({tracking_id}) => tracking_id)).to.deep.equal([
      'campaign-7',
      'campaign-7',
    ]);
  });

  it('counts a page view and a click once, even if the page has two scripts and two elements', async () => {
    const worker = await TestWorker.startCrossOrigin();
    const frame = await openPage({
      head: `${trackerScript(worker)}<script type="module" src="${worker.address}/vezne.js"></script>`,
      body: FUNNEL + '<vezne-activity offer="club"></vezne-activity>',
    });
    const element = await inside(frame, 'vezne-activity');
    await waitForActivities(worker, 1);
    element.remove();
    frame.contentDocument?.body.append(element);
    await click(frame, '#subscribe');
    await waitForActivities(worker, 2);
    expect(await sentTypes(worker)).to.deep.equal(['visit', 'subscribe_clicked']);
  });

  it('is loaded by vezne.js, which loads no other script', async () => {
    const worker = await TestWorker.startCrossOrigin();
    const frame = await openPage({
      head: `<script type="module" src="${worker.address}/vezne.js"></script>`,
      body: FUNNEL,
    });
    await waitForActivities(worker, 1);
    expect(fetchedFiles(frame)).to.deep.equal(['activity', 'vezne']);
  });

  it('is loaded by the scripts of payments and subscriptions too, also if the page has its own tag', async () => {
    for (const script of ['checkout.js', 'subscribe.js?offer=club']) {
      const worker = await TestWorker.startCrossOrigin();
      const tag = `<script type="module" src="${worker.address}/${script}"></script>`;
      for (const [count, own] of ['', trackerScript(worker)].entries()) {
        const frame = await openPage({head: tag + own, body: `${FUNNEL}<i>${count}</i>`});
        await waitForActivities(worker, count + 1);
        expect(fetchedFiles(frame).filter((file) => file === 'activity')).to.have.length(1);
      }
    }
  });

  it('is no element that lacks a script, next to a sandbox, unlike others', async () => {
    const worker = await TestWorker.startCrossOrigin();
    const tags = ['vezne-activity', 'vezne-checkout', 'vezne-vendor-form', 'vezne-chekout'];
    const frame = await openPage({
      head: `<script type="module" src="${worker.address}/checkout.js"></script>`,
      body: tags.map((tag) => `<${tag}></${tag}>`).join(''),
    });
    const logged: string[] = [];
    const page = frame.contentWindow as unknown as typeof globalThis;
    page.console.error = (...args: unknown[]) => logged.push(args.join(' '));
    const script = Object.assign(page.document.createElement('script'), {type: 'module'});
    script.src = `${worker.address}/check.js`;
    page.document.head.append(script);
    await until('both messages', () => logged.length > 1);
    expect(
      logged.filter((text) => !/neither offer nor session/.test(text)).map((text) => text.slice(0, 70)),
    ).to.deep.equal([
      'Vezne: no script of this page defines vezne-vendor-form. Add vendor.js, or vezne.js.'.slice(0, 70),
      'Vezne: there is no element vezne-chekout. There are vezne-checkout, vezne-bank-list'.slice(0, 70),
    ]);
  });

  it('says in the console what the Worker will never count', async () => {
    const worker = await TestWorker.startCrossOrigin({faults: {activity: {kind: 'problem', code: 'unknown_offer'}}});
    const logged: string[] = [];
    const frame = await openPage({head: trackerScript(worker)});
    const page = frame.contentWindow as unknown as typeof globalThis;
    page.console.warn = (...args: unknown[]) => logged.push(args.join(' '));
    frame.contentDocument?.body.insertAdjacentHTML('beforeend', '<vezne-activity offer="klub"></vezne-activity>');
    await until('the message', () => logged[0]);
    expect(logged[0]).to.match(/^Vezne 404 \{"offer":"klub","type":"visit"/);
    expect(storedKeys(worker)).to.have.length(0);
  });

  it('counts a click inside a shadow root for the offer that the host element names', async () => {
    const worker = await TestWorker.startCrossOrigin();
    const frame = await openPage({
      head: trackerScript(worker),
      body: '<vezne-activity offer="club"></vezne-activity><vezne-activity offer="gold"></vezne-activity><div id="form" offer="gold"></div>',
    });
    await waitForActivities(worker, 2);
    const form = await inside(frame, '#form');
    form.attachShadow({mode: 'open'}).innerHTML = '<button data-vezne-track="confirm_clicked">Onayla</button>';
    form.shadowRoot?.querySelector('button')?.click();
    const all = await waitForActivities(worker, 3);
    expect(all.map(({offer, type}) => `${offer} ${type}`)).to.deep.equal([
      'club visit',
      'gold visit',
      'gold confirm_clicked',
    ]);
  });

  it('retries activities that the Worker could not accept, in their original order', async () => {
    const worker = await TestWorker.startCrossOrigin({
      faults: {activity: {kind: 'problem', code: 'temporarily_unavailable'}},
    });
    const frame = await openPage({head: trackerScript(worker), body: FUNNEL});
    await waitForActivities(worker, 1);
    await click(frame, '#subscribe');
    await click(frame, '#confirm');
    await worker.fault('activity');
    await until('an empty queue', () => storedKeys(worker).length === 0);
    const all = await sentActivities(worker);
    const acceptedIds = all.map(({event_id}) => event_id).filter((id, index, ids) => ids.lastIndexOf(id) === index);
    expect(acceptedIds).to.have.length(3);
    expect(all.filter(({event_id}) => event_id === acceptedIds[0])).to.have.length.above(1);
    expect((await sentTypes(worker)).slice(-3)).to.deep.equal(['visit', 'subscribe_clicked', 'confirm_clicked']);
  });

  it('sends undelivered activities again from the next page, with the same event ids', async () => {
    const worker = await TestWorker.startCrossOrigin({faults: {activity: {kind: 'reset'}}});
    const frame = await openPage({head: trackerScript(worker), body: FUNNEL});
    const [visit] = await waitForActivities(worker, 1);
    await click(frame, '#subscribe');
    await until('two stored activities', () => storedKeys(worker).length === 2);
    await worker.fault('activity');
    await reload(frame);
    await until('an empty queue', () => storedKeys(worker).length === 0);
    // The first page may also send its activities as beacons. The Worker counts each event id only once.
    const counted = [...new Map((await sentActivities(worker)).map(({event_id, type}) => [event_id, type]))];
    expect(counted.map(([, type]) => type)).to.deep.equal(['visit', 'subscribe_clicked', 'visit']);
    expect(counted[0]?.[0]).to.equal(visit?.event_id);
  });

  it('sends what a content blocker stops in no other way, also when the page closes', async () => {
    const worker = await TestWorker.startCrossOrigin();
    const spy = `<script>window.fetch = () => Promise.reject(new TypeError('blocked'));
      window.beacons = []; navigator.sendBeacon = (url) => beacons.push(url);</script>`;
    const frame = await openPage({head: spy + trackerScript(worker), body: FUNNEL});
    await inside(frame, 'vezne-activity:defined');
    await click(frame, '#subscribe');
    const page = frame.contentWindow as Window & {beacons?: string[]};
    page.dispatchEvent(new PageTransitionEvent('pagehide'));
    expect([page.beacons, storedKeys(worker).length]).to.deep.equal([[], 2]);
  });

  it('counts a visit per address at which the page adds the element, as libraries that swap the page do', async () => {
    const worker = await TestWorker.startCrossOrigin();
    const frame = await openPage({head: trackerScript(worker), body: FUNNEL});
    await waitForActivities(worker, 1);
    const {history, document: page} = frame.contentWindow as Window;
    const events = record(page, 'vezne-activity');
    /** Each step: what the page does, and whether the visit is counted. */
    const steps: [what: string, change: () => void, isCounted: boolean][] = [
      ['the same page again', () => {}, false],
      ['another page', () => history.pushState({}, '', '/b'), true],
      ['the preview of that page is replaced', () => {}, false],
      ['another query', () => history.pushState({}, '', '/b?page=2'), true],
      ['a place in the page', () => history.pushState({}, '', '#prices'), false],
      ['a route in the fragment', () => history.pushState({}, '', '#/odeme'), true],
      ['another route in the fragment', () => history.pushState({}, '', '#!/odeme/2'), true],
      ['back to the page before', () => history.pushState({}, '', '/b'), true],
    ];
    for (const [what, change, isCounted] of steps) {
      change();
      const old = page.querySelector('vezne-activity');
      old?.replaceWith(old.cloneNode(true));
      await Promise.resolve();
      expect(events.splice(0), what).to.have.length(isCounted ? 1 : 0);
    }
  });

  it('counts a view once after the page has replaced its address, for example to remove a campaign’s parameters', async () => {
    const worker = await TestWorker.startCrossOrigin();
    const frame = await openPage({head: trackerScript(worker), body: FUNNEL});
    await waitForActivities(worker, 1);
    const {history, document: page, vezne} = frame.contentWindow as Window;
    const events = record(page, 'vezne-activity');
    const tracker = page.querySelector('vezne-activity') as HTMLElement & {visit(): void};
    history.replaceState({}, '', '/clean');
    vezne?.consent?.();
    for (const [name, value] of Object.entries({'tracking-parameter': 'click', offer: 'club', consent: 'required'}))
      tracker.setAttribute(name, value);
    await Promise.resolve();
    expect(events).to.deep.equal([]);
    // The page says that this is another view.
    tracker.visit();
    expect(events).to.have.length(1);
  });

  it('works if storage is blocked', async () => {
    const worker = await TestWorker.startCrossOrigin();
    const block = `<script>for (const name of ['localStorage', 'sessionStorage']) Object.defineProperty(window, name, {get() { throw new DOMException('blocked'); }})</script>`;
    const frame = await openPage({head: block + trackerScript(worker), body: FUNNEL});
    await waitForActivities(worker, 1);
    await click(frame, '#subscribe');
    const all = await waitForActivities(worker, 2);
    expect(new Set(all.map(({tracking_id}) => tracking_id)).size).to.equal(1);
  });

  it('discards an activity that the Worker refuses and sends the next one', async () => {
    const worker = await TestWorker.startCrossOrigin({faults: {activity: {kind: 'problem', code: 'unknown_offer'}}});
    const frame = await openPage({head: trackerScript(worker), body: FUNNEL});
    await until(
      'the first activity to be discarded',
      async () => (await sentActivities(worker)).length === 1 && storedKeys(worker).length === 0,
    );
    await worker.fault('activity');
    await click(frame, '#subscribe');
    await waitForActivities(worker, 2);
    expect(await sentTypes(worker)).to.deep.equal(['visit', 'subscribe_clicked']);
  });

  it('dispatches an event to the page for each activity that it counts', async () => {
    const worker = await TestWorker.startCrossOrigin();
    const frame = await openPage({head: trackerScript(worker), body: FUNNEL});
    await waitForActivities(worker, 1);
    const events = record<Event & {activity: string; trackingId: string}>(
      frame.contentDocument as Document,
      'vezne-activity',
    );
    await click(frame, '#subscribe');
    const [, clicked] = await waitForActivities(worker, 2);
    expect(events.map(({activity, trackingId}) => [activity, trackingId])).to.deep.equal([
      ['subscribe_clicked', clicked?.tracking_id],
    ]);
  });

  it('works under a strict Content-Security-Policy', async () => {
    const worker = await TestWorker.startCrossOrigin();
    const policy = `default-src 'none'; script-src ${origin}; connect-src ${origin}; require-trusted-types-for 'script'; trusted-types 'none'`;
    await openPage({policy, head: trackerScript(worker), body: FUNNEL});
    await waitForActivities(worker, 1);
    expect(await sentTypes(worker)).to.deep.equal(['visit']);
  });

  it('counts a click for the offer of the element around it, which a framework has set as a property', async () => {
    const worker = await TestWorker.startCrossOrigin();
    const frame = await openPage({
      head: trackerScript(worker) + SCRIPT,
      body: `<vezne-activity offer="trial"></vezne-activity><vezne-activity offer="club"></vezne-activity>
        <vezne-pin-subscribe api="${worker.address}"><b slot="title" data-vezne-track="subscribe_clicked">Join</b></vezne-pin-subscribe>`,
    });
    await waitForActivities(worker, 2);
    Object.assign(await inside(frame, 'vezne-pin-subscribe:defined'), {offer: 'club'});
    await click(frame, 'b');
    const [, , clicked] = await waitForActivities(worker, 3);
    expect([clicked?.type, clicked?.offer]).to.deep.equal(['subscribe_clicked', 'club']);
  });
});
