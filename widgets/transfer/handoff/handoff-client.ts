import type {Handoff, HandoffPreview, RedeemedSession} from '../../../worker/contract/browser/answers.ts';
import type {HandoffRequest, RedeemRequest} from '../../../worker/contract/browser/requests.ts';
import {paymentRefusals} from '../../core/problem.ts';
import {isAmount, shape, isText, WorkerClient} from '../../core/worker-client.ts';
import {isLocalizedOrNull, isSession} from '../purchase/order-client.ts';

const isHandoff = shape<Handoff>({code: isText});
const isPreview = shape<HandoffPreview>({title: isLocalizedOrNull, amount: isAmount});

/** Creates hand-offs on the first device. On the second device, previews and redeems them. */
export class HandoffClient extends WorkerClient {
  protected override readonly refusals = paymentRefusals;

  /** Creates a code that opens this session's order on another device. The code works once. */
  create(token: string, signal: AbortSignal): Promise<Handoff> {
    return this.ask('/v1/handoffs', {validate: isHandoff, signal, token, body: {}});
  }

  /** Reads the title and the amount of the link's order. The link stays valid. */
  preview(body: HandoffRequest, signal: AbortSignal): Promise<HandoffPreview> {
    return this.ask('/v1/handoffs/preview', {validate: isPreview, signal, body});
  }

  /** Opens the link's order. The link becomes invalid. */
  redeem(body: RedeemRequest, signal: AbortSignal): Promise<RedeemedSession> {
    return this.ask('/v1/handoffs/redeem', {validate: isSession, signal, body});
  }
}
