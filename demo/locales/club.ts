/** Texts of the landing page of the club. */
export const tr = {
  club_title: 'Fener Kulübü',
  tab_club: 'Kulüp',
  tab_phone: 'Telefon',
  club_name: 'Fener Kulübü',
  club_picture: 'Masa lambasının altında mühürlü bir mektup',
  club_text: 'Her hafta atölyeden bir mektup: ışık, ağaç ve keten üzerine. Yeni lambaları önce üyeler görür.',
  club_fact_letter: 'Haftada bir mektup, cebinize bağlantı olarak',
  club_fact_first: 'Yeni ürünlerde iki gün öncelik',
  club_fact_end: 'İstediğiniz an bitirirsiniz',
  club_join: 'Cep telefonunuzla katılın',
  club_without_script: 'Katılma bölümü açılamadı. Sayfayı yenileyin.',
  club_to_one_click: 'Mobil ağdan gelen için',
  club_to_tracker: 'Yalnız sayaç',
  club_to_membership: 'Aboneliğim',
};

export const en: typeof tr = {
  club_title: 'Fener Club',
  tab_club: 'Club',
  tab_phone: 'Phone',
  club_name: 'Fener Club',
  club_picture: 'A sealed letter under a table lamp',
  club_text: 'A letter from the workshop every week: on light, wood and linen. Members see new lamps first.',
  club_fact_letter: 'A letter a week, as a link to your phone',
  club_fact_first: 'Two days ahead for everything new',
  club_fact_end: 'Ends whenever you like',
  club_join: 'Join with your mobile phone',
  club_without_script: 'The form did not open. Reload the page.',
  club_to_one_click: 'For who comes from a mobile network',
  club_to_tracker: 'The tracker alone',
  club_to_membership: 'My subscription',
};
