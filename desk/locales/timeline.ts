import type {Locale} from '../../widgets/core/locale.ts';

/** The texts of the timeline, besides the names of what happened. */
export const timelineTexts = {
  tr: {
    title: 'Ne oldu',
    at: 'Zaman',
    what: 'Olay',
    by: 'Kim',
    details: 'Ayrıntı',
    actors: {shopper: 'müşteri', merchant: 'sizin sunucunuz', platform: 'platform', worker: 'Vezne'},
    attempt: (attempt: number) => `${attempt}. deneme`,
    booked: (at: string) => `kaydedildi: ${at}`,
  },
  en: {
    title: 'What happened',
    at: 'Time',
    what: 'Event',
    by: 'Who',
    details: 'Details',
    actors: {shopper: 'customer', merchant: 'your server', platform: 'platform', worker: 'Vezne'},
    attempt: (attempt: number) => `attempt ${attempt}`,
    booked: (at: string) => `booked ${at}`,
  },
} satisfies Record<Locale, object>;
