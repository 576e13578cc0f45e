/**
 * What elements show on pages whose service worker keeps the Worker's answers: never those of another session, and never
 * old ones in place of a lost connection.
 */

import {expect} from '@open-wc/testing/pure';
import {NO_PREFILL, PAYMENTS, subscription, terms} from './stub-worker/answers.ts';
import type {Script} from './stub-worker/script.ts';
import {FAST_RETRIES, inside, openPage} from './support/frame.ts';
import {find, findAll, text, until, untilText} from './support/page.ts';
import {TestWorker} from './support/test-worker.ts';

const STRATEGIES = ['cache-first', 'stale-while-revalidate', 'network-first'] as const;
/** Without `ignoreVary`, the cache keeps one answer for each request. */
const OPTIONS = ['{}', '{ignoreVary: true}'] as const;

interface Row {
  readonly tag: string;
  readonly operation: 'payment' | 'terms' | 'subscription' | 'prefill';
  readonly first: Partial<Script>;
  readonly second: Partial<Script>;
  /** What only the first session's page and the second session's page show. */
  readonly shows: readonly [first: string, second: string];
}

const ROWS: readonly Row[] = [
  ...(['open', 'refused'] as const).map((sockets) => ({
    tag: 'vezne-payment-status',
    operation: 'payment' as const,
    first: {sockets, payment: {...PAYMENTS.partial, order: 'first'}},
    second: {payment: {...PAYMENTS.partial, order: 'second', paid: '1.00', remaining: '499.00', amount: '500.00'}},
    shows: ['₺49.90', '₺499.00'] as const,
  })),
  {
    tag: 'vezne-pin-subscribe',
    operation: 'terms',
    first: {},
    second: {terms: terms({price: '34.50'})},
    shows: ['₺12.00', '₺34.50'],
  },
  {
    tag: 'vezne-subscription',
    operation: 'subscription',
    first: {},
    second: {subscription: subscription({msisdn: '544*****11'})},
    shows: ['0532', '0544'],
  },
  {
    tag: 'vezne-payment-notice',
    operation: 'prefill',
    first: {prefill: {...NO_PREFILL, name: 'Ada Örnek'}},
    second: {prefill: {...NO_PREFILL, name: 'Can Deneme'}},
    shows: ['Ada Örnek', 'Can Deneme'],
  },
];

/** The text of an element and what its fields contain. */
const contentOf = (element: Element): string =>
  [text(element), ...findAll<HTMLInputElement>(element, 'input').map(({value}) => value)].join(' ');

/** Whether the element says so, or asks again for what a form can do without. */
function hasFailed(page: HTMLElement, operation: Row['operation']): boolean {
  if (operation !== 'prefill') return text(page).includes('We can’t reach the payment service');
  const requests = page.ownerDocument.defaultView?.performance.getEntriesByType('resource') ?? [];
  return requests.filter(({name}) => name.endsWith('/prefill')).length > 1;
}

async function register(strategy: string, options: string): Promise<ServiceWorkerRegistration> {
  const url = `/page-worker.js?${new URLSearchParams({strategy, options})}`;
  const registration = await navigator.serviceWorker.register(url, {scope: '/page'});
  await until('the service worker', () => registration.active?.state === 'activated');
  return registration;
}

async function open({address}: TestWorker, tag: string, session: string): Promise<HTMLElement> {
  const frame = await openPage({
    head: `${FAST_RETRIES}<script type="module" src="${address}/vezne.js"></script>`,
    body: `<${tag} session="a.b.${session}-session" lang="en"></${tag}>`,
  });
  expect(!!frame.contentWindow?.navigator.serviceWorker.controller).to.equal(true);
  return inside(frame, tag);
}

describe('on a page whose service worker keeps answers', () => {
  let registration: ServiceWorkerRegistration | undefined;
  afterEach(async () => {
    await registration?.unregister();
    await caches.delete('page');
  });

  for (const strategy of STRATEGIES)
    for (const options of OPTIONS)
      it(`no element shows what another session showed (${strategy}, ${options})`, async () => {
        registration = await register(strategy, options);
        await Promise.all(
          ROWS.map(async ({tag, operation, first, second, shows: [firstText, secondText]}) => {
            const worker = await TestWorker.startCrossOrigin(first);
            const firstPage = await open(worker, tag, 'first');
            await until(firstText, () => contentOf(firstPage).includes(firstText));
            await worker.script(second);
            const page = await open(worker, tag, 'second');
            const isKept = strategy !== 'network-first' && options !== '{}' && first.sockets !== 'open';
            await until(secondText, () => {
              expect(contentOf(page)).not.to.include(firstText);
              // Each retry gets the kept answer.
              return isKept ? hasFailed(page, operation) : contentOf(page).includes(secondText);
            });
            if (isKept) expect(find(page, '#cancel')).to.equal(undefined);
          }),
        );
      });

  it('an element says that the connection is lost, although each request gets an answer', async () => {
    for (const options of OPTIONS) {
      registration = await register('network-first', options);
      const worker = await TestWorker.startCrossOrigin({sockets: 'refused', payment: PAYMENTS.partial});
      const page = await open(worker, 'vezne-payment-status', 'first');
      await untilText(page, '₺49.90');
      await worker.script({faults: {payment: {kind: 'reset'}}});
      await untilText(page, 'Connection lost');
      expect(text(page)).to.include('₺49.90');
      await worker.script({faults: {}, payment: PAYMENTS.paid});
      await untilText(page, 'Payment received');
    }
  });
});
