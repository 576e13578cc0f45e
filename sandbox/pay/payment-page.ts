import {isMobileNumber, isOperator, landingStatusOf} from '../billing/mobile-numbers.ts';
import {MERCHANT_NAME} from '../config.ts';
import type {Context} from '../context.ts';
import {isPaid} from '../records/charges.ts';
import {messageTexts} from '../records/messages.ts';
import type {PaymentPage, Progress} from '../records/payment-pages.ts';
import {
  answerNotFound,
  redirectTo,
  currentPageWith,
  type PageRequest,
  answerPage,
  nextStepLink,
  html,
  type Html,
  factList,
  inputField,
  choiceField,
  postForm,
} from './page.ts';
import {writeAmount} from './texts.ts';

type PinStep = Extract<Progress, {step: 'pin'}>;

const MAX_WRONG_PINS = 3;

/**
 * The payment page (subscriptions.md 4.B). The shopper enters a number and the PIN sent to it, then returns to the
 * merchant.
 */
export function answerPaymentPage(request: PageRequest, token: string, context: Context): Response {
  const page = context.paymentPages.find(token);
  if (!page) return answerNotFound(request);
  if (!isSettled(page.progress) && !context.paymentPages.isOpen(page)) return showExpired(request, page);
  return request.method === 'POST' ? handleStep(request, page, context) : showStep(request, page);
}

function handleStep(request: PageRequest, page: PaymentPage, context: Context): Response {
  const step = request.parameters.text('step');
  if (isSettled(page.progress)) return redirectTo(currentPageWith(request, {}));
  if (step === 'cancel') return setProgress(request, page, {step: 'failed'}, context, page.failureUrl);
  if (step === 'number') return handleNumber(request, page, context);
  if (page.progress.step !== 'pin') return redirectTo(currentPageWith(request, {}));
  if (step === 'change') return setProgress(request, page, {step: 'number'}, context);
  if (step === 'resend') return sendPin(request, page, page.progress, context);
  return handlePin(request, page, page.progress, context);
}

function handleNumber(request: PageRequest, page: PaymentPage, context: Context): Response {
  const msisdn = request.parameters
    .text('msisdn')
    .replace(/[\s()-]/g, '')
    .replace(/^(\+?90|0)(?=5)/, '');
  const operator = Number(request.parameters.text('operator'));
  if (!isMobileNumber(msisdn)) return showError(request, page, 'wrongNumber');
  if (!isOperator(operator)) return showError(request, page, 'wrongOperator');
  if (landingStatusOf(msisdn, 'pin') !== undefined) return showError(request, page, 'refused');
  return sendPin(request, page, {step: 'pin', msisdn, operator, wrong: 0}, context);
}

function sendPin(request: PageRequest, page: PaymentPage, progress: PinStep, context: Context): Response {
  const pin = context.pins.issue(pinHolderOf(page, progress));
  context.messages.send({...progress, serviceId: page.serviceId}, messageTexts.pin(pin));
  return setProgress(request, page, progress, context);
}

function handlePin(request: PageRequest, page: PaymentPage, progress: PinStep, context: Context): Response {
  switch (context.pins.check(pinHolderOf(page, progress), request.parameters.text('pin').trim())) {
    case 'expired':
      return showError(request, page, 'expiredPin');
    case 'correct':
      context.pins.useUp(pinHolderOf(page, progress));
      return setProgress(request, page, {step: chargeNumber(page, progress, context) ? 'done' : 'failed'}, context);
    case 'wrong': {
      const wrong = progress.wrong + 1;
      if (wrong >= MAX_WRONG_PINS) return setProgress(request, page, {step: 'failed'}, context);
      context.paymentPages.setProgress(page, {...progress, wrong});
      return showError(request, page, 'wrongPin');
    }
  }
}

/** Charges the number once or, with a trial, starts a subscription. Returns true on success. */
export function chargeNumber(
  page: PaymentPage,
  {msisdn, operator}: Pick<PinStep, 'msisdn' | 'operator'>,
  {billing, charges}: Context,
): boolean {
  if (landingStatusOf(msisdn, 'subscribe') !== undefined) return false;
  const subscription = billing.subscribe({
    serviceId: page.serviceId,
    productId: undefined,
    msisdn,
    operator,
    item: page.item,
    feeKurus: page.priceKurus,
    period: page.trialDays === undefined ? 'once' : 'monthly',
    trialDays: page.trialDays ?? 0,
    referenceCode: page.referenceCode,
  });
  const {last} = charges.lastOf(subscription);
  return last === undefined || isPaid(last.status);
}

