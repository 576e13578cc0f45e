/** The tracker on pages of merchants, as built. */

import {expect} from '@open-wc/testing';
import type {Activity} from '../../../worker/contract/browser/requests.ts';
import {inside, openPage, reload} from '../support/frame.ts';
import {record, until} from '../support/page.ts';
import {TestWorker, origin} from '../support/test-worker.ts';

const alone = (worker: TestWorker) => `<script type="module" src="${worker.address}/activity.js"></script>`;
const FUNNEL = `<vezne-activity offer="club"></vezne-activity>
  <button id="subscribe" data-vezne-track="subscribe_clicked"><b>Abone ol</b></button>
  <button id="confirm" data-vezne-track="confirm_clicked">Onayla</button>`;

async function activities(worker: TestWorker): Promise<Activity[]> {
  return (await worker.calls('activity')).map(({body}) => body as Activity);
}

async function types(worker: TestWorker): Promise<string[]> {
  return (await activities(worker)).map(({type}) => type);
}

/** Waits until so many activities were told, and gives them. */
function told(worker: TestWorker, count: number): Promise<Activity[]> {
  return until(`${count} activities`, async () => {
    const all = await activities(worker);
    return all.length >= count ? all : undefined;
  });
}

async function click(frame: HTMLIFrameElement, selector: string): Promise<void> {
  (await inside(frame, selector)).click();
}

/** What the tracker keeps in this browser for a Worker. */
const kept = (worker: TestWorker) => Object.keys(localStorage).filter((key) => key.includes(worker.address));

beforeEach(() => sessionStorage.clear());

