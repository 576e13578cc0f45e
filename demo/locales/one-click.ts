/** Texts of the landing page for visitors with a number token. */
export const tr = {
  'one-click_title': 'Fener Kulübü · tek dokunuş',
  network_heading: 'Mobil ağ',
  network_text: 'Gerçek hayatta numarayı operatör tanır ve adrese bir belirteç ekler. Burada onu siz oynarsınız.',
  network_number: 'Gelenin numarası',
  network_visit: 'Sayfaya bu numaradan gel',
};

export const en: typeof tr = {
  'one-click_title': 'Fener Club · one click',
  network_heading: 'Mobile network',
  network_text:
    'In real life the operator knows the number and adds a token to the address. Here you play the operator.',
  network_number: 'Number of who comes',
  network_visit: 'Visit the page from this number',
};
