import {log} from '../../lib/log.ts';
import type {NoticeOutcome} from '../../platform/notifications.ts';
import type {Checked} from './check-records.ts';

const ANSWERS: Readonly<Record<NoticeOutcome, {readonly text: string; readonly status: number}>> = {
  stored: {text: 'OK', status: 200},
  wrong: {text: 'Wrong Data', status: 400},
  // Whoever sends it again later may be understood then.
  later: {text: 'Try Again', status: 503},
};

/** What becomes of a call of several records: what may be understood later comes first, and no record at all is wrong. */
export function worst(outcomes: readonly NoticeOutcome[]): NoticeOutcome {
  if (outcomes.includes('later')) return 'later';
  return outcomes.includes('wrong') || outcomes.length === 0 ? 'wrong' : 'stored';
}

/** What the platform is answered: the words of its spec (orders 6), as text. */
export function answerHook(outcome: NoticeOutcome): Response {
  const {text, status} = ANSWERS[outcome];
  const headers = new Headers({'content-type': 'text/plain; charset=utf-8', 'cache-control': 'no-store'});
  if (outcome === 'later') headers.set('retry-after', '60');
  return new Response(text, {status, headers});
}

/** What the call is answered when its genuine records are judged. @throws {ApiError} where what was sent is `limited`. */
export function answerRecords(
  judged: readonly NoticeOutcome[],
  {wrong, limited}: Omit<Checked<unknown>, 'genuine'>,
): Response {
  const rows = wrong + judged.filter((outcome) => outcome === 'wrong').length;
  if (rows > 0) log('warn', 'notification_refused', {rows});
  if (limited) throw limited;
  return answerHook(worst(wrong > 0 ? [...judged, 'wrong'] : judged));
}
