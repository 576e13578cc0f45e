/** What a session has besides its token, because tokens pass through pages, proxy logs and browser histories. */

import type {ShownSubscription} from '../../contract/browser/subscription-answers.ts';
import type {Seller, SubscriptionLinks} from '../../contract/fields.ts';

/** The personal data of a vendor session. */
export interface VendorDetails {
  readonly kind: 'vendor';
  readonly vendorCode: string;
  readonly name: string;
  readonly phone: string;
  readonly iban: string;
  readonly email?: string | undefined;
  readonly tcNo?: string | undefined;
}

/** The texts, the links and the seller of a subscription session, which are too long for a token. */
export interface SubscriptionDetails extends SubscriptionLinks {
  readonly kind: 'subscription';
  readonly title: {readonly tr: string; readonly en: string};
  readonly terms: {readonly tr: string; readonly en: string};
  readonly seller?: Seller | undefined;
}

/** A subscription as the Worker showed it to a page, with a masked number. This data is not part of a session. */
export interface ShownDetails {
  readonly kind: 'shown';
  readonly shown: ShownSubscription;
}

/** Somebody signed out of this session of the desk. */
export interface EndedDetails {
  readonly kind: 'ended';
}

export type SessionDetails = VendorDetails | SubscriptionDetails | ShownDetails | EndedDetails;
