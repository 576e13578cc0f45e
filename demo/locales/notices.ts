/** Texts of the control with which a visitor decides about payment notices, in place of the platform's staff. */
export const tr = {
  notices: 'Ödeme bildirimleri',
  notices_text: 'Bildirimleri ödeme kuruluşu inceler. Demoda bunu siz yaparsınız.',
  notices_approve: 'Onayla',
  notices_reject: 'Reddet',
  notices_approved: 'Onaylandı. Kodsuz gelen ödeme siparişle eşleşti.',
  notices_paid: 'Onaylandı. Kodsuz bir ödeme yoktu; deneme bankası tutarı gönderdi.',
  notices_rejected: 'Reddedildi. Ödeme kuruluşu bunu mağazaya bildirmeyebilir; sayfa ödemeyi aramaya devam edebilir.',
};

export const en: typeof tr = {
  notices: 'Payment reports',
  notices_text: 'The payment provider reviews payment reports. In this demo, you do it.',
  notices_approve: 'Approve',
  notices_reject: 'Reject',
  notices_approved: 'Approved. The payment that came without a code now belongs to the order.',
  notices_paid: 'Approved. There was no payment without a code, so the test bank sent the amount.',
  notices_rejected: 'Rejected. The provider may not tell the shop, so the page may keep looking for the payment.',
};
