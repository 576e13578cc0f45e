import {formatAmount} from '../amounts.ts';
import type {Visit} from '../visit.ts';

export type Language = 'tr' | 'en';

/** `149,90` in Turkish, `149.90` in English. */
export function writeAmount(kurus: number, language: Language): string {
  return language === 'tr' ? formatAmount(kurus).replace('./pages', ',') : formatAmount(kurus);
}

/** What `lang` says, else the first of the browser's languages that is spoken here, else Turkish. */
export function chooseLanguage({parameters, headers}: Visit): Language {
  const wanted = [parameters.text('lang'), ...(headers.get('accept-language') ?? '').split(',')];
  for (const tag of wanted) {
    const [language] = tag.trim().toLowerCase().split(/[-;]/);
    if (language === 'tr' || language === 'en') return language;
  }
  return 'tr';
}
