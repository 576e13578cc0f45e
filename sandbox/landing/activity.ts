import type {Context} from '../context.ts';
import type {Parameters} from '../request.ts';
import type {Answer} from '../visit.ts';
import {Refusal} from './landing-statuses.ts';
import {requireProduct} from './required.ts';

const TYPES: ReadonlySet<string> = new Set(['visit', 'subscribe_clicked', 'confirm_clicked']);
const OF_VISIT = ['url', 'userip', 'browser', 'referer'] as const;

/** /user-activity (subscriptions 4.C, rule 5). */
export function addUserActivity(parameters: Parameters, {activities}: Context): Answer {
  const product = requireProduct(parameters);
  const type = parameters.text('type');
  if (!TYPES.has(type)) throw new Refusal('026');
  if (type === 'visit' && OF_VISIT.some((name) => parameters.text(name) === '')) throw new Refusal('025');
  activities.add({
    product: product.id,
    tracking_id: parameters.text('tracking_id'),
    type,
    url: parameters.text('url'),
    userip: parameters.text('userip'),
    browser: parameters.text('browser'),
    referer: parameters.text('referer'),
  });
  return {};
}
