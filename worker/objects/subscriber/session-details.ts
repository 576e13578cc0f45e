import {DurableObject} from 'cloudflare:workers';
import {scheduleAlarm} from '../alarm.ts';

/** What a vendor session is about: a person's data. */
export interface VendorDetails {
  readonly kind: 'vendor';
  readonly vendorCode: string;
  readonly name: string;
  readonly phone: string;
  readonly iban: string;
  readonly email?: string | undefined;
  readonly tcNo?: string | undefined;
}

/** What a subscription session shows: texts too long for a token. */
export interface SubscriptionDetails {
  readonly kind: 'subscription';
  readonly title: {readonly tr: string; readonly en: string};
  readonly terms: {readonly tr: string; readonly en: string};
}

export type SessionDetails = VendorDetails | SubscriptionDetails;

/**
 * What a session refers to and must not carry: tokens pass through pages, logs of proxies and histories. One
 * object a session, under a name nobody can guess; it forgets when the session ends.
 */
export class Details extends DurableObject<Env> {
  /** @param until epoch milliseconds. */
  async save(details: SessionDetails, until: number): Promise<void> {
    this.ctx.storage.kv.put('details', details);
    await scheduleAlarm(this.ctx.storage, until);
  }

  /** Null once the session is over. */
  read(): SessionDetails | null {
    return this.ctx.storage.kv.get<SessionDetails>('details') ?? null;
  }

  override async alarm(): Promise<void> {
    await this.ctx.storage.deleteAll();
  }
}
