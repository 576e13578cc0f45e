/** Texts of the phone and the funnel beside a landing page. */
export const tr = {
  phone_heading: 'Deneme telefonu',
  phone_text: 'Deneme platformunun gönderdiği SMS’ler, kime giderse gitsin.',
  phone_empty: 'Henüz SMS yok. Numaranızı yazıp onay kodu isteyin.',
  funnel_heading: 'Dönüşüm hunisi',
  funnel_visit: 'Ziyaret',
  funnel_clicked: 'Abone ol’a dokundu',
  funnel_confirmed: 'Onayladı',
  funnel_subscribed: 'Abone oldu',
  funnel_text: 'Her adımda her ziyaretçi bir kez sayılır. Sayılar doğrulanmaz; eğilimi gösterir, faturaya esas olmaz.',
};

export const en: typeof tr = {
  phone_heading: 'Pretend phone',
  phone_text: 'Every SMS the sandbox sends, whoever it is for.',
  phone_empty: 'No SMS yet. Write your number and ask for a code.',
  funnel_heading: 'Funnel',
  funnel_visit: 'Visited',
  funnel_clicked: 'Clicked subscribe',
  funnel_confirmed: 'Confirmed',
  funnel_subscribed: 'Subscribed',
  funnel_text: 'Each visitor counts once per step. The counts aren’t verified: use them to see trends, not to bill.',
};
