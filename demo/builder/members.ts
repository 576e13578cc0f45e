/**
 * What the merchant's server knows about its subscribers from the events of the merchant API. A real server receives
 * these events as webhooks, and stores the ids together with its own customers.
 */

export interface Member {
  /** Code of the service. */
  readonly service: string;
  /** Id of the subscription in mobile billing. */
  readonly subscription: string;
  /** The masked number, such as `532*****67`; the subscription's id if the events have no number. */
  readonly msisdn: string;
  readonly state: string;
}

interface SubscriptionEvent {
  readonly type: string;
  readonly data: {
    readonly service: string | null;
    readonly subscription_id: string | null;
    readonly msisdn: string | null;
    readonly state: string;
    readonly subscription_date: string | null;
    readonly renewal_date: string | null;
  };
}

interface EventPage {
  readonly items: readonly SubscriptionEvent[];
  readonly next_cursor: string | null;
  readonly more: boolean;
}

/** Reads all events and returns the subscriptions, newest first. */
export async function readMembers(key: string): Promise<Member[]> {
  const members = new Map<string, Member>();
  let page: EventPage = {items: [], next_cursor: null, more: true};
  while (page.more) {
    page = await readEvents(key, page.next_cursor);
    for (const {type, data} of page.items) {
      const {service, subscription_id: subscription, msisdn, state} = data;
      if (!type.startsWith('subscription.') || service === null || subscription === null) continue;
      if (isOneTime(data)) continue;
      members.set(subscription, {service, subscription, msisdn: msisdn ?? subscription, state});
    }
  }
  return [...members.values()].toReversed();
}

/** The platform stores a one-time payment by phone bill as a subscription that renews when it begins. */
function isOneTime({subscription_date: start, renewal_date: renewal}: SubscriptionEvent['data']): boolean {
  return start !== null && start === renewal;
}

async function readEvents(key: string, cursor: string | null): Promise<EventPage> {
  const query = cursor === null ? '' : `?cursor=${encodeURIComponent(cursor)}`;
  const response = await fetch(`/merchant/v1/events${query}`, {headers: {authorization: `Bearer ${key}`}});
  if (!response.ok) throw new Error(`The Worker answered ${response.status} instead of events.`);
  return response.json() as Promise<EventPage>;
}
