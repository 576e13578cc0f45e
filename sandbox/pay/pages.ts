import type {Context} from '../context.ts';
import type {Visit} from '../visit.ts';
import {answerAsset} from './assets.ts';
import {answerBankPage} from './bank-page.ts';
import {answerNoticePage} from './notice-page.ts';
import {answerNotFound, toPageVisit, type PageVisit} from './page.ts';
import {answerPaymentPage} from './payment-page.ts';
import {answerVendorPage} from './vendor-page.ts';

/** What follows a prefix says whose page it is: an order code, a notice code, a token or a form code. */
const PAGES: ReadonlyMap<string, (request: PageVisit, code: string, context: Context) => Response> = new Map([
  ['/pay/phs/banks/', answerBankPage],
  ['/pay/phs/yonlendir/', answerNoticePage],
  ['/pay/phs/vendor/', answerVendorPage],
  ['/pay/page/', answerPaymentPage],
]);

/** The pages that shoppers and vendors see, in Turkish and English; they work without a script. */
export function answerHostedPage(request: Visit, context: Context): Response {
  const asset = answerAsset(request.path);
  if (asset) return asset;
  const pageRequest = toPageVisit(request);
  const [prefix, answer] = [...PAGES].find(([one]) => request.path.startsWith(one)) ?? [];
  if (prefix === undefined || answer === undefined) return answerNotFound(pageRequest);
  if (request.method !== 'GET' && request.method !== 'POST')
    return new Response(null, {status: 405, headers: {allow: 'GET, POST'}});
  return answer(pageRequest, request.path.slice(prefix.length), context);
}
