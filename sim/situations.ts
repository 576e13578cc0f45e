/** What every long run must have met: otherwise its histories are too tame to say anything. */

/** A run of so many steps must have met everything. */
export const SITUATIONS_AFTER_STEPS = 30_000;

export const SITUATIONS = [
  'a request arrives twice',
  'a notification arrives twice',
  'a notification is forged',
  'the answer of a webhook is lost',
  'an event is delivered again',
  'a restart while a request waits for its answer',
  'an object ends between two awaits',
  'a kill between write and event',
  'money arrives during an outage',
  'money arrives after the deadline',
  'money arrives for a cancelled order',
  'money arrives for a deleted order',
  'money arrives in several parts',
  'too much money arrives',
  'money arrives after all was refunded',
  'money without a code is found by a notice',
  'money from a phone bill',
  'a deadline passes during an outage',
  'a deadline during a sweep’s backlog',
  'an order is paid whose code was lost on its way',
  'two requests for a code at the same time',
  'two changes of an amount at the same time',
  'the answer of a changed amount is lost',
  'two devices choose at once',
  'two tabs choose at once',
  'a bill is opened on several devices',
  'a second device has the order',
  'a result of a refund before the answer to its request',
  'a refund fails',
  'a command is unknown and then found done',
  'a command is unknown and then not done',
  'the calls of a day are used up',
  'the searches of a minute are used up',
  'a subscription starts whose answer was lost',
  'a subscription is cancelled elsewhere',
] as const;
export type Situation = (typeof SITUATIONS)[number];
