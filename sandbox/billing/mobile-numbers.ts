/**
 * Mobile numbers. Some test numbers select a status (`docs/sandbox.md`). `SSS` is a status of three digits:
 *
 * - `5550000SSS`: generate-pin, get-msisdn and subscription-request return that landing status.
 * - `5550001SSS`: the platform sends the PIN, and subscription-request returns that landing status.
 * - `5550002SSS`: the number can subscribe like any other, but its charges get that status of mobile billing.
 */

/** Returns true for ten digits that begin with 5 (subscriptions.md 4.A). */
export function isMobileNumber(text: string): boolean {
  return /^5\d{9}$/.test(text);
}

/** Returns true for a mobile operator, which is a number from 1 to 7 (subscriptions.md 4.C). */
export function isOperator(operator: number): boolean {
  return Number.isInteger(operator) && operator >= 1 && operator <= 7;
}

/** Returns true for a test number. Only the subscriptions of test numbers can be reset. */
export function isTestNumber(msisdn: string): boolean {
  return /^555\d{7}$/.test(msisdn);
}

export type LandingStage = 'pin' | 'subscribe';

/** Returns the landing status that a test number selects at a stage. The digits `000` select no status. */
export function landingStatusOf(msisdn: string, stage: LandingStage): string | undefined {
  const [, range, status] = /^555000([01])(\d{3})$/.exec(msisdn) ?? [];
  if (range === undefined || status === '000') return undefined;
  return range === '0' || stage === 'subscribe' ? status : undefined;
}

const SUCCESS = 3;

/** Returns the status that the charges of a number get. */
export function chargeStatusOf(msisdn: string): number {
  const [, status] = /^5550002(\d{3})$/.exec(msisdn) ?? [];
  return Number(status) || SUCCESS;
}
