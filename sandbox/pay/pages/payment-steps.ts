/** What each step of the common payment page looks like. */

import type {PaymentPage, Progress} from '../../records/payment-pages.ts';
import {MERCHANT_NAME} from '../../services.ts';
import {factList, inputField} from './fields.ts';
import {html, type Html} from './html.ts';
import {writeAmount} from './language.ts';
import {answerPage, nextLink, type PageVisit} from './page.ts';

export type Trouble = 'wrongNumber' | 'wrongOperator' | 'refused' | 'wrongPin' | 'latePin';

const OPERATORS = [1, 2, 3, 4, 5, 6, 7];

export function showStep(visit: PageVisit, page: PaymentPage, trouble?: Trouble): Response {
  return answerPage(visit, {
    title: visit.words.paymentPage.title,
    content: html`${factList(listFacts(visit, page), visit.words)}
${showProgress(visit, page, page.progress, trouble)}`,
    httpStatus: trouble === undefined ? 200 : 422,
    leadsTo: [page.failureUrl],
  });
}

export function showExpired(visit: PageVisit, {failureUrl}: PaymentPage): Response {
  const {words} = visit;
  return answerPage(visit, {
    title: words.paymentPage.expired,
    httpStatus: 410,
    content: html`${nextLink(failureUrl, words.back)}`,
  });
}

function listFacts({words, language}: PageVisit, {item, priceKurus, trialDays}: PaymentPage) {
  return [
    {label: words.merchant, value: MERCHANT_NAME},
    {label: words.paymentPage.item, value: item},
    {label: words.amount, value: `${writeAmount(priceKurus, language)} TL`},
    ...(trialDays === undefined
      ? []
      : [{label: words.paymentPage.trial, value: `${trialDays} ${words.paymentPage.trialDays}`}]),
  ];
}

function showProgress(visit: PageVisit, page: PaymentPage, progress: Progress, trouble: Trouble | undefined): Html {
  const {words} = visit;
  switch (progress.step) {
    case 'number':
      return askNumber(visit, trouble);
    case 'pin':
      return askPin(visit, progress.msisdn, trouble);
    case 'done':
      return html`<p class="done" role="status"><strong>${words.paymentPage.done}.</strong> ${words.paymentPage.doneText}</p>
<p class="actions">${nextLink(page.successUrl, words.continue)}</p>`;
    case 'failed':
      return html`<p class="error" role="alert">${words.paymentPage.failed}. ${words.paymentPage.failedText}</p>
<p class="actions">${nextLink(page.failureUrl, words.back)}</p>`;
  }
}

function askNumber({words: {paymentPage: words}, parameters}: PageVisit, trouble: Trouble | undefined): Html {
  const chosen = parameters.text('operator');
  return html`<form method="post" novalidate>
${inputField({
  name: 'msisdn',
  label: words.number,
  hint: words.numberHint,
  value: parameters.text('msisdn'),
  type: 'tel',
  inputMode: 'numeric',
  autocomplete: 'tel-national',
  error: trouble === 'wrongNumber' || trouble === 'refused' ? words[trouble] : undefined,
})}
<div class="field">
  <label for="operator">${words.operator}</label>
  <select id="operator" name="operator"${trouble === 'wrongOperator' && html` aria-invalid="true" aria-describedby="operator-error"`}>
    ${OPERATORS.map((operator) => {
      return html`<option value="${operator}"${chosen === String(operator) && html` selected`}>${words.operatorName} ${operator}</option>`;
    })}
  </select>
  ${trouble === 'wrongOperator' && html`<span class="error" id="operator-error">${words.wrongOperator}</span>`}
</div>
<div class="actions"><button name="step" value="number">${words.sendPin}</button><button class="plain" name="step" value="cancel">${words.cancel}</button></div>
</form>`;
}

function askPin({words: {paymentPage: words}}: PageVisit, msisdn: string, trouble: Trouble | undefined): Html {
  const phone = `/_sandbox/sms?msisdn=${msisdn}`;
  return html`<p>${words.pinText} <strong>${msisdn}</strong>.</p>
<form method="post" novalidate>
${inputField({
  name: 'pin',
  label: words.pin,
  inputMode: 'numeric',
  autocomplete: 'one-time-code',
  error: trouble === 'wrongPin' || trouble === 'latePin' ? words[trouble] : undefined,
})}
<div class="actions"><button name="step" value="pin">${words.confirm}</button><button class="plain" name="step" value="resend">${words.resend}</button>
<button class="plain" name="step" value="change">${words.change}</button><button class="plain" name="step" value="cancel">${words.cancel}</button></div>
</form>
<p class="play">${words.where} <a href="${phone}" target="_blank">${phone}</a></p>`;
}
