import {BANKS} from '../../banks.ts';
import type {Context} from '../../context.ts';
import {NOTICE_STATUS, type Notice} from '../../records/notices.ts';
import {MERCHANT_NAME} from '../../services.ts';
import {factList} from './fields.ts';
import {html, type Html} from './html.ts';
import {writeAmount} from './language.ts';
import {answerNotFound, answerPage, leadTo, nextLink, readAddress, sameWith, type PageVisit} from './page.ts';

/** Where a shopper submits the notice that the merchant wrote for them (orders 4.4). */
export function answerNoticePage(visit: PageVisit, code: string, {notices}: Context): Response {
  const notice = notices.find(code);
  if (!notice) return answerNotFound(visit);
  const redirect = readAddress(visit, 'redirect');
  if (visit.method === 'POST') {
    if (notice.status === NOTICE_STATUS.waitingForSubmit) notices.setStatus(notice, NOTICE_STATUS.processing);
    return leadTo(redirect ?? sameWith(visit, {}));
  }
  const {words} = visit;
  const back = readAddress(visit, 'backUrl');
  const content = html`${showProgress(visit, notice)}
${factList(listFacts(visit, notice), words)}
<div class="actions">${notice.status === NOTICE_STATUS.waitingForSubmit ? html`<form method="post"><button>${words.noticePage.submit}</button></form>` : nextLink(redirect, words.continue)}${
    back !== undefined && html`<a class="button plain" href="${back}">${words.back}</a>`
  }</div>`;
  return answerPage(visit, {
    title: words.noticePage.title,
    content,
    ...(redirect === undefined ? {} : {leadsTo: [redirect]}),
  });
}

function showProgress({words: {noticePage: words}}: PageVisit, {status}: Notice): Html {
  switch (status) {
    case NOTICE_STATUS.waitingForSubmit:
      return html`<p>${words.text}</p>`;
    case NOTICE_STATUS.approved:
      return html`<p class="done" role="status"><strong>${words.approved}.</strong> ${words.approvedText}</p>`;
    case NOTICE_STATUS.inactive:
      return html`<p role="status"><strong>${words.inactive}.</strong> ${words.inactiveText}</p>`;
    default:
      return html`<p class="done" role="status"><strong>${words.waiting}.</strong> ${words.waitingText}</p>`;
  }
}

function listFacts({words, language}: PageVisit, notice: Notice) {
  const {name, apply_time} = notice.details;
  return [
    {label: words.merchant, value: MERCHANT_NAME},
    {label: words.order, value: notice.order},
    {label: words.bank, value: BANKS.find(({id}) => id === notice.bankId)?.name ?? ''},
    {label: words.amount, value: `${writeAmount(notice.amountKurus, language)} TL`},
    ...(name === '' ? [] : [{label: words.noticePage.name, value: name}]),
    ...(apply_time === '' ? [] : [{label: words.noticePage.time, value: apply_time}]),
  ];
}
