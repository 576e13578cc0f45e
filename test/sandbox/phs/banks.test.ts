import {expect, test} from 'vitest';
import {ORIGIN, request} from '../support/platform.ts';

interface Bank {
  readonly id: number;
  readonly code: string;
  readonly name: string;
  readonly account_iban: string;
  readonly branch_no: string;
  readonly account_no: string;
  readonly bank_no: string;
  readonly logo: string;
}

async function listBanks(): Promise<Bank[]> {
  const body: {banks: Bank[]} = await (await request('/phs/bank/getAll')).json();
  return body.banks;
}

test('the bank list requires no token and shows each bank with its account', async () => {
  const response = await request('/phs/bank/getAll');
  const body: {banks: Bank[]} = await response.json();
  expect(body).toEqual({status: '000', message: 'Success', banks: expect.any(Array)});
  expect(body.banks.length).toBeGreaterThanOrEqual(10);
  expect(body.banks.find(({code}) => code === 'garanti')).toEqual({
    id: 6,
    code: 'garanti',
    name: 'Garanti BBVA',
    company_name: 'Örnek Ödeme Hizmetleri A.Ş.',
    branch_no: '0382',
    account_no: '62975301',
    account_iban: expect.stringMatching(/^TR\d{2}0006200382000062975301$/),
    update_time: '2026-10-01 09:00:00+03',
    currency: 'TL',
    logo: `${ORIGIN}/logos/garanti.svg`,
    bank_no: '00062',
  });
});

test('every IBAN passes the mod 97 check and consists of bank, branch and account', async () => {
  for (const {account_iban: iban, bank_no, branch_no, account_no} of await listBanks()) {
    expect(iban).toMatch(/^TR\d{24}$/);
    // The letters T and R count as 29 and 27 (ISO 13616).
    expect(BigInt(`${iban.slice(4)}2927${iban.slice(2, 4)}`) % 97n).toBe(1n);
    expect(iban.slice(4)).toBe(`${bank_no}0${branch_no}${account_no.padStart(12, '0')}`);
  }
});
