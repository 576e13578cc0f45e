/** Makes events for tests of the outbox. */

import type {NewEvent} from '../../../worker/objects/events/event.ts';
import {receivedRequests} from './webhook-receiver.ts';

/** The event of a payment notice, which is the smallest event of an order. */
export function notice(order: string, number = 1): NewEvent {
  return {
    type: 'payment_notice.created',
    key: `${order} ${number}`,
    at: Date.now(),
    data: {
      service: 'DEMO',
      order,
      amount: '149.90',
      bank_code: 'garanti',
      notice_code: String(number),
    },
  };
}

/**
 * The payment notices that the receiver got at this path, each as order and number, such as `S-1 2`. A notice that the
 * receiver refused is `S-1 2 refused`.
 */
export async function receivedNotices(path = '/'): Promise<string[]> {
  const requests = (await receivedRequests()).filter((request) => (request.path ?? '/') === path);
  return requests.flatMap(({body, taken}) => {
    const {type, data} = body as {type: string; data: {order: string; notice_code: string}};
    return type === 'payment_notice.created' ? [`${data.order} ${data.notice_code}${taken ? '' : ' refused'}`] : [];
  });
}
