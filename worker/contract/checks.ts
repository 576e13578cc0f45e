/** The checks of the doctor, in the sequence of its answer. */
export const CHECKS = [
  'configuration',
  'egress',
  'token',
  'services',
  'banks',
  'landing',
  'micropayment',
  'payment_page',
  'webhooks',
  'books',
  'clock',
  'limits',
  'keys',
] as const;
export type CheckName = (typeof CHECKS)[number];
