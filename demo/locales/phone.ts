/** Texts of the phone beside a landing page. */
export const tr = {
  phone_heading: 'Deneme telefonu',
  phone_text: 'Deneme ortamının gönderdiği bütün SMS’ler burada görünür.',
  phone_empty: 'Henüz SMS yok. Numaranızı yazıp kod isteyin.',
  phone_copy: 'Kodu kopyala',
  phone_own: 'sizin numaranız',
  phone_new: 'Yeni SMS:',
};

export const en: typeof tr = {
  phone_heading: 'Test phone',
  phone_text: 'Every SMS the sandbox sends appears here.',
  phone_empty: 'No messages yet. Enter your number and ask for a code.',
  phone_copy: 'Copy the code',
  phone_own: 'your number',
  phone_new: 'New SMS:',
};
