/** Texts of the landing page that has only the tracker. */
export const tr = {
  tracker_title: 'Fener Kulübü · Yalnızca ölçüm kodu',
  tracker_description: 'Kendi düğmelerinizle dönüşüm ölçümü.',
  tracker_heading: 'Kendi düğmeleriniz, bizim ölçümümüz',
  tracker_text:
    '1,4 kB’lık ölçüm kodu ziyareti ve işaretlediğiniz düğmelere dokunuşları sayar. Ziyaretçi izin verene kadar hiçbir şey göndermez.',
  tracker_subscribe: 'Abone ol',
  tracker_confirm: 'Onayla',
  tracker_consent_text: 'Ziyaretinizi ölçmemize izin verir misiniz?',
  tracker_allow: 'İzin ver',
  tracker_refuse: 'Hayır',
  tracker_code: 'Sayfaya eklenen kod',
  tracker_log: 'Platforma ulaşan kayıtlar',
  tracker_log_none: 'Henüz bir şey gönderilmedi.',
  tracker_log_visit: 'Ziyaret',
  tracker_log_subscribe: '“Abone ol” düğmesine dokunuş',
  tracker_log_confirm: '“Onayla” düğmesine dokunuş',
};

export const en: typeof tr = {
  tracker_title: 'Fener Club · Tracking only',
  tracker_description: 'Conversion tracking for your own buttons.',
  tracker_heading: 'Your buttons, our tracking',
  tracker_text:
    'The 1.4 kB tracker counts visits and clicks on the buttons you mark. It sends nothing until the visitor agrees.',
  tracker_subscribe: 'Subscribe',
  tracker_confirm: 'Confirm',
  tracker_consent_text: 'May we count your visit?',
  tracker_allow: 'Allow',
  tracker_refuse: 'No, thanks',
  tracker_code: 'Code on the page',
  tracker_log: 'Received by the platform',
  tracker_log_none: 'Nothing has been sent yet.',
  tracker_log_visit: 'Visit',
  tracker_log_subscribe: 'Click on “Subscribe”',
  tracker_log_confirm: 'Click on “Confirm”',
};
