/** Texts of the landing page of the club. */
export const tr = {
  club_title: 'Fener Kulübü',
  club_description: 'Her hafta atölyeden bir mektup. Haftada ₺12,00, dilediğiniz zaman iptal.',
  tab_phone: 'Telefon',
  club_picture: 'Masa lambasının altında mühürlü bir mektup',
  club_text: 'Her hafta atölyeden bir mektup: ışık, ağaç ve keten üzerine. Yeni lambaları önce üyeler görür.',
  club_fact_letter: 'Her hafta telefonunuza yeni mektubun bağlantısı',
  club_fact_first: 'Yeni ürünlerde iki gün öncelik',
  club_fact_end: 'Dilediğiniz zaman iptal',
  club_join: 'Cep telefonunuzla katılın',
  club_without_script: 'Katılım formu açılmazsa sayfayı yenileyin ya da bizi arayın: 0850\u00a0000\u00a000\u00a000.',
  club_to_one_click: 'Mobil internetteki ziyaretçiyi deneyin',
  club_to_membership: 'Zaten üyeyim',
  club_to_trial: '7 gün ücretsiz deneyin',
  trial_to_club: 'Haftalık üyelik',
  club_joined: 'Üyeliğiniz',
  club_manage: 'Aboneliğimi yönet',
  terms_heading: 'Abonelik koşulları',
  terms_renewal:
    'Üyelik kendiliğinden yenilenir. Ücret faturanıza yansıtılır veya bakiyenizden düşülür. Dilediğiniz zaman iptal edebilirsiniz; sonrasında ücret alınmaz.',
  privacy_heading: 'Aydınlatma metni',
  privacy_number:
    'Numaranızı ve operatörünüzü yalnızca aboneliğinizi başlatmak ve yönetmek için kullanırız; ödeme kuruluşu ve operatörünüz dışında kimseyle paylaşmayız. Verilerinizi görmek veya sildirmek için:',
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
  club_title: 'Fener Club',
  club_description: 'A letter from the workshop every week. ₺12.00 a week, cancel any time.',
  tab_phone: 'Phone',
  club_picture: 'A sealed letter under a table lamp',
  club_text: 'A weekly letter from the workshop about light, wood and linen. Members see new lamps first.',
  club_fact_letter: 'A link to the new letter on your phone every week',
  club_fact_first: 'Two days’ early access to new products',
  club_fact_end: 'Cancel any time',
  club_join: 'Join with your mobile phone',
  club_without_script: 'If the form doesn’t open, reload the page or call us on 0850\u00a0000\u00a000\u00a000.',
  club_to_one_click: 'Try it as a visitor on mobile data',
  club_to_membership: 'I’m already a member',
  club_to_trial: 'Try it free for 7 days',
  trial_to_club: 'Weekly membership',
  club_joined: 'Your membership',
  club_manage: 'Manage my subscription',
  terms_heading: 'Subscription terms',
  terms_renewal:
    'Your membership renews automatically. It’s charged to your phone bill or balance. You can cancel any time and won’t be charged again.',
  privacy_heading: 'Privacy notice',
  privacy_number:
    'We use your number and operator only to start and manage your subscription. We share them with nobody except the payment provider and your operator. To see your data or have it deleted:',
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