describe('the tracker', () => {
  it('tells of the visit and of clicks, in order, under one id, and loads one file', async () => {
    const worker = await TestWorker.start();
    const frame = await openPage({head: alone(worker), body: FUNNEL});
    await told(worker, 1);
    await click(frame, '#subscribe b');
    await click(frame, '#confirm');
    const all = await told(worker, 3);
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

  it('tells and keeps no number and no number token, whatever the page calls it', async () => {
    const worker = await TestWorker.start({faults: {activity: {kind: 'problem', code: 'temporarily_unavailable'}}});
    const address = {nt: '912345678', tel: '+905321234567', page: '12345678'};
    await openPage({head: alone(worker), body: FUNNEL, ...address});
    const [visit] = await told(worker, 1);
    const {searchParams} = new URL(visit?.url ?? '');
    expect(['nt', 'tel', 'page'].map((name) => searchParams.get(name))).to.deep.equal(['-', '+-', '12345678']);
    expect(
      kept(worker)
        .map((key) => localStorage[key] as string)
        .join(''),
    )
      .to.contain('nt=-')
      .and.not.contain('912345678');
  });

  it('takes the id of the campaign from the address, and keeps it for the visit', async () => {
    const worker = await TestWorker.start();
    const page = (extra: object) =>
      openPage({
        head: alone(worker),
        body: '<vezne-activity offer="club" tracking-parameter="click"></vezne-activity>',
        ...extra,
      });
    await page({click: 'campaign-7'});
    await told(worker, 1);
    await page({});
    expect((await told(worker, 2)).map(({tracking_id}) => tracking_id)).to.deep.equal(['campaign-7', 'campaign-7']);
  });

  it('counts a page view once, however many elements and scripts there are', async () => {
    const worker = await TestWorker.start();
    const frame = await openPage({
      head: `${alone(worker)}<script type="module" src="${worker.address}/vezne.js"></script>`,
      body: FUNNEL + '<vezne-activity offer="club"></vezne-activity>',
    });
    const element = await inside(frame, 'vezne-activity');
    await told(worker, 1);
    element.remove();
    frame.contentDocument?.body.append(element);
    await click(frame, '#subscribe');
    await told(worker, 2);
    expect(await types(worker)).to.deep.equal(['visit', 'subscribe_clicked']);
  });

  it('comes with the script tag too, and without Lit', async () => {
    const worker = await TestWorker.start();
    const frame = await openPage({
      head: `<script type="module" src="${worker.address}/vezne.js"></script>`,
      body: FUNNEL,
    });
    await told(worker, 1);
    const files = frame.contentWindow?.performance.getEntriesByType('resource').map(({name}) => name) ?? [];
    expect(files.filter((name) => name.includes('/transfer/'))).to.deep.equal([]);
  });

  it('hears clicks inside the shadows of our elements, and counts them for the offer they name', async () => {
    const worker = await TestWorker.start();
    const frame = await openPage({
      head: alone(worker),
      body: '<vezne-activity offer="club"></vezne-activity><vezne-activity offer="gold"></vezne-activity><div id="form" offer="gold"></div>',
    });
    await told(worker, 2);
    const form = await inside(frame, '#form');
    form.attachShadow({mode: 'open'}).innerHTML = '<button data-vezne-track="confirm_clicked">Onayla</button>';
    form.shadowRoot?.querySelector('button')?.click();
    const all = await told(worker, 3);
    expect(all.map(({offer, type}) => `${offer} ${type}`)).to.deep.equal([
      'club visit',
      'gold visit',
      'gold confirm_clicked',
    ]);
  });

  it('counts, keeps and sends nothing before consent where consent is required', async () => {
    const worker = await TestWorker.start();
    const frame = await openPage({head: alone(worker), body: FUNNEL.replace('offer=', 'consent="required" offer=')});
    const page = frame.contentWindow as Window & {vezne?: {consent?: () => void}};
    await until('the tracker', () => page.vezne?.consent);
    await click(frame, '#subscribe');
    expect([await activities(worker), kept(worker), sessionStorage.length]).to.deep.equal([[], [], 0]);
    page.vezne?.consent?.();
    await click(frame, '#confirm');
    await told(worker, 2);
    expect(await types(worker)).to.deep.equal(['visit', 'confirm_clicked']);
  });

  it('has heard of a consent that was given before it came, whichever script brings it', async () => {
    const banner = '<script>window.vezne ??= {consent() { this.consented = true; }}; vezne.consent();</script>';
    for (const script of ['activity.js', 'vezne.js']) {
      const worker = await TestWorker.start();
      await openPage({
        head: `${banner}<script type="module" src="${worker.address}/${script}"></script>`,
        body: FUNNEL.replace('offer=', 'consent="required" offer='),
      });
      await told(worker, 1);
      expect(await types(worker)).to.deep.equal(['visit']);
    }
  });

  it('takes the end of the attribute as consent', async () => {
    const worker = await TestWorker.start();
    const frame = await openPage({head: alone(worker), body: FUNNEL.replace('offer=', 'consent="required" offer=')});
    const element = await inside(frame, 'vezne-activity:defined');
    element.removeAttribute('consent');
    await told(worker, 1);
    expect(await types(worker)).to.deep.equal(['visit']);
  });

  it('tells again what a Worker in trouble did not take, in the order in which it happened', async () => {
    const worker = await TestWorker.start({faults: {activity: {kind: 'problem', code: 'temporarily_unavailable'}}});
    const frame = await openPage({head: alone(worker), body: FUNNEL});
    await told(worker, 1);
    await click(frame, '#subscribe');
    await click(frame, '#confirm');
    await worker.fault('activity');
    await until('an empty queue', () => kept(worker).length === 0);
    const all = await activities(worker);
    const taken = all.map(({event_id}) => event_id).filter((id, index, ids) => ids.lastIndexOf(id) === index);
    expect(taken).to.have.length(3);
    expect((await types(worker)).slice(-3)).to.deep.equal(['visit', 'subscribe_clicked', 'confirm_clicked']);
  });

  it('has the next page tell what this one could not, under the same event ids', async () => {
    const worker = await TestWorker.start({faults: {activity: {kind: 'reset'}}});
    const frame = await openPage({head: alone(worker), body: FUNNEL});
    const [visit] = await told(worker, 1);
    await click(frame, '#subscribe');
    await until('two kept', () => kept(worker).length === 2);
    await worker.fault('activity');
    await reload(frame);
    await until('an empty queue', () => kept(worker).length === 0);
    // A beacon of the first page may come in between: the Worker counts an id once, when it first hears of it.
    const counted = [...new Map((await activities(worker)).map(({event_id, type}) => [event_id, type]))];
    expect(counted.map(([, type]) => type)).to.deep.equal(['visit', 'subscribe_clicked', 'visit']);
    expect(counted[0]?.[0]).to.equal(visit?.event_id);
  });

  it('hands over by beacon what a blocker keeps from fetch', async () => {
    const worker = await TestWorker.start();
    const frame = await openPage({
      head: `<script>window.fetch = () => Promise.reject(new TypeError('blocked'))</script>${alone(worker)}`,
      body: FUNNEL,
    });
    await inside(frame, 'vezne-activity:defined');
    await told(worker, 1);
    expect(await types(worker)).to.include('visit');
  });

  it('works where storage is blocked', async () => {
    const worker = await TestWorker.start();
    const block = `<script>for (const name of ['localStorage', 'sessionStorage']) Object.defineProperty(window, name, {get() { throw new DOMException('blocked'); }})</script>`;
    const frame = await openPage({head: block + alone(worker), body: FUNNEL});
    await told(worker, 1);
    await click(frame, '#subscribe');
    const all = await told(worker, 2);
    expect(new Set(all.map(({tracking_id}) => tracking_id)).size).to.equal(1);
  });

  it('gives up what the Worker refuses, and goes on with the next', async () => {
    const worker = await TestWorker.start({faults: {activity: {kind: 'problem', code: 'unknown_offer'}}});
    const frame = await openPage({head: alone(worker), body: FUNNEL});
    await until('the first given up', async () => (await activities(worker)).length === 1 && kept(worker).length === 0);
    await worker.fault('activity');
    await click(frame, '#subscribe');
    await told(worker, 2);
    expect(await types(worker)).to.deep.equal(['visit', 'subscribe_clicked']);
  });

  it('tells the page what it counted', async () => {
    const worker = await TestWorker.start();
    const frame = await openPage({head: alone(worker), body: FUNNEL});
    await told(worker, 1);
    const events = record<Event & {activity: string; trackingId: string}>(
      frame.contentDocument as Document,
      'vezne-activity',
    );
    await click(frame, '#subscribe');
    const [, clicked] = await told(worker, 2);
    expect(events.map(({activity, trackingId}) => [activity, trackingId])).to.deep.equal([
      ['subscribe_clicked', clicked?.tracking_id],
    ]);
  });

  it('works under a strict policy', async () => {
    const worker = await TestWorker.start();
    const policy = `default-src 'none'; script-src ${origin}; connect-src ${origin}; require-trusted-types-for 'script'; trusted-types 'none'`;
    await openPage({policy, head: alone(worker), body: FUNNEL});
    await told(worker, 1);
    expect(await types(worker)).to.deep.equal(['visit']);
  });
});
