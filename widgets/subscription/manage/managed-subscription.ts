import type {ShownSubscription} from '../../../worker/contract/browser/subscription-answers.ts';
import {toProblem} from '../../core/problem.ts';
import {PENDING, Query} from '../../core/query.ts';
import {Store} from '../../core/store.ts';
import {isText, shape} from '../../core/worker-client.ts';
import type {SubscriptionClient} from '../subscription-client.ts';
import {type ManagedEvent, type ManagedFacts, nextManaged} from './managed-facts.ts';

const isShown = shape<ShownSubscription>({subscription: shape({id: isText, state: isText})});

/** The subscription of a `management` session, which the page can read and cancel. */
export class ManagedSubscription extends Store {
  #facts: ManagedFacts = {shown: PENDING};

  /** The subscription and its seller. */
  readonly shown: Query<ShownSubscription>;

  constructor(
    readonly client: SubscriptionClient,
    readonly token: string,
  ) {
    super();
    this.shown = new Query((signal) => client.ask('/v1/subscription', {validate: isShown, signal, token}));
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
    const request = {validate: isShown, signal: new AbortController().signal, token: this.token, body: {}};
    try {
      const {subscription} = await this.client.act('cancel', '/v1/subscription/cancel', request);
      this.send({is: 'cancelled', subscription});
    } catch (thrown) {
      this.send({is: 'failed', problem: toProblem(thrown)});
      this.shown.reload();
    }
  }
}
