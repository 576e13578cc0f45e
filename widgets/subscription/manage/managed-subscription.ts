import type {ShownSubscription, Subscription} from '../../../worker/contract/browser/subscription-answers.ts';
import {type Problem, toProblem} from '../../core/problem.ts';
import {Query} from '../../core/query.ts';
import {Store} from '../../core/store.ts';
import {shape, isText, WorkerClient} from '../../core/worker-client.ts';
import {subscriptionRefusals} from '../offer.ts';

const isShown = shape<ShownSubscription>({subscription: shape({id: isText, state: isText})});

class ManagementClient extends WorkerClient {
  protected override readonly refusals = subscriptionRefusals;

  async read(token: string, signal: AbortSignal): Promise<Subscription> {
    return (await this.ask('/v1/subscription', {validate: isShown, signal, token})).subscription;
  }

  async cancel(token: string, signal: AbortSignal): Promise<Subscription> {
    return (await this.ask('/v1/subscription/cancel', {validate: isShown, signal, token, body: {}})).subscription;
  }
}

/** One subscription as its subscriber sees it, by a `management` session of the merchant's server. */
export class ManagedSubscription extends Store {
  readonly #client: ManagementClient;
  readonly #token: string;
  #cancelled: Subscription | undefined;
  #isBusy = false;
  #problem: Problem | undefined;

  readonly subscription: Query<Subscription>;

  constructor(api: string, token: string) {
    super();
    this.#client = new ManagementClient(api);
    this.#token = token;
    this.subscription = new Query((signal) => this.#client.read(token, signal));
  }

  /** What cancelling here gave. */
  get cancelled(): Subscription | undefined {
    return this.#cancelled;
  }

  get isBusy(): boolean {
    return this.#isBusy;
  }

  /** Why cancelling did not succeed. */
  get problem(): Problem | undefined {
    return this.#problem;
  }

  /** Cancels it. Where nobody knows whether that worked, it is read again. */
  async cancel(): Promise<void> {
    if (this.#isBusy) return;
    this.#isBusy = true;
    this.#problem = undefined;
    this.notify();
    try {
      this.#cancelled = await this.#client.cancel(this.#token, new AbortController().signal);
    } catch (thrown) {
      this.#problem = toProblem(thrown);
      this.subscription.reload();
    }
    this.#isBusy = false;
    this.notify();
  }
}
