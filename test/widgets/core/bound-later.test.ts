/** Angular and Riot add an element to the page first, and then set its properties one after the other, in one task. */

import {expect} from '@open-wc/testing/pure';
import '../../../widgets/bundles/hosted.ts';
import '../../../widgets/bundles/one-click.ts';
import {defineActivity} from '../../../widgets/activity/vezne-activity.ts';
import type {VezneElement} from '../../../widgets/core/vezne-element.ts';
import type {Activity} from '../../../worker/contract/browser/requests.ts';
import {show, text, until} from '../support/page.ts';
import {press} from '../support/shopper.ts';
import {TestWorker} from '../support/test-worker.ts';

type Properties = Readonly<Record<string, string>>;

/** All orders of these things. */
function orders<T>(things: readonly T[]): T[][] {
  if (things.length === 0) return [[]];
  return things.flatMap((first) => orders(things.filter((each) => each !== first)).map((rest) => [first].concat(rest)));
}

/**
 * Adds an element to a page with this query, and sets its properties in each order. Calls `check` for each order.
 * @param isSlow - Whether each property is set in a task of its own.
 */
async function inEachOrder(
  tag: string,
  properties: Properties,
  check: (worker: TestWorker, order: string, element: HTMLElement) => unknown,
  {query = '', isSlow = false} = {},
) {
  for (const order of orders(['api', ...Object.keys(properties)])) {
    const worker = await TestWorker.start();
    const values: Properties = {...properties, api: worker.address};
    if (query) history.replaceState({}, '', query);
    const element = show(`<${tag}></${tag}>`);
    for (const name of order) {
      Object.assign(element, {[name]: values[name]});
      if (isSlow) await new Promise((resolve) => setTimeout(resolve));
    }
    await check(worker, order.join(', '), element);
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

  it('reads the number of the token', async () => {
    await inEachOrder('vezne-one-click', {offer: 'club', numberToken: 'A', framed: 'true'}, async (worker, order) => {
      const bodies = await until('the number', async () => {
        const calls = await worker.calls('number');
        return calls.length > 0 ? calls.map(({body}) => body) : undefined;
      });
      expect(bodies, order).to.deep.equal([{number_token: 'A'}]);
    });
  });

  for (const way of ['in one task', 'each in a task of its own'] as const)
    it(`asks for a new payment page after the shopper’s return from a failure, with properties set ${way}`, async () => {
      await inEachOrder(
        'vezne-pay-button',
        {offer: 'gold', via: 'payment-page'},
        async (worker, order, element) => {
          element.lang = 'en';
          element.addEventListener('vezne-redirect', (event) => event.preventDefault());
          await press(element, 'Reopen the phone bill page');
          const [call] = await until('the request', async () => {
            const calls = await worker.calls('paymentPage');
            return calls.length > 0 ? calls : undefined;
          });
          expect(call?.body, order).to.include({anew: true});
          // Another order of the page has no return.
          Object.assign(element, {offer: 'silver'});
          await (element as VezneElement<unknown>).updateComplete;
          expect(text(element), order).not.to.include('Reopen');
        },
        {query: '?vezne-return=payment-page.failure', isSlow: way !== 'in one task'},
      );
    });
});
