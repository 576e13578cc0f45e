/** The types of rows of the books. */
export const BOOKING_TYPES = [
  'order.placed',
  'order.changed',
  'order.amended',
  'order.overdue',
  'money.arrived',
  'money.withdrawn',
  'money.unmatched',
  'money.matched',
  'refund.requested',
  'refund.settled',
  'refund.withdrawn',
  'refund.failed',
  'notice.created',
] as const;
export type BookingType = (typeof BOOKING_TYPES)[number];

/**
 * Banks complete refunds at the end of a day, so at this hour of the next (Turkish time) the platform has all results,
 * and the Worker reads them.
 */
export const REFUNDS_READ_HOUR = 8;
/**
 * A day closes at this hour of the next day, so that what happened before midnight can still be found, also the results
 * of refunds whose first reads failed.
 */
export const CLOSING_HOUR = 9;
