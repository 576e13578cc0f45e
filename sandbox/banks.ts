/** The banks of the sandbox, with their accounts, IBANs and logos. */

const COUNTRY = 'TR';

/**
 * Builds a Turkish IBAN: `TR`, two check digits, the five-digit bank number, a reserved 0, and sixteen digits for the
 * branch and the account.
 */
export function makeIban(bankNo: string, branchNo: string, accountNo: string): string {
  const account = `${bankNo}0${branchNo}${accountNo.padStart(16 - branchNo.length, '0')}`;
  const checkDigits = String(98n - (BigInt(`${account}${lettersToDigits(COUNTRY)}00`) % 97n)).padStart(2, '0');
  return `${COUNTRY}${checkDigits}${account}`;
}

/** Returns true if the text is an IBAN of any country and its check digits are correct. */
export function isIban(text: string): boolean {
  if (!/^[A-Z]{2}\d{2}[A-Z0-9]{11,30}$/.test(text)) return false;
  return BigInt(lettersToDigits(text.slice(4) + text.slice(0, 4))) % 97n === 1n;
}

/** Replaces every letter by a number, from 10 for A to 35 for Z (ISO 13616). */
function lettersToDigits(letters: string): string {
  return letters.replace(/[A-Z]/g, (letter) => String(parseInt(letter, 36)));
}

/** A bank at which the platform has an account. Shoppers send their transfers to this account. */
export interface Bank {
  readonly id: number;
  readonly code: string;
  readonly name: string;
  /** Five digits, as in an IBAN. */
  readonly bankNo: string;
  readonly branchNo: string;
  readonly accountNo: string;
  readonly iban: string;
  readonly currency: string;
}

export const ACCOUNT_HOLDER = 'Örnek Ödeme Hizmetleri A.Ş.';

/** The names and bank numbers are real and public. The accounts are invented. */
const ROWS = [
  [1, 'ziraat', 'Ziraat Bankası', '00010', '1745', '60012734'],
  [2, 'halkbank', 'Halkbank', '00012', '0914', '10260418'],
  [3, 'vakifbank', 'VakıfBank', '00015', '0288', '73004516'],
  [4, 'teb', 'TEB', '00032', '0431', '55820197'],
  [5, 'akbank', 'Akbank', '00046', '0673', '88041290'],
  [6, 'garanti', 'Garanti BBVA', '00062', '0382', '62975301'],
  [7, 'isbank', 'İş Bankası', '00064', '1098', '20451836'],
  [8, 'yapikredi', 'Yapı Kredi', '00067', '0529', '91370642'],
  [9, 'ing', 'ING', '00099', '0217', '34108865'],
  [10, 'qnb', 'QNB', '00111', '0356', '47712093'],
  [11, 'denizbank', 'DenizBank', '00134', '0960', '15639078'],
  [12, 'kuveytturk', 'Kuveyt Türk', '00205', '0104', '96200451'],
] as const;

export const BANKS: readonly Bank[] = ROWS.map((row) => toBank(row));

type Row = readonly [id: number, code: string, name: string, bankNo: string, branchNo: string, accountNo: string];

function toBank([id, code, name, bankNo, branchNo, accountNo]: Row, currency = 'TL'): Bank {
  return {id, code, name, bankNo, branchNo, accountNo, currency, iban: makeIban(bankNo, branchNo, accountNo)};
}

/** Further accounts of one bank, for the reading `bank_accounts`. */
export const SEVERAL_ACCOUNTS: readonly Bank[] = [
  toBank([13, 'garanti', 'Garanti BBVA', '00062', '0382', '90975301'], 'USD'),
  toBank([14, 'garanti', 'Garanti BBVA', '00062', '0382', '62975319']),
];

export function findBank(code: string): Bank | undefined {
  return BANKS.find((bank) => bank.code === code);
}

/** The path of a bank's logo on the sandbox's origin. */
export function logoPath(bank: Bank): string {
  return `/logos/${bank.code}.svg`;
}

/** Background colors of the logos, dark enough for white letters. None of these colors is the brand color of a bank. */
const TILE_COLORS = [
  '#37474f',
  '#4e342e',
  '#1a5d57',
  '#5b2a6e',
  '#33691e',
  '#7a3b00',
  '#00566b',
  '#6a1b4d',
  '#2f4b7c',
  '#5d5300',
  '#444a91',
  '#774040',
] as const;

/**
 * GET /logos/{code}.svg: a tile with the first letters of the bank's name. The sandbox draws it, so no trademark is
 * used.
 */
export function answerLogo(path: string): Response | undefined {
  const index = BANKS.findIndex((bank) => logoPath(bank) === path);
  const bank = BANKS[index];
  if (!bank) return undefined;
  return new Response(drawTile(bank, TILE_COLORS[index % TILE_COLORS.length] ?? TILE_COLORS[0]), {
    headers: {
      'content-type': 'image/svg+xml; charset=utf-8',
      'cache-control': 'public, max-age=86400',
      'cross-origin-resource-policy': 'cross-origin',
      'x-content-type-options': 'nosniff',
    },
  });
}

function drawTile(bank: Bank, color: string): string {
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 96 96" width="96" height="96" role="img" aria-label="${bank.name}">
<rect width="96" height="96" rx="12" fill="${color}"/>
<text x="48" y="61" text-anchor="middle" font-family="system-ui, sans-serif" font-size="38" font-weight="600" fill="#fff">${monogram(bank.name)}</text>
</svg>
`;
}

/** Returns `ZB` for `Ziraat Bankası` and `Ak` for `Akbank`. */
function monogram(name: string): string {
  const [first = '', second] = name.split(' ');
  return second ? `${first.charAt(0)}${second.charAt(0)}` : first.slice(0, 2);
}
