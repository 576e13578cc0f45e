import type {Bank} from '../../../worker/contract/browser/answers.ts';

/** The banks whose name or code holds what was typed, however it was typed: `is`, `İŞ` and `iş bank` find İş Bankası. */
export function searchBanks(banks: readonly Bank[], query: string): readonly Bank[] {
  const wanted = query && fold(query);
  return wanted ? banks.filter(({name, code}) => fold(name).includes(wanted) || fold(code).includes(wanted)) : banks;
}

/** Without case, accents, spaces and marks. The dotless ı has no accent to lose, so it is named. */
function fold(text: string): string {
  return text
    .normalize('NFD')
    .toLowerCase()
    .replaceAll('ı', 'i')
    .replace(/[^\p{L}\p{N}]/gu, '');
}
