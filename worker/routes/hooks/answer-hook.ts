import type {NoticeOutcome} from '../../objects/refunds.ts';

const ANSWERS: Readonly<Record<NoticeOutcome, {readonly text: string; readonly status: number}>> = {
  stored: {text: 'OK', status: 200},
  wrong: {text: 'Wrong Data', status: 400},
  // Whoever sends it again later may be understood then.
  later: {text: 'Try Again', status: 503},
};

/** What the platform is answered: the words of its spec (orders 6), as text. */
export function answerHook(outcome: NoticeOutcome): Response {
  const {text, status} = ANSWERS[outcome];
  const headers = new Headers({'content-type': 'text/plain; charset=utf-8', 'cache-control': 'no-store'});
  if (outcome === 'later') headers.set('retry-after', '60');
  return new Response(text, {status, headers});
}
