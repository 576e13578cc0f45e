import type {PinEntryMessages} from '../../locales/pin-entry.ts';
import type {Enrollment} from '../enrollment.ts';

const LAST_MINUTE_MS = 60_000;

/** Which times of a PIN have passed. */
interface Passed {
  readonly sent: Enrollment['sent'];
  readonly isLastMinute: boolean;
  readonly isExpired: boolean;
  readonly canResend: boolean;
}

/**
 * Chooses what a screen reader reads out: that the last minute of the PIN begins, that the PIN has expired, or that the
 * shopper can request another PIN. A screen reader does not read the countdowns.
 */
export class PinTimes {
  #passed: Passed | undefined;
  #announced = '';

  /** Call this method in every update. @returns The latest announcement. */
  announce(enrollment: Enrollment, t: PinEntryMessages): string {
    const {sent, expiresInMs, resendInMs, problem, isPinFromElsewhere, isPinOver} = enrollment;
    const before = this.#passed;
    const now: Passed = {
      sent,
      isLastMinute: expiresInMs <= LAST_MINUTE_MS,
      isExpired: isPinOver,
      canResend: resendInMs <= 0,
    };
    this.#passed = now;
    if (!before || before.sent !== sent || !sent) {
      this.#announced = '';
      return '';
    }
    const isNew = (time: 'isLastMinute' | 'isExpired' | 'canResend') => now[time] && !before[time];
    const news = [
      // If the Worker has refused the PIN, the screen reader has already read out the refusal.
      isNew('isExpired') && !problem && `${t.pinExpired}. ${t.requestPin}`,
      isNew('isLastMinute') && expiresInMs > 0 && !isPinFromElsewhere && t.lastMinute,
      isNew('canResend') && t.canResend,
    ].filter((text) => typeof text === 'string');
    if (news.length > 0) this.#announced = news.join(' ');
    return this.#announced;
  }
}
