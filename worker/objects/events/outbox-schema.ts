/** The tables of an outbox. */

import {type StoreSchema, statements} from '../migrations.ts';

/**
 * A delivery is one event for one webhook. It exists while the event waits for delivery, and after the Worker gave up.
 * `delivery_queues` says for each webhook and subject when the first of the subject's deliveries is due. So the events
 * of a subject become due one after another, and the query for due events reads no other rows.
 *
 * The columns `state`, `attempts`, `queued_at`, `tried_at` and `last_status` of `events` are not used any more, because
 * they are from a version with only one webhook. The columns stay, because dropping a column rewrites the table.
 */
const DELIVERIES = statements(
  `CREATE TABLE deliveries (
    seq INTEGER NOT NULL, webhook TEXT NOT NULL, subject TEXT NOT NULL, state TEXT NOT NULL, attempts INTEGER NOT NULL,
    queued_at INTEGER NOT NULL, tried_at INTEGER, last_status INTEGER, last_fault TEXT,
    PRIMARY KEY (seq, webhook)) WITHOUT ROWID`,
  'CREATE INDEX deliveries_subject ON deliveries (webhook, subject, seq)',
  `CREATE INDEX deliveries_dead ON deliveries (seq, webhook) WHERE state = 'dead'`,
  `CREATE TABLE delivery_queues (
    webhook TEXT NOT NULL, subject TEXT NOT NULL, due_at INTEGER NOT NULL, PRIMARY KEY (webhook, subject)) WITHOUT ROWID`,
  'CREATE INDEX delivery_queues_due ON delivery_queues (webhook, due_at)',
  `CREATE TABLE webhooks (
    id TEXT PRIMARY KEY, url TEXT NOT NULL, types TEXT, enabled INTEGER NOT NULL, secret TEXT NOT NULL, previous TEXT,
    previous_until INTEGER, version INTEGER NOT NULL, created_at INTEGER NOT NULL, changed_at INTEGER NOT NULL)
    WITHOUT ROWID`,
  `CREATE TABLE webhook_health (
    webhook TEXT PRIMARY KEY, last_success_at INTEGER, last_failure_at INTEGER, last_status INTEGER, last_fault TEXT,
    failures INTEGER NOT NULL) WITHOUT ROWID`,
  `INSERT INTO deliveries (seq, webhook, subject, state, attempts, queued_at, tried_at, last_status)
    SELECT seq, 'wh_configured', subject, state, attempts, queued_at, tried_at, last_status
    FROM events WHERE state IN ('waiting', 'dead')`,
  `INSERT INTO delivery_queues SELECT 'wh_configured', subject, due_at FROM queues`,
  'DROP INDEX events_waiting',
  'DROP INDEX events_dead',
  'DROP TABLE queues',
);

export const OUTBOX: StoreSchema = {
  name: 'outbox',
  createdOn: 'wake',
  steps: [
    statements(
      `CREATE TABLE IF NOT EXISTS events (
        seq INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE, subject TEXT NOT NULL, body TEXT NOT NULL, appended_at INTEGER NOT NULL,
        state TEXT NOT NULL, attempts INTEGER NOT NULL DEFAULT 0, queued_at INTEGER NOT NULL, tried_at INTEGER, last_status INTEGER)`,
      `CREATE INDEX IF NOT EXISTS events_waiting ON events (subject, seq) WHERE state = 'waiting'`,
      `CREATE INDEX IF NOT EXISTS events_dead ON events (seq) WHERE state = 'dead'`,
      'CREATE INDEX IF NOT EXISTS events_appended ON events (appended_at)',
      'CREATE TABLE IF NOT EXISTS queues (subject TEXT PRIMARY KEY, due_at INTEGER NOT NULL) WITHOUT ROWID',
      'CREATE INDEX IF NOT EXISTS queues_due ON queues (due_at)',
    ),
    DELIVERIES,
    // Events are stored in the order of `appended_at`, so `seq` finds the old events.
    'DROP INDEX IF EXISTS events_appended',
    // For the events of one order.
    'CREATE INDEX events_subject ON events (subject, seq)',
    // For the deliveries that the Worker gave up last.
    `CREATE INDEX deliveries_given_up ON deliveries (tried_at) WHERE state = 'dead'`,
  ],
};
