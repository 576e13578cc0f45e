import type {ShownSubscription} from '../../../worker/contract/browser/subscription-answers.ts';
import {PENDING, Query} from '../../core/query.ts';
import {Store} from '../../core/store.ts';
import {isText, shape, WorkerClient} from '../../core/worker-client.ts';
import {actionProblem, subscriptionRefusals} from '../refusals.ts';
import {type ManagedEvent, type ManagedFacts, nextManaged} from './managed-facts.ts';

const isShown = shape<ShownSubscription>({subscription: shape({id: isText, state: isText})});

class ManagementClient extends WorkerClient {
  protected override readonly refusals = subscriptionRefusals;

  /** Reads the subscription. @param path - `/cancel`: cancels it before. */
  read(token: string, signal: AbortSignal, path: '' | '/cancel' = ''): Promise<ShownSubscription> {
    return this.ask(`/v1/subscription${path}`, {validate: isShown, signal, token, ...(path && {body: {}})});
  }
}

/** The subscription of a `management` session, which the page can read and cancel. */
export class ManagedSubscription extends Store {
  readonly #client: ManagementClient;
  readonly #token: string;
  #facts: ManagedFacts = {shown: PENDING};

  /** The subscription and its seller. */
  readonly shown: Query<ShownSubscription>;

  constructor(api: string, token: string) {
    super();
    this.#client = new ManagementClient(api);
    this.#token = token;
    this.shown = new Query((signal) => this.#client.read(token, signal));
    this.shown.owner = this;
  }

  get facts(): ManagedFacts {
    return {...this.#facts, shown: this.shown.result};
  }

  send(event: ManagedEvent): void {
    this.#facts = nextManaged(this.facts, event);
    this.notify();
  }

  /** Cancels the subscription. If the request fails, the outcome may be unknown, so the subscription is read again. */
  async cancel(): Promise<void> {
    if (this.#facts.question !== 'asked') return;
    this.send({is: 'confirmed'});
    try {
      const {subscription} = await this.#client.read(this.#token, new AbortController().signal, '/cancel');
      this.send({is: 'cancelled', subscription});
    } catch (thrown) {
      this.send({is: 'failed', problem: await actionProblem('cancel', thrown)});
      this.shown.reload();
    }
  }
}
