/** The accounts of the bank list that shoppers pay into. */

import type {BankItem} from './operations/orders.ts';
import {toCurrency} from './to-payment.ts';

/**
 * The accounts that pages show: those in lira. If several accounts have banks of the same name, the end of the IBAN,
 * which shoppers can compare, is added to the names.
 */
export function shownAccounts(banks: readonly BankItem[]): BankItem[] {
  const inLira = banks.filter(({currency}) => toCurrency(currency) === 'TRY');
  return inLira.map((bank) => withOwnName(bank, inLira));
}

function withOwnName(bank: BankItem, all: readonly BankItem[]): BankItem {
  if (!all.some(({id, name}) => id !== bank.id && name === bank.name)) return bank;
  return {...bank, name: `${bank.name} …${(bank.account_iban ?? bank.id).trim().slice(-4)}`};
}

/** Finds the shown account with this id. A page may also name a bank by its code, which means its first account. */
export function findAccount(banks: readonly BankItem[], wanted: string): BankItem | undefined {
  const shown = shownAccounts(banks);
  return shown.find(({id}) => id === wanted) ?? shown.find(({code}) => code === wanted);
}
