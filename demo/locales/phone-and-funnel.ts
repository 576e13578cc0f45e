/** Texts of the phone and the funnel beside a landing page. */
export const tr = {
  phone_heading: 'Deneme telefonu',
  phone_text: 'Deneme ortamının gönderdiği bütün SMS’ler burada görünür.',
  phone_empty: 'Henüz SMS yok. Numaranızı yazıp kod isteyin.',
  phone_copy: 'Kodu kopyala',
  phone_own: 'sizin numaranız',
  phone_new: 'Yeni SMS:',
  funnel_heading: 'Dönüşüm hunisi',
  funnel_visit: 'Ziyaret',
  funnel_clicked: '“Abone ol” dokunuşu',
  funnel_confirmed: 'Onay',
  funnel_subscribed: 'Abonelik',
  funnel_text: 'Her adımda her ziyaretçi bir kez sayılır. Sayılar doğrulanmaz; eğilimi gösterir, faturaya esas olmaz.',
};

export const en: typeof tr = {
  phone_heading: 'Test phone',
  phone_text: 'Every SMS the sandbox sends appears here.',
  phone_empty: 'No messages yet. Enter your number and ask for a code.',
  phone_copy: 'Copy the code',
  phone_own: 'your number',
  phone_new: 'New SMS:',
  funnel_heading: 'Conversion funnel',
  funnel_visit: 'Visits',
  funnel_clicked: 'Tapped subscribe',
  funnel_confirmed: 'Confirmed',
  funnel_subscribed: 'Subscribed',
  funnel_text: 'Each visitor counts once per step. The counts aren’t verified: use them to see trends, not to bill.',
};
