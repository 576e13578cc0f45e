/** The log: one JSON line per event. docs/operations.md has a table of the events. */

import {accountLimitOf} from './account-limit.ts';
import {currentLogScope, type LogScope} from './log-scope.ts';

/**
 * The fields of a log line: operations, ids and durations. The list is closed, so there is no field for a phone number,
 * a name or an IBAN.
 */
export interface LogFields extends LogScope {
  readonly method?: string;
  readonly route?: string;
  readonly status?: number;
  readonly code?: string;
  /** The id of the API key of a merchant's server; `root` for `MERCHANT_API_KEY`. */
  readonly asked_by?: string;
  readonly operation?: string;
  /** The platform's own status, such as `"000"` or `"ERR_016"`. */
  readonly platform_status?: string;
  /** Why a call failed or its outcome is unknown, such as `timeout`. */
  readonly fault?: string;
  readonly transaction?: string;
  /** State of a payment, such as `paid`. */
  readonly state?: string;
  readonly command?: string;
  /** The kind of a Durable Object's task. */
  readonly task?: string;
  /** A day of the platform's list of transactions, `YYYY-MM-DD`. */
  readonly day?: string;
  readonly event_id?: string;
  /** The type of an event. */
  readonly type?: string;
  /** Id of a webhook. */
  readonly webhook?: string;
  /** Counts the attempts to deliver an event, from 1. */
  readonly attempt?: number;
  readonly searches?: number;
  readonly rows?: number;
  /** A Durable Object's store, and its schema version. */
  readonly store?: string;
  readonly version?: number;
  readonly duration_ms?: number;
  readonly retry_in_ms?: number;
  /** Names of bindings, or dotted paths of fields. */
  readonly names?: readonly string[];
  /** Class and stack of an internal error. The message of the error is left out, because it may contain data. */
  readonly error?: string;
}

export type LogEvent =
  | 'request'
  | 'internal_error'
  | 'misconfigured'
  | 'platform_call'
  | 'platform_trouble'
  | 'logo_failed'
  | 'circuit_opened'
  | 'circuit_closed'
  | 'token_issued'
  | 'token_refused'
  | 'bank_list_stale'
  | 'banks_unreadable'
  | 'order_code_created'
  | 'order_code_found'
  | 'order_part_missing'
  | 'payment'
  | 'transaction_unreadable'
  | 'rows_unreadable'
  | 'sweep'
  | 'sweep_failed'
  | 'sweep_day_failed'
  | 'sweep_limited'
  | 'charges_unread'
  | 'subscriptions_unread'
  | 'delivery_failed'
  | 'history_waiting'
  | 'watch_report_failed'
  | 'buyer_index_lost'
  | 'buyer_receipt_failed'
  | 'report_lost'
  | 'ledger_failed'
  | 'activity_failed'
  | 'human_check_down'
  | 'confirm_failed'
  | 'events_waiting'
  | 'receipt_waiting'
  | 'record_failed'
  | 'event_refused'
  | 'event_dead'
  | 'command_queued'
  | 'command_done'
  | 'command_failed'
  | 'command_unknown'
  | 'command_report_failed'
  | 'command_given_up'
  | 'quota_refused'
  | 'quota_report_failed'
  | 'refund_foreign'
  | 'refund_went_back'
  | 'refund_not_found'
  | 'refund_given_up'
  | 'notification_refused'
  | 'store_newer_than_code'
  | 'store_upgrade_failed';

type Level = 'info' | 'warn' | 'error';

/** Writes one line, with the fields of the running request or alarm. */
export function log(level: Level, event: LogEvent, fields: LogFields = {}): void {
  console[level](JSON.stringify({level, event, ...currentLogScope(), ...fields}));
}

/**
 * Describes an error for the log: its class, or the limit of the account that caused it, and the top of its stack. Never
 * its message.
 */
export function describeError(error: unknown): string {
  if (!(error instanceof Error)) return typeof error;
  const frames = (error.stack ?? '').split('\n').filter((line) => /^\s+at /.test(line));
  return [accountLimitOf(error) ?? error.name, ...frames.slice(0, 4).map((line) => line.trim())].join(' < ');
}
