import {arrivalAt, type TransferTimes} from '../../config/transfer-times.ts';
import type {Bank, BankList} from '../../contract/browser/answers.ts';
import {jsonText} from '../../http/json.ts';
import {formatInstantOrNull, parsePlatformTime} from '../../lib/time.ts';
import type {KnownBanks} from '../../objects/banks.ts';
import type {BankItem} from '../../platform/operations/orders.ts';
import {toCurrency} from '../../platform/to-payment.ts';
import type {RouteContext} from '../route.ts';
import {currentBanks} from './current-banks.ts';

/** GET /v1/banks: the accounts a shopper may pay into. */
export async function listBanks(request: Request, context: RouteContext): Promise<Response> {
  const known = await currentBanks(context);
  const text = bodyOf(known, new URL(request.url).origin, context.config.transferTimes);
  return jsonText(text, {cache: known.stale ? 'no-store' : 'public, max-age=60'});
}

/** The last body made of a list: the same list is asked for again and again. */
const bodies = new WeakMap<KnownBanks, {readonly origin: string; readonly text: string}>();

function bodyOf(known: KnownBanks, origin: string, transferTimes: TransferTimes): string {
  const last = bodies.get(known);
  if (last?.origin === origin) return last.text;
  const text = JSON.stringify(toBankList(known, origin, transferTimes));
  bodies.set(known, {origin, text});
  return text;
}

/** @param origin of the Worker, where the logos are. */
export function toBankList({banks, stale}: KnownBanks, origin: string, transferTimes: TransferTimes): BankList {
  return {banks: banks.map((bank) => toBank(bank, origin)), stale, arrival: arrivalAt(transferTimes, Date.now())};
}

function toBank(bank: BankItem, origin: string): Bank {
  return {
    id: bank.id,
    code: bank.code,
    name: bank.name,
    account_holder: bank.company_name ?? '',
    iban: (bank.account_iban ?? '').replace(/\s/g, ''),
    branch_no: bank.branch_no ?? '',
    account_no: bank.account_no ?? '',
    currency: toCurrency(bank.currency),
    logo: bank.logo === null ? null : `${origin}/v1/banks/${encodeURIComponent(bank.id)}/logo`,
    bank_no: bank.bank_no ?? '',
    updated_at: toInstant(bank.update_time),
  };
}

/** Null where the platform gives none that can be read. */
function toInstant(time: string | null): string | null {
  return formatInstantOrNull(parsePlatformTime(time ?? ''));
}
