/** What each step of the common payment page looks like. */

import type {PaymentPage, Progress} from '../records/payment-pages.ts';
import {MERCHANT_NAME} from '../services.ts';
import {html, type Html} from './html--html.ts';
import {factList, inputField} from './html.ts';
import {writeAmount} from './language.ts';
import {answerPage, nextLink, type PageVisit} from './page.ts';

export type Trouble = 'wrongNumber' | 'wrongOperator' | 'refused' | 'wrongPin' | 'latePin';

const OPERATORS = [1, 2, 3, 4, 5, 6, 7];

export function showStep(request: PageVisit, page: PaymentPage, trouble?: Trouble): Response {
  return answerPage(request, {
    title: request.texts.paymentPage.title,
    content: html`${factList(listFacts(request, page), request.texts)}
${showProgress(request, page, page.progress, trouble)}`,
    httpStatus: trouble === undefined ? 200 : 422,
    formTargets: [page.failureUrl],
  });
}

export function showExpired(request: PageVisit, {failureUrl}: PaymentPage): Response {
  const {texts} = request;
  return answerPage(request, {
    title: texts.paymentPage.expired,
    httpStatus: 410,
    content: html`${nextLink(failureUrl, texts.back)}`,
  });
}

function listFacts({texts, language}: PageVisit, {item, priceKurus, trialDays}: PaymentPage) {
  return [
    {label: texts.merchant, value: MERCHANT_NAME},
    {label: texts.paymentPage.item, value: item},
    {label: texts.amount, value: `${writeAmount(priceKurus, language)} TL`},
    ...(trialDays === undefined
      ? []
      : [{label: texts.paymentPage.trial, value: `${trialDays} ${texts.paymentPage.trialDays}`}]),
  ];
}

function showProgress(request: PageVisit, page: PaymentPage, progress: Progress, trouble: Trouble | undefined): Html {
  const {texts} = request;
  switch (progress.step) {
    case 'number':
      return askNumber(request, trouble);
    case 'pin':
      return askPin(request, progress.msisdn, trouble);
    case 'done':
      return html`<p class="done" role="status"><strong>${texts.paymentPage.done}.</strong> ${texts.paymentPage.doneText}</p>
<p class="actions">${nextLink(page.successUrl, texts.continue)}</p>`;
    case 'failed':
      return html`<p class="error" role="alert">${texts.paymentPage.failed}. ${texts.paymentPage.failedText}</p>
<p class="actions">${nextLink(page.failureUrl, texts.back)}</p>`;
  }
}

function askNumber({texts: {paymentPage: texts}, parameters}: PageVisit, trouble: Trouble | undefined): Html {
  const chosen = parameters.text('operator');
  return html`<form method="post" novalidate>
${inputField({
  name: 'msisdn',
  label: texts.number,
  hint: texts.numberHint,
  value: parameters.text('msisdn'),
  type: 'tel',
  inputMode: 'numeric',
  autocomplete: 'tel-national',
  error: trouble === 'wrongNumber' || trouble === 'refused' ? texts[trouble] : undefined,
})}
<div class="field">
  <label for="operator">${texts.operator}</label>
  <select id="operator" name="operator"${trouble === 'wrongOperator' && html` aria-invalid="true" aria-describedby="operator-error"`}>
    ${OPERATORS.map((operator) => {
      return html`<option value="${operator}"${chosen === String(operator) && html` selected`}>${texts.operatorName} ${operator}</option>`;
    })}
  </select>
  ${trouble === 'wrongOperator' && html`<span class="error" id="operator-error">${texts.wrongOperator}</span>`}
</div>
<div class="actions"><button name="step" value="number">${texts.sendPin}</button><button class="plain" name="step" value="cancel">${texts.cancel}</button></div>
</form>`;
}

function askPin({texts: {paymentPage: texts}}: PageVisit, msisdn: string, trouble: Trouble | undefined): Html {
  const phone = `/_sandbox/sms?msisdn=${msisdn}`;
  return html`<p>${texts.pinText} <strong>${msisdn}</strong>.</p>
<form method="post" novalidate>
${inputField({
  name: 'pin',
  label: texts.pin,
  inputMode: 'numeric',
  autocomplete: 'one-time-code',
  error: trouble === 'wrongPin' || trouble === 'latePin' ? texts[trouble] : undefined,
})}
<div class="actions"><button name="step" value="pin">${texts.confirm}</button><button class="plain" name="step" value="resend">${texts.resend}</button>
<button class="plain" name="step" value="change">${texts.change}</button><button class="plain" name="step" value="cancel">${texts.cancel}</button></div>
</form>
<p class="play">${texts.where} <a href="${phone}" target="_blank">${phone}</a></p>`;
}
