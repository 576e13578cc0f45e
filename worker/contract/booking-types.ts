/** The types of rows of the books. */
export const BOOKING_TYPES = [
  'order.placed',
  'order.changed',
  'order.overdue',
  'money.arrived',
  'money.withdrawn',
  'money.unmatched',
  'money.matched',
  'refund.requested',
  'refund.settled',
  'refund.failed',
] as const;
export type BookingType = (typeof BOOKING_TYPES)[number];
