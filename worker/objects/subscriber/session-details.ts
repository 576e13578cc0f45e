import type {ShownSubscription} from '../../contract/browser/subscription-answers.ts';
import type {Seller, SubscriptionLinks} from '../../contract/fields.ts';
import {scheduleAlarm} from '../alarm.ts';
import {NO_TABLES, type StoreSchema} from '../migrations.ts';
import {StoredObject} from '../stored-object.ts';

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
  /** Until when the Worker may show the subscription again, epoch milliseconds. */
  readonly until: number;
}

export type SessionDetails = VendorDetails | SubscriptionDetails | ShownDetails;

const DETAILS: StoreSchema = {name: 'details', createdOn: 'first key', steps: [NO_TABLES]};

/**
 * Stores the data of a session that the session's token must not contain, because tokens pass through pages, proxy logs
 * and browser histories. There is one object per session, with a name that cannot be guessed. The object deletes its
 * data when the session ends. Other objects of this class keep, for a few minutes, what pages show of a subscription.
 */
export class Details extends StoredObject {
  static override readonly schemas = [DETAILS];

  /** @param until - When the session ends and the data is deleted, epoch milliseconds. */
  async save(details: SessionDetails, until: number): Promise<void> {
    this.versions.create(DETAILS);
    this.ctx.storage.kv.put('details', details);
    await scheduleAlarm(this.ctx.storage, until);
  }

  /** Returns null after the session has ended. */
  read(): SessionDetails | null {
    return this.ctx.storage.kv.get<SessionDetails>('details') ?? null;
  }

  async forget(): Promise<void> {
    await this.versions.erase();
  }

  override async alarm(): Promise<void> {
    await this.versions.erase();
  }
}
