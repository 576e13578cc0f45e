/** The page of a refund link, `/r/<token>`. */

import {ApiError} from '../../http/errors.ts';
import {REFUND_TOKEN} from '../../lib/link-name.ts';
import type {Route} from '../route.ts';
import {html} from './html.ts';
import {languageOf, renderPage} from './page-shell.ts';
import {PAGE_TEXTS} from './page-texts.ts';

/** The page looks nothing up, so a guess costs no more than a file. The element asks whether the link exists. */
export const showRefund: Route['handle'] = async (request, {params, config}) => {
  const token = params['token'] ?? '';
  if (!REFUND_TOKEN.test(token)) throw new ApiError('not_found');
  const language = languageOf(request);
  const t = PAGE_TEXTS[language];
  const page = {
    language,
    path: `/r/${token}`,
    isShared: false,
    title: t.refund,
    heading: t.refund,
    script: '/refund.js',
    trustedTypes: 'vezne-refund',
    body: html`<vezne-refund-contact link="${token}" lang="${language}"><p>${t.noScriptContact}</p></vezne-refund-contact>`,
  } as const;
  return renderPage(page, request, config);
};
