/** Texts of the landing page for visitors with a number token. */
export const tr = {
  'one-click_title': 'Fener Kulübü · Tek dokunuşla katılın',
  'one-click_description': 'Mobil internetteyseniz numaranızı yazmadan Fener Kulübü’ne katılın.',
  network_heading: 'Mobil şebeke',
  network_text:
    'Mobil internette numarayı operatör tanır ve sayfa adresine bir belirteç ekler. Burada operatörün yerine siz geçersiniz.',
  network_how:
    'Sayfa mobil internetten açılmadığında numara sorar. Tek dokunuşu denemek için “Mobil şebeke” kutusuna bir numara yazın.',
  network_known: 'Numarayı mobil şebeke tanıttı. Başka bir numarayı “Mobil şebeke” kutusunda deneyebilirsiniz.',
  network_open: '“Mobil şebeke” kutusunu aç',
  network_number: 'Ziyaretçinin numarası',
  network_visit: 'Bu numarayla ziyaret et',
  network_away: 'Deneme ortamına ulaşılamıyor. Biraz sonra yeniden deneyin.',
};

export const en: typeof tr = {
  'one-click_title': 'Fener Club · One-tap sign-up',
  'one-click_description': 'Join the Fener Club on mobile data without entering your number.',
  network_heading: 'Mobile network',
  network_text:
    'On mobile data, the operator recognises the number and adds a token to the page’s address. Here you play the operator.',
  network_how:
    'Without mobile data, the page asks for a number. To try one-tap sign-up, enter a number in the Mobile network box.',
  network_known: 'The mobile network identified this number. You can try another in the Mobile network box.',
  network_open: 'Open the Mobile network box',
  network_number: 'Visitor’s number',
  network_visit: 'Visit with this number',
  network_away: 'We can’t reach the sandbox. Try again in a moment.',
};
