import type {HandoffPreview} from '../../contract/browser/answers.ts';
import {HandoffRequest} from '../../contract/browser/requests.ts';
import {json} from '../../http/json.ts';
import {formatAmount} from '../../lib/money.ts';
import type {RouteContext} from '../route.ts';
import {given, readHandoff, titleOf} from './handoffs.ts';

/**
 * POST /v1/handoffs/preview: what a hand-off brings, without using it up, so that a page can ask before it opens what
 * somebody sent.
 */
export async function previewHandoff(request: Request, context: RouteContext): Promise<Response> {
  const {object, claim} = await readHandoff(request, context, HandoffRequest);
  const {offer, amount} = given(await object.previewHandoff(claim));
  return json<HandoffPreview>({title: titleOf(offer, context.config), amount: formatAmount(amount), currency: 'TRY'});
}