function setProgress(
  request: PageRequest,
  page: PaymentPage,
  progress: Progress,
  {paymentPages}: Context,
  address = currentPageWith(request, {}),
): Response {
  paymentPages.setProgress(page, progress);
  return redirectTo(address);
}

function showError(request: PageRequest, page: PaymentPage, error: StepError): Response {
  return showStep(request, page, error);
}

function pinHolderOf({token}: PaymentPage, {msisdn, operator}: PinStep) {
  return {purpose: `page:${token}`, msisdn, operator};
}

function isSettled({step}: Progress): boolean {
  return step === 'done' || step === 'failed';
}

export type StepError = 'wrongNumber' | 'wrongOperator' | 'refused' | 'wrongPin' | 'expiredPin';

/** Invented mobile operators, by id. */
const OPERATORS: Readonly<Record<number, string>> = {
  1: 'Telemavi',
  2: 'Marmara GSM',
  3: 'Egehat',
  4: 'Kuzeycell',
  5: 'Hatay Mobil',
  6: 'Anadolu Tel',
  7: 'Yayla Mobil',
};

export function showStep(request: PageRequest, page: PaymentPage, error?: StepError): Response {
  return answerPage(request, {
    title: request.texts.paymentPage.title,
    content: html`${factList(listFacts(request, page), request.texts)}
${showProgress(request, page, page.progress, error)}`,
    httpStatus: error === undefined ? 200 : 422,
    formTargets: [page.failureUrl],
  });
}

export function showExpired(request: PageRequest, {failureUrl}: PaymentPage): Response {
  const {texts} = request;
  return answerPage(request, {
    title: texts.paymentPage.expired,
    httpStatus: 410,
    content: html`${nextStepLink(failureUrl, texts.back)}`,
  });
}

function listFacts({texts, language}: PageRequest, {item, priceKurus, trialDays}: PaymentPage) {
  return [
    {label: texts.merchant, value: MERCHANT_NAME},
    {label: texts.paymentPage.item, value: item},
    {label: texts.amount, value: `${writeAmount(priceKurus, language)} TL`},
    ...(trialDays === undefined
      ? []
      : [{label: texts.paymentPage.trial, value: `${trialDays} ${texts.paymentPage.trialDays}`}]),
  ];
}

function showProgress(request: PageRequest, page: PaymentPage, progress: Progress, error: StepError | undefined): Html {
  const {texts} = request;
  switch (progress.step) {
    case 'number':
      return askNumber(request, error);
    case 'pin':
      return askPin(request, progress.msisdn, error);
    case 'done':
      return html`<p class="done" role="status"><strong>${texts.paymentPage.done}.</strong> ${texts.paymentPage.doneText}</p>
<p class="actions">${nextStepLink(page.successUrl, texts.continue)}</p>`;
    case 'failed':
      return html`<p class="error" role="alert">${texts.paymentPage.failed}. ${texts.paymentPage.failedText}</p>
<p class="actions">${nextStepLink(page.failureUrl, texts.back)}</p>`;
  }
}

function askNumber({texts: {paymentPage: texts}, parameters}: PageRequest, error: StepError | undefined): Html {
  return postForm(
    [
      inputField({
        name: 'msisdn',
        label: texts.number,
        hint: texts.numberHint,
        value: parameters.text('msisdn'),
        type: 'tel',
        inputMode: 'numeric',
        autocomplete: 'tel-national',
        error: error === 'wrongNumber' || error === 'refused' ? texts[error] : undefined,
      }),
      choiceField({
        name: 'operator',
        label: texts.operator,
        value: parameters.text('operator'),
        options: OPERATORS,
        error: error === 'wrongOperator' ? texts[error] : undefined,
      }),
    ],
    [
      {text: texts.sendPin, step: 'number'},
      {text: texts.cancel, step: 'cancel'},
    ],
  );
}

function askPin({texts: {paymentPage: texts}}: PageRequest, msisdn: string, error: StepError | undefined): Html {
  const phone = `/_sandbox/sms?msisdn=${msisdn}`;
  return html`<p>${texts.pinText} <strong>${msisdn}</strong>.</p>
${postForm(
  inputField({
    name: 'pin',
    label: texts.pin,
    inputMode: 'numeric',
    autocomplete: 'one-time-code',
    error: error === 'wrongPin' || error === 'expiredPin' ? texts[error] : undefined,
  }),
  [
    {text: texts.confirm, step: 'pin'},
    {text: texts.resend, step: 'resend'},
    {text: texts.change, step: 'change'},
    {text: texts.cancel, step: 'cancel'},
  ],
)}
<p class="play">${texts.where} <a href="${phone}" target="_blank">${phone}</a></p>`;
}
