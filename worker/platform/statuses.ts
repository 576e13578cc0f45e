/** Names the statuses of the platform. */

/** Four enumerations that never meet: the interfaces use the same numbers for different things. */
export const STATUS_KINDS = ['transaction', 'refund', 'payment_notice', 'charge'] as const;
export type StatusKind = (typeof STATUS_KINDS)[number];

/** Words by status, a table a kind. */
export type StatusNames = Readonly<Record<StatusKind, Readonly<Record<string, string>>>>;

/** What the integer statuses of `docs/spec/observed.md` mean, unless `PLATFORM_STATUSES` says otherwise. */
const STATUS_NAMES: Readonly<Record<StatusKind, ReadonlyMap<string, string>>> = {
  transaction: new Map([
    ['1', 'processing'],
    ['2', 'not_notified'],
    ['3', 'successful'],
    ['5', 'awaiting_approval'],
    ['6', 'refunded'],
    ['8', 'partial'],
  ]),
  refund: new Map([
    ['-1', 'not_notified'],
    ['1', 'waiting'],
    ['2', 'processing'],
    ['3', 'successful'],
    ['4', 'failed'],
    ['6', 'cancelled'],
  ]),
  payment_notice: new Map([
    ['-1', 'inactive'],
    ['0', 'waiting'],
    ['1', 'processing'],
    ['10', 'approved'],
  ]),
  charge: new Map([
    ['1', 'awaiting_confirmation'],
    ['3', 'successful'],
    ['4', 'failed'],
    ['5', 'expired'],
    ['6', 'refunded'],
    ['7', 'refund_in_progress'],
    ['8', 'cancelled'],
    ['9', 'cancelled'],
    ['-5', 'cancelled'],
    ['-8', 'cancelled'],
    ['-18', 'cancelled'],
  ]),
};

/** The word for a status, `unknown` where its meaning is not known. */
export function stateOf(kind: StatusKind, status: string | null, overrides: StatusNames): string {
  if (status === null) return 'unknown';
  const own = overrides[kind];
  return (Object.hasOwn(own, status) ? own[status] : STATUS_NAMES[kind].get(status)) ?? 'unknown';
}

/** Mobile billing and landing give a subscription's status as a word of an open list. */
const SUBSCRIPTION_STATUSES = new Set(['active', 'retry', 'cancelled', 'suspend', 'rejected']);

export function subscriptionState(status: string | null): string {
  const word = status?.trim().toLowerCase() ?? '';
  return SUBSCRIPTION_STATUSES.has(word) ? word : 'unknown';
}

/** A number of the platform's as a number; anything else as it came. */
export function numberOrText(text: string | null): number | string | null {
  return text !== null && /^(0|-?[1-9]\d{0,14})$/.test(text) ? Number(text) : text;
}
