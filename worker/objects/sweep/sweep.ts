import {DurableObject} from 'cloudflare:workers';
import {contextOf} from '../../context.ts';
import type {WatchReport} from '../order/order-watchers.ts';
import {Poller} from './poller.ts';
import {SweepReader} from './sweep-reader.ts';
import {SweepStore, type TrackedOrder} from './sweep-store.ts';

/**
 * One a service: asks the platform for new transactions on behalf of every waiting page and hands each to its
 * order. A transaction counts as seen once its order has it, so one that is cut off is delivered again.
 */
export class Sweep extends DurableObject<Env> {
  readonly #store = new SweepStore(this.ctx.storage);
  readonly #poller = new Poller(this.ctx.storage, this.#store, new SweepReader(this.#store, () => contextOf(this.env)));

  /** Watches an open order of the service from now on. */
  async trackOrder(service: string, order: TrackedOrder): Promise<void> {
    this.#store.setService(service);
    this.#store.trackOrder(order);
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
