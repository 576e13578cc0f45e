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
  club_without_script: 'Katılım formu açılamadı. Sayfayı yenileyin.',
  club_to_one_click: 'Mobil internetteki ziyaretçiyi deneyin',
  club_to_membership: 'Zaten üyeyim',
  club_joined: 'Üyeliğiniz',
  club_manage: 'Aboneliğimi yönet',
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
  club_without_script: 'The form didn’t open. Reload the page.',
  club_to_one_click: 'Try it as a visitor on mobile data',
  club_to_membership: 'I’m already a member',
  club_joined: 'Your membership',
  club_manage: 'Manage my subscription',
};
