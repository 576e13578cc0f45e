import {BANKS} from '../banks.ts';
import {MERCHANT_NAME} from '../config.ts';
import type {Context} from '../context.ts';
import {PAYMENT_NOTICE_STATUS, type PaymentNotice} from '../records/payment-notices.ts';
import {
  answerNotFound,
  answerPage,
  redirectTo,
  nextStepLink,
  readAddress,
  currentPageWith,
  type PageRequest,
  html,
  type Html,
  factList,
  postForm,
} from './page.ts';
import {writeAmount} from './texts.ts';

/** The page on which a shopper submits the payment notice that the merchant created (orders.md 4.4). */
export function answerNoticePage(request: PageRequest, code: string, {paymentNotices}: Context): Response {
  const notice = paymentNotices.findByCode(code);
  if (!notice) return answerNotFound(request);
  const redirect = readAddress(request, 'redirect');
  if (request.method === 'POST') {
    if (notice.status === PAYMENT_NOTICE_STATUS.waitingForSubmit)
      paymentNotices.setStatus(notice, PAYMENT_NOTICE_STATUS.processing);
    return redirectTo(redirect ?? currentPageWith(request, {}));
  }
  const {texts} = request;
  const back = readAddress(request, 'backUrl');
  const content = html`${showProgress(request, notice)}
${factList(listFacts(request, notice), texts)}
<div class="actions">${notice.status === PAYMENT_NOTICE_STATUS.waitingForSubmit ? postForm([], [{text: texts.noticePage.submit}]) : nextStepLink(redirect, texts.continue)}${
    back !== undefined && html`<a class="button plain" href="${back}">${texts.back}</a>`
  }</div>`;
  return answerPage(request, {
    title: texts.noticePage.title,
    content,
    ...(redirect === undefined ? {} : {formTargets: [redirect]}),
  });
}

function showProgress({texts: {noticePage: texts}}: PageRequest, {status}: PaymentNotice): Html {
  switch (status) {
    case PAYMENT_NOTICE_STATUS.waitingForSubmit:
      return html`<p>${texts.text}</p>`;
    case PAYMENT_NOTICE_STATUS.approved:
      return html`<p class="done" role="status"><strong>${texts.approved}.</strong> ${texts.approvedText}</p>`;
    case PAYMENT_NOTICE_STATUS.inactive:
      return html`<p role="status"><strong>${texts.inactive}.</strong> ${texts.inactiveText}</p>`;
    default:
      return html`<p class="done" role="status"><strong>${texts.waiting}.</strong> ${texts.waitingText}</p>`;
  }
}

function listFacts({texts, language}: PageRequest, notice: PaymentNotice) {
  const {name, apply_time} = notice.details;
  return [
    {label: texts.merchant, value: MERCHANT_NAME},
    {label: texts.order, value: notice.order},
    {label: texts.bank, value: BANKS.find(({id}) => id === notice.bankId)?.name ?? ''},
    {label: texts.amount, value: `${writeAmount(notice.amountKurus, language)} TL`},
    ...(name === '' ? [] : [{label: texts.noticePage.name, value: name}]),
    ...(apply_time === '' ? [] : [{label: texts.noticePage.time, value: apply_time}]),
  ];
}
