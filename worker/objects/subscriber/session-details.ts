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

/** The texts of a subscription session, which are too long for a token. */
export interface SubscriptionDetails {
  readonly kind: 'subscription';
  readonly title: {readonly tr: string; readonly en: string};
  readonly terms: {readonly tr: string; readonly en: string};
}

export type SessionDetails = VendorDetails | SubscriptionDetails;

const DETAILS: StoreSchema = {name: 'details', createdOn: 'first write', steps: [NO_TABLES]};

/**
 * Stores the data of a session that its token must not contain, because tokens pass through pages, proxy logs and
 * browser histories. There is one object per session, with a name that cannot be guessed. It deletes its data when the
 * session ends.
 */
export class Details extends StoredObject {
  static override readonly schemas = [DETAILS];

  /** @param until when the session ends and the data is deleted, epoch milliseconds. */
  async save(details: SessionDetails, until: number): Promise<void> {
    this.versions.create(DETAILS);
    this.ctx.storage.kv.put('details', details);
    await scheduleAlarm(this.ctx.storage, until);
  }

  /** Returns null once the session has ended. */
  read(): SessionDetails | null {
    return this.ctx.storage.kv.get<SessionDetails>('details') ?? null;
  }

  override async alarm(): Promise<void> {
    await this.versions.erase();
  }
}
