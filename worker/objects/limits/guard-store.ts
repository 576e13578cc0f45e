/** The schemas of a guard's stores. */

import {type StoreSchema, statements, type ValueSchema} from '../migrations.ts';
import type {GuardPermit} from './guard-rules.ts';

export interface StoredPermit extends GuardPermit {
  readonly id: number;
  /** What the permit is for, if it has a name. */
  readonly what?: string;
}

export interface HourCounts {
  /** Hours since the epoch. */
  readonly hour: number;
  readonly orders: number;
  readonly paid: number;
}

/**
 * Everything that most guards store. A guard that has this value also has an alarm. There are very many guards, for
 * example one for each IP address, and they are short-lived. With tables and versions, a guard would write more rows
 * for the tables and versions than for its counts.
 */
export interface Counts {
  readonly version: 1;
  /** How long a permit is kept, in ms. */
  readonly retentionMs?: number;
  /** The id of the next permit. */
  readonly nextId?: number;
  /** Oldest first; missing if the permits are in the table. */
  readonly permits?: readonly StoredPermit[];
  /** Unpaid orders, by hour. */
  readonly hours?: readonly HourCounts[];
}

export const COUNTS: ValueSchema = {name: 'guard_counts', key: 'counts', version: 1};

/** The permits of a guard that has many of them. */
export const PERMITS: StoreSchema = {
  name: 'permits',
  createdOn: 'first write',
  steps: [
    statements(
      'CREATE TABLE permits (id INTEGER PRIMARY KEY AUTOINCREMENT, at INTEGER NOT NULL, what TEXT, confirmed INTEGER NOT NULL DEFAULT 0)',
      'CREATE INDEX permits_at ON permits (at)',
    ),
  ],
};
