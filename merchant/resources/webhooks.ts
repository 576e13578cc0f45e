import type {Answers, Inputs} from '../contract.ts';
import type {CallOptions, WriteOptions} from '../options.ts';
import {Search} from '../pagination.ts';
import {Resource} from './resource.ts';

/** Webhooks: the servers to which the Worker sends events. To verify a received event, use `verifyWebhook`. */
export class Webhooks extends Resource {
  /** Lists the webhooks and how deliveries to each of them go: `GET /merchant/v1/webhooks`. */
  list(input: Inputs['listWebhooks'] = {}, options?: CallOptions): Promise<Answers['listWebhooks']> {
    return this.call('listWebhooks', input, options);
  }

  /**
   * Creates a webhook: `POST /merchant/v1/webhooks`. Store the `secret`, because the Worker shows it only once. If the
   * first answer was lost and the client repeated the request, `secret` is null: then call `rotateSecret`.
   * @throws {VezneError} `webhook_limit`
   */
  create(input: Inputs['createWebhook'], options?: WriteOptions): Promise<Answers['createWebhook']> {
    return this.call('createWebhook', input, options);
  }

  /**
   * Shows a webhook and how deliveries to it go: `GET /merchant/v1/webhooks/{id}`.
   * @throws {VezneError} `not_found`
   */
  get(input: Inputs['getWebhook'], options?: CallOptions): Promise<Answers['getWebhook']> {
    return this.call('getWebhook', input, options);
  }

  /**
   * Changes a webhook, or switches it on or off: `PATCH /merchant/v1/webhooks/{id}`. If you switch a webhook off, its
   * waiting deliveries are given up.
   * @throws {VezneError} `not_found` `webhook_configured`
   */
  update(input: Inputs['updateWebhook'], options?: WriteOptions): Promise<Answers['updateWebhook']> {
    return this.call('updateWebhook', input, options);
  }

  /**
   * Deletes a webhook and its deliveries: `DELETE /merchant/v1/webhooks/{id}`.
   * @throws {VezneError} `not_found` `webhook_configured`
   */
  delete(input: Inputs['deleteWebhook'], options?: WriteOptions): Promise<Answers['deleteWebhook']> {
    return this.call('deleteWebhook', input, options);
  }

  /**
   * Gives a webhook a new secret, which the Worker shows only once: `POST /merchant/v1/webhooks/{id}/rotate-secret`.
   * During the next `overlap_hours`, events are signed with the previous secret too.
   * @throws {VezneError} `not_found` `webhook_configured`
   */
  rotateSecret(input: Inputs['rotateWebhookSecret'], options?: WriteOptions): Promise<Answers['rotateWebhookSecret']> {
    return this.call('rotateWebhookSecret', input, options);
  }

  /**
   * Sends an event of type `webhook.test` once and returns the receiver’s answer: `POST /merchant/v1/webhooks/{id}/test`.
   * @throws {VezneError} `not_found`
   */
  test(input: Inputs['testWebhook'], options?: WriteOptions): Promise<Answers['testWebhook']> {
    return this.call('testWebhook', input, options);
  }

  /**
   * Lists events that wait for delivery or could not be delivered, for each webhook: `GET /merchant/v1/deliveries`.
   */
  listDeliveries(input: Inputs['listDeliveries'] = {}, options?: CallOptions): Search<Answers['listDeliveries']> {
    return new Search((cursor) =>
      this.call('listDeliveries', cursor === undefined ? input : {...input, cursor}, options),
    );
  }
}
