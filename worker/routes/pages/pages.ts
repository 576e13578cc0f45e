/** The routes of the pages that the Worker itself serves, and the pages for their problems. */

import type {ErrorCode} from '../../contract/codes.ts';
import {ApiError} from '../../http/errors.ts';
import {limitRequests} from '../rate-limit.ts';
import type {Route} from '../route.ts';
import {html} from './html.ts';
import {payOffer, showOffer} from './offer-page.ts';
import {languageOf, noticeCard, renderPage} from './page-shell.ts';
import {type Language, type NoticeName, PAGE_TEXTS} from './page-texts.ts';
import {showRefund} from './refund-page.ts';
import {themeSheet} from './theme.ts';

/** A page that anyone may open; every address may open a few each second. */
function page(path: string, show: Route['handle']): Route {
  const handle: Route['handle'] = async (request, context) => {
    await limitRequests('pages', context.subnet, context);
    return show(request, context);
  };
  return {method: 'GET', path, access: 'anyone', handle};
}

export const pageRoutes: readonly Route[] = [
  page('/p/{name}', showOffer),
  {method: 'POST', path: '/p/{name}', access: 'page', handle: payOffer},
  page('/r/{token}', showRefund),
  page('/theme/{accent}', showTheme),
];

/** GET /theme/{accent}: the style sheet of a color, such as `/theme/0b6454.css`. */
async function showTheme(_request: Request, {params}: Parameters<Route['handle']>[1]): Promise<Response> {
  const [, accent] = /^([0-9a-f]{6})\.css$/.exec(params['accent'] ?? '') ?? [];
  if (accent === undefined) throw new ApiError('not_found');
  return new Response(themeSheet(`#${accent}`), {
    headers: {'content-type': 'text/css; charset=utf-8', 'cache-control': 'public, max-age=86400'},
  });
}

const NOTICES: Partial<Readonly<Record<ErrorCode, NoticeName>>> = {
  not_found: 'unknown',
  unknown_offer: 'unknown',
  misconfigured: 'misconfigured',
  rate_limited: 'limited',
  human_check_required: 'human',
  human_check_failed: 'human',
  bank_page_unavailable: 'human',
  offer_expired: 'expired',
  order_paid: 'paid',
  order_cancelled: 'cancelled',
};

/** The page for a problem. It says nothing of an offer, and everything in both languages. */
export function problemPage({code, status, options}: ApiError, request: Request): Response {
  const language = languageOf(request);
  const name = NOTICES[code] ?? (status < 500 ? 'invalid' : 'busy');
  const {retryAfterSeconds, allow} = options;
  return renderPage(
    {
      language,
      path: null,
      title: PAGE_TEXTS[language].notices[name][0],
      heading: PAGE_TEXTS[language].payment,
      body: html`<div class="notices">${[language, language === 'tr' ? 'en' : 'tr'].map((each) => noticeCard(name, each as Language))}</div>`,
      status,
      headers: {
        ...(retryAfterSeconds !== undefined && {'retry-after': String(retryAfterSeconds)}),
        ...(allow && {allow: allow.join(', ')}),
      },
    },
    request,
    null,
  );
}
