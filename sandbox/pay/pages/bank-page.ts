import {parseAmount} from '../../amounts.ts';
import {ACCOUNT_HOLDER, BANKS, findBank, type Bank} from '../../banks.ts';
import type {Context} from '../../context.ts';
import {logoPath} from '../../logos.ts';
import {receiveTransfer} from '../../receive-transfer.ts';
import type {Order} from '../../records/orders.ts';
import {MERCHANT_NAME} from '../../services.ts';
import {factList, inputField} from './fields.ts';
import {html, type Html} from './html.ts';
import {writeAmount} from './language.ts';
import {answerNotFound, answerPage, leadTo, nextLink, readAddress, sameWith, type PageVisit} from './page.ts';

/** Where a shopper who was given an order code directly chooses a bank and pays (orders 4.2). */
export function answerBankPage(visit: PageVisit, code: string, context: Context): Response {
  const order = context.orders.findByCode(code);
  if (!order) return answerNotFound(visit);
  const bank = findBank(visit.parameters.text('bank'));
  if (visit.method === 'POST' && bank) return playShopper(visit, order, bank, context);
  return showOrder(visit, order, bank, context);
}

/** "I have sent it": the transfer arrives at once, with the code in its description. */
function playShopper(visit: PageVisit, order: Order, bank: Bank, context: Context): Response {
  const amountKurus = parseAmount(visit.parameters.text('sent').trim().replace(',', '.'));
  if (!amountKurus) return showOrder(visit, order, bank, context, visit.words.bankPage.wrongAmount);
  const sender = visit.parameters.text('sender') || undefined;
  receiveTransfer(
    {bank, amountKurus, sender, description: order.orderCode, order, transactionDate: context.clock.now()},
    context,
  );
  const redirect = readAddress(visit, 'redirect');
  return leadTo(redirect !== undefined && remaining(order, context) <= 0 ? redirect : sameWith(visit, {}));
}

function showOrder(visit: PageVisit, order: Order, bank: Bank | undefined, context: Context, error?: string): Response {
  const {words} = visit;
  const redirect = readAddress(visit, 'redirect');
  const back = readAddress(visit, 'backUrl');
  const left = remaining(order, context);
  const content = html`${left <= 0 && html`<p class="done" role="status"><strong>${words.bankPage.paid}.</strong> ${words.bankPage.paidText}</p>`}
${factList(listFacts(visit, order, context), words)}
${left > 0 && (bank ? showAccount(visit, order, bank, context, error) : chooseBank(visit))}
<p class="actions">${left <= 0 && nextLink(redirect, words.continue)}${back !== undefined && html`<a class="button plain" href="${back}">${words.back}</a>`}</p>`;
  return answerPage(visit, {
    title: words.bankPage.title,
    content,
    httpStatus: error === undefined ? 200 : 422,
    ...(redirect === undefined ? {} : {leadsTo: [redirect]}),
  });
}

function listFacts({words, language}: PageVisit, order: Order, context: Context) {
  const arrived = context.transactions.arrivedFor(order.orderCode);
  return [
    {label: words.merchant, value: MERCHANT_NAME},
    {label: words.order, value: order.order},
    {label: words.amount, value: `${writeAmount(order.amountKurus, language)} TL`},
    ...(arrived > 0 ? [{label: words.bankPage.arrived, value: `${writeAmount(arrived, language)} TL`}] : []),
  ];
}

function chooseBank(visit: PageVisit): Html {
  return html`<h2>${visit.words.bankPage.choose}</h2>
<ul class="banks">
${BANKS.map((bank) => {
  return html`<li><a href="${sameWith(visit, {bank: bank.code})}"><img src="${logoPath(bank)}" alt="" width="36" height="36">${bank.name}</a></li>
`;
})}</ul>`;
}

function showAccount(visit: PageVisit, order: Order, bank: Bank, context: Context, error: string | undefined): Html {
  const {words} = visit;
  const left = writeAmount(remaining(order, context), visit.language);
  const rows = [
    {label: words.bankPage.code, value: order.orderCode, copy: order.orderCode},
    {label: words.bankPage.remaining, value: `${left} TL`, copy: left},
    {label: words.bankPage.holder, value: ACCOUNT_HOLDER, copy: ACCOUNT_HOLDER},
    {label: words.bankPage.iban, value: bank.iban.replace(/(.{4})(?=.)/g, '$1 '), copy: bank.iban},
    {label: words.bankPage.branch, value: bank.branchNo},
    {label: words.bankPage.account, value: bank.accountNo},
  ];
  const sender = visit.parameters.text('sender') || (context.shopperDetails.find(order.orderCode)?.name ?? '');
  return html`<h2>${bank.name}</h2>
<p>${words.bankPage.how} <a href="${sameWith(visit, {bank: ''})}">${words.bankPage.otherBank}</a></p>
${factList(rows, words)}
<p role="status" class="copied"></p>
<section class="play" aria-labelledby="play">
  <h2 id="play">${words.bankPage.play}</h2>
  <p>${words.bankPage.playText}</p>
  <form method="post" novalidate>
    ${inputField({name: 'sent', label: words.bankPage.playAmount, value: error === undefined ? left : visit.parameters.text('sent'), inputMode: 'decimal', error})}
    ${inputField({name: 'sender', label: words.bankPage.playSender, value: sender, autocomplete: 'name'})}
    <div class="actions"><button>${words.bankPage.sent}</button></div>
  </form>
</section>`;
}

/** Kuruş that are still to come; below zero when too much came. */
function remaining(order: Order, {transactions}: Context): number {
  return order.amountKurus - transactions.arrivedFor(order.orderCode);
}
