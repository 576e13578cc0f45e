/** Texts of the landing page that has only the tracker. */
export const tr = {
  tracker_title: 'Fener Kulübü · sayaç',
  tracker_heading: 'Kendi düğmeleriniz, bizim sayacımız',
  tracker_text:
    'Bu sayfada Vezne’nin görünen hiçbir parçası yok. 1,4 kB’lık sayaç ziyareti ve işaretli düğmelere dokunuşları sayar; izin verilene kadar hiçbir şey göndermez.',
  tracker_subscribe: 'Abone ol',
  tracker_confirm: 'Onayla',
  tracker_consent_text: 'Ziyaretinizi saymamıza izin verir misiniz?',
  tracker_allow: 'İzin ver',
  tracker_refuse: 'Hayır',
};

export const en: typeof tr = {
  tracker_title: 'Fener Club · tracker',
  tracker_heading: 'Your buttons, our tracker',
  tracker_text:
    'Nothing on this page is drawn by Vezne. The tracker of 1.4 kB counts the visit and the buttons that are marked, and sends nothing until it may.',
  tracker_subscribe: 'Subscribe',
  tracker_confirm: 'Confirm',
  tracker_consent_text: 'May we count your visit?',
  tracker_allow: 'Yes, you may',
  tracker_refuse: 'No',
};
