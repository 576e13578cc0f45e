import {DurableObject} from 'cloudflare:workers';
import {contextOf} from '../../context.ts';
import type {WatchReport} from '../order/order-watchers.ts';
import {ChargeReader, readingBefore} from './charge-reader.ts';
import {type AwaitedOrder, ChargeStore} from './charge-store.ts';
import {Poller} from './poller.ts';

/**
 * One a service: finds the charges by which shoppers paid on the common payment page, and hands each to its order. The
 * platform tells nobody of them, and what the page says on return is a hint.
 */
export class Charges extends DurableObject<Env> {
  readonly #store = new ChargeStore(this.ctx.storage);
  readonly #poller = new Poller(
    this.ctx.storage,
    this.#store,
    new ChargeReader(this.#store, () => contextOf(this.env)),
  );

  /** The order's shopper goes to the payment page: what they pay there is looked for from now on. */
  async trackOrder(service: string, order: AwaitedOrder): Promise<void> {
    const now = Date.now();
    this.#store.setService(service);
    this.#store.trackOrder(order);
    if (!this.#store.reading()) this.#store.setReading(readingBefore(now, now));
    await this.#poller.schedule();
  }

  /** A page looks at an order; tells when the platform was last asked. */
  reportWatch(report: WatchReport): Promise<{asOf: number | null}> {
    return this.#poller.reportWatch(report);
  }

  override alarm(): Promise<void> {
    return this.#poller.poll();
  }
}
