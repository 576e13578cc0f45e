/** Counts the visits and clicks of a day by offer and campaign. No row names a visitor. */

import type {ActivityType} from '../contract/browser/requests.ts';
import {type StoreSchema, statements} from './migrations.ts';
import type {ObjectStorage} from './object-storage.ts';

/** A type, because statements return it. */
export type VisitCount = {
  /** `YYYY-MM-DD` in Turkey. */
  readonly day: string;
  readonly offer: string;
  /** `utm_campaign` of the page's address; `NO_CAMPAIGN`, or `OTHER_CAMPAIGNS`. */
  readonly campaign: string;
  readonly visits: number;
  readonly clicks: number;
};

export const NO_CAMPAIGN = '';
/** No name has this character. */
export const OTHER_CAMPAIGNS = '\n';
/** How many campaigns of a day have a row, of all offers together. Anybody can invent names. */
export const MAX_CAMPAIGNS = 50;

export const VISITS: StoreSchema = {
  name: 'visits',
  createdOn: 'first write',
  steps: [
    statements(
      `CREATE TABLE visits (day TEXT NOT NULL, offer TEXT NOT NULL, campaign TEXT NOT NULL, visits INTEGER NOT NULL,
         clicks INTEGER NOT NULL, PRIMARY KEY (day, offer, campaign)) WITHOUT ROWID`,
    ),
  ],
};

export class VisitStore {
  constructor(private readonly storage: ObjectStorage) {}

  /**
   * Counts an activity. If the day has too many campaigns, a new one takes the place of the smallest one, which then
   * counts among the others. So a flood of names takes one place, and no campaign that has more visits than each of
   * them. After a flood early in the day, a real campaign may lose its first visits to the others again and again.
   */
  count(type: ActivityType, {day, offer, campaign}: Pick<VisitCount, 'day' | 'offer' | 'campaign'>): void {
    const counts = type === 'visit' ? {visits: 1, clicks: 0} : {visits: 0, clicks: 1};
    const isNew = campaign !== NO_CAMPAIGN && !this.#has(day, offer, campaign);
    const smallest = isNew && this.#smallest(day);
    if (smallest) {
      this.storage.sql`
        DELETE FROM visits WHERE day = ${day} AND offer = ${smallest.offer} AND campaign = ${smallest.campaign}`;
      this.#add({...smallest, campaign: OTHER_CAMPAIGNS});
    }
    this.#add({day, offer, campaign, ...counts});
  }

  /** @param from - The first day; `to` is the last one. */
  list(from: string, to: string): VisitCount[] {
    return this.storage.sql<VisitCount>`SELECT * FROM visits WHERE day >= ${from} AND day <= ${to}`;
  }

  /** The first day with a count; null without counts. */
  firstDay(): string | null {
    return this.storage.sql<{day: string}>`SELECT day FROM visits ORDER BY day LIMIT 1`[0]?.day ?? null;
  }

  deleteBefore(day: string): void {
    this.storage.sql`DELETE FROM visits WHERE day < ${day}`;
  }

  #has(day: string, offer: string, campaign: string): boolean {
    const {sql} = this.storage;
    return sql`SELECT 1 FROM visits WHERE day = ${day} AND offer = ${offer} AND campaign = ${campaign}`.length > 0;
  }

  /** The smallest campaign of a day without room for another one; of equal ones, the last that was found. */
  #smallest(day: string): VisitCount | undefined {
    const [first, ...others] = this.storage.sql<VisitCount>`
      SELECT * FROM visits WHERE day = ${day} AND campaign NOT IN (${NO_CAMPAIGN}, ${OTHER_CAMPAIGNS})`;
    if (!first || others.length + 1 < MAX_CAMPAIGNS) return undefined;
    return others.reduce((least, each) => (sizeOf(each) <= sizeOf(least) ? each : least), first);
  }

  #add({day, offer, campaign, visits, clicks}: VisitCount): void {
    this.storage.sql`
      INSERT INTO visits VALUES (${day}, ${offer}, ${campaign}, ${visits}, ${clicks})
      ON CONFLICT DO UPDATE SET visits = visits + ${visits}, clicks = clicks + ${clicks}`;
  }
}

const sizeOf = ({visits, clicks}: VisitCount) => visits + clicks;
