/** Angular and Riot add an element to the page first, and then set its properties one after the other, in one task. */

import {expect} from '@open-wc/testing/pure';
import {defineActivity} from '../../../widgets/activity/vezne-activity.ts';
import type {Activity} from '../../../worker/contract/browser/requests.ts';
import {show, until} from '../support/page.ts';
import {TestWorker} from '../support/test-worker.ts';

type Properties = Readonly<Record<string, string>>;

/** All orders of these things. */
function orders<T>(things: readonly T[]): T[][] {
  if (things.length < 2) return [[...things]];
  return things.flatMap((first) => orders(things.filter((each) => each !== first)).map((rest) => [first, ...rest]));
}

/** Adds an element, and sets its properties in each order. Calls `check` with the Worker of each element. */
async function inEachOrder(tag: string, properties: Properties, check: (worker: TestWorker, order: string) => unknown) {
  for (const order of orders(['api', ...Object.keys(properties)])) {
    const worker = await TestWorker.start();
    const values: Properties = {...properties, api: worker.address};
    const element = show(`<${tag}></${tag}>`);
    for (const name of order) Object.assign(element, {[name]: values[name]});
    await check(worker, order.join(', '));
    element.remove();
  }
}

describe('an element whose properties are set after it was added', () => {
  before(() => defineActivity('https://other.example/'));
  afterEach(() => history.replaceState({}, '', location.pathname));

  it('counts one visit, for the right Worker and with the campaign’s id', async () => {
    history.replaceState({}, '', '?click=campaign-7');
    await inEachOrder('vezne-activity', {offer: 'club', trackingParameter: 'click'}, async (worker, order) => {
      const visits = await until('a visit', async () => {
        const calls = await worker.calls('activity');
        return calls.length > 0 ? calls.map(({body}) => body as Activity) : undefined;
      });
      expect(
        visits.map(({offer, type, tracking_id}) => [offer, type, tracking_id]),
        order,
      ).to.deep.equal([['club', 'visit', 'campaign-7']]);
    });
  });

  it('counts nothing before a required consent', async () => {
    for (const area of [localStorage, sessionStorage]) area.clear();
    await inEachOrder('vezne-activity', {offer: 'club', consent: 'required'}, async (worker, order) => {
      expect([await worker.calls('activity'), {...localStorage}, {...sessionStorage}], order).to.deep.equal([
        [],
        {},
        {},
      ]);
    });
  });
});
