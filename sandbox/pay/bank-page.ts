import {ACCOUNT_HOLDER, BANKS, findBank, type Bank, logoPath} from '../banks.ts';
import {MERCHANT_NAME} from '../config.ts';
import type {Context} from '../context.ts';
import {parseAmount} from '../formats.ts';
import {receiveTransfer} from '../notifications/orders.ts';
import type {Order} from '../records/orders.ts';
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
  inputField,
  postForm,
} from './page.ts';
import {writeAmount} from './texts.ts';

/**
 * The page on which a shopper chooses a bank and pays an order that the merchant created with /orderToReference/direct
 * (orders.md 4.2). The reading `bank_page` says whether the page also shows orders that were created in another way.
 */
export function answerBankPage(request: PageRequest, code: string, context: Context): Response {
  const order = context.orders.findByCode(code);
  const isShown = context.readings.get('bank_page') === 'any' || context.shopperDetails.find(code) !== undefined;
  if (!order || !isShown) return answerNotFound(request);
  const bank = findBank(request.parameters.text('bank'));
  if (request.method === 'POST' && bank) return simulateTransfer(request, order, bank, context);
  return showOrder(request, order, bank, context);
}

/** Simulates the bank's app: a transfer with the order code in its description arrives immediately. */
function simulateTransfer(request: PageRequest, order: Order, bank: Bank, context: Context): Response {
  const amountKurus = parseAmount(request.parameters.text('sent').trim().replace(',', '.'));
  if (!amountKurus) return showOrder(request, order, bank, context, request.texts.bankPage.wrongAmount);
  const sender = request.parameters.text('sender') || undefined;
  receiveTransfer(
    {bank, amountKurus, sender, description: order.orderCode, order, transactionDate: context.clock.now()},
    context,
  );
  const redirect = readAddress(request, 'redirect');
  return redirectTo(redirect !== undefined && remaining(order, context) <= 0 ? redirect : currentPageWith(request, {}));
}

function showOrder(
  request: PageRequest,
  order: Order,
  bank: Bank | undefined,
  context: Context,
  error?: string,
): Response {
  const {texts} = request;
  const redirect = readAddress(request, 'redirect');
  const back = readAddress(request, 'backUrl');
  const left = remaining(order, context);
  const content = html`${left <= 0 && html`<p class="done" role="status"><strong>${texts.bankPage.paid}.</strong> ${texts.bankPage.paidText}</p>`}
${factList(listFacts(request, order, context), texts)}
${left > 0 && (bank ? showAccount(request, order, bank, context, error) : chooseBank(request))}
<p class="actions">${left <= 0 && nextStepLink(redirect, texts.continue)}${back !== undefined && html`<a class="button plain" href="${back}">${texts.back}</a>`}</p>`;
  return answerPage(request, {
    title: texts.bankPage.title,
    content,
    httpStatus: error === undefined ? 200 : 422,
    ...(redirect === undefined ? {} : {formTargets: [redirect]}),
  });
}

function listFacts({texts, language}: PageRequest, order: Order, context: Context) {
  const arrived = context.transactions.arrivedFor(order.orderCode);
  return [
    {label: texts.merchant, value: MERCHANT_NAME},
    {label: texts.order, value: order.order},
    {label: texts.amount, value: `${writeAmount(order.amountKurus, language)} TL`},
    ...(arrived > 0 ? [{label: texts.bankPage.arrived, value: `${writeAmount(arrived, language)} TL`}] : []),
  ];
}

function chooseBank(request: PageRequest): Html {
  return html`<h2>${request.texts.bankPage.choose}</h2>
<ul class="banks">
${BANKS.map((bank) => {
  return html`<li><a href="${currentPageWith(request, {bank: bank.code})}"><img src="${logoPath(bank)}" alt="" width="36" height="36">${bank.name}</a></li>
`;
})}</ul>`;
}

function showAccount(
  request: PageRequest,
  order: Order,
  bank: Bank,
  context: Context,
  error: string | undefined,
): Html {
  const {texts} = request;
  const left = writeAmount(remaining(order, context), request.language);
  const rows = [
    {label: texts.bankPage.code, value: order.orderCode, copy: order.orderCode},
    {label: texts.bankPage.remaining, value: `${left} TL`, copy: left},
    {label: texts.bankPage.holder, value: ACCOUNT_HOLDER, copy: ACCOUNT_HOLDER},
    {label: texts.bankPage.iban, value: bank.iban.replace(/(.{4})(?=.)/g, '$1 '), copy: bank.iban},
    {label: texts.bankPage.branch, value: bank.branchNo},
    {label: texts.bankPage.account, value: bank.accountNo},
  ];
  const sender = request.parameters.text('sender') || (context.shopperDetails.find(order.orderCode)?.name ?? '');
  return html`<h2>${bank.name}</h2>
<p>${texts.bankPage.how} <a href="${currentPageWith(request, {bank: ''})}">${texts.bankPage.otherBank}</a></p>
${factList(rows, texts)}
<p role="status" class="copied"></p>
<section class="play" aria-labelledby="play">
  <h2 id="play">${texts.bankPage.play}</h2>
  <p>${texts.bankPage.playText}</p>
  ${postForm(
    [
      inputField({
        name: 'sent',
        label: texts.bankPage.playAmount,
        value: error === undefined ? left : request.parameters.text('sent'),
        inputMode: 'decimal',
        error,
      }),
      inputField({name: 'sender', label: texts.bankPage.playSender, value: sender, autocomplete: 'name'}),
    ],
    [{text: texts.bankPage.sent}],
  )}
</section>`;
}

/** Returns the kuruş that have not arrived yet. The result is negative if too much has arrived. */
function remaining(order: Order, {transactions}: Context): number {
  return order.amountKurus - transactions.arrivedFor(order.orderCode);
}
