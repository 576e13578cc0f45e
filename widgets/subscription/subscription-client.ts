import {WorkerClient, type WorkerRequest} from '../core/worker-client.ts';
import type {Action} from '../locales/subscription-actions.ts';
import {actionProblem, subscriptionRefusals} from './refusals.ts';

export class SubscriptionClient extends WorkerClient {
  protected override readonly refusals = subscriptionRefusals;

  /** Sends a request. @throws {Problem} What happened to the action of which the request is a part. */
  async act<T>(action: Action, path: string, request: WorkerRequest<T>): Promise<T> {
    return this.ask(path, request).catch(async (thrown: unknown) => {
      throw await actionProblem(action, thrown);
    });
  }
}
