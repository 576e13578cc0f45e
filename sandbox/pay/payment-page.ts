import {isMobileNumber, isOperator, landingStatusOf} from '../billing/mobile-numbers.ts';
import type {Context} from '../context.ts';
import {isPaid} from '../records/charge-statuses.ts';
import type {PaymentPage, Progress} from '../records/payment-pages.ts';
import {texts} from '../records/texts.ts';
import {answerNotFound, leadTo, sameWith, type PageVisit} from './page.ts';
import {showExpired, showStep, type Trouble} from './payment-steps.ts';

type PinStep = Extract<Progress, {step: 'pin'}>;

const MAX_WRONG_PINS = 3;

/** The common payment page (subscriptions 4.B): number, PIN, done, and back to the merchant. */
export function answerPaymentPage(request: PageVisit, token: string, context: Context): Response {
  const page = context.paymentPages.find(token);
  if (!page) return answerNotFound(request);
  if (!isSettled(page.progress) && !context.paymentPages.isOpen(page)) return showExpired(request, page);
  return request.method === 'POST' ? takeStep(request, page, context) : showStep(request, page);
}

function takeStep(request: PageVisit, page: PaymentPage, context: Context): Response {
  const step = request.parameters.text('step');
  if (isSettled(page.progress)) return leadTo(sameWith(request, {}));
  if (step === 'cancel') return moveOn(request, page, {step: 'failed'}, context, page.failureUrl);
  if (step === 'number') return takeNumber(request, page, context);
  if (page.progress.step !== 'pin') return leadTo(sameWith(request, {}));
  if (step === 'change') return moveOn(request, page, {step: 'number'}, context);
  if (step === 'resend') return sendPin(request, page, page.progress, context);
  return takePin(request, page, page.progress, context);
}

function takeNumber(request: PageVisit, page: PaymentPage, context: Context): Response {
  const msisdn = request.parameters
    .text('msisdn')
    .replace(/[\s()-]/g, '')
    .replace(/^(\+?90|0)(?=5)/, '');
  const operator = Number(request.parameters.text('operator'));
  if (!isMobileNumber(msisdn)) return complain(request, page, 'wrongNumber');
  if (!isOperator(operator)) return complain(request, page, 'wrongOperator');
  if (landingStatusOf(msisdn, 'pin') !== undefined) return complain(request, page, 'refused');
  return sendPin(request, page, {step: 'pin', msisdn, operator, wrong: 0}, context);
}

function sendPin(request: PageVisit, page: PaymentPage, progress: PinStep, context: Context): Response {
  const pin = context.pins.issue(holder(page, progress));
  context.messages.send({...progress, serviceId: page.serviceId}, texts.pin(pin));
  return moveOn(request, page, progress, context);
}

function takePin(request: PageVisit, page: PaymentPage, progress: PinStep, context: Context): Response {
  switch (context.pins.check(holder(page, progress), request.parameters.text('pin').trim())) {
    case 'late':
      return complain(request, page, 'latePin');
    case 'right':
      context.pins.useUp(holder(page, progress));
      return moveOn(request, page, {step: pay(page, progress, context) ? 'done' : 'failed'}, context);
    case 'wrong': {
      const wrong = progress.wrong + 1;
      if (wrong >= MAX_WRONG_PINS) return moveOn(request, page, {step: 'failed'}, context);
      context.paymentPages.move(page, {...progress, wrong});
      return complain(request, page, 'wrongPin');
    }
  }
}

/** Charges the number once, or begins a subscription where there is a trial. True when nothing stood in the way. */
function pay(page: PaymentPage, {msisdn, operator}: PinStep, {billing, charges}: Context): boolean {
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

function moveOn(
  request: PageVisit,
  page: PaymentPage,
  progress: Progress,
  {paymentPages}: Context,
  address = sameWith(request, {}),
): Response {
  paymentPages.move(page, progress);
  return leadTo(address);
}

function complain(request: PageVisit, page: PaymentPage, trouble: Trouble): Response {
  return showStep(request, page, trouble);
}

function holder({token}: PaymentPage, {msisdn, operator}: PinStep) {
  return {purpose: `page:${token}`, msisdn, operator};
}

function isSettled({step}: Progress): boolean {
  return step === 'done' || step === 'failed';
}
