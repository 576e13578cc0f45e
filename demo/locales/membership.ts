/** Texts of the page on which a shopper sees and cancels a subscription. */
export const tr = {
  membership_title: 'Aboneliğim · Fener Kulübü',
  membership_description: 'Fener Kulübü aboneliğinizi görün, dilerseniz iptal edin.',
  membership_choose: 'Kim giriş yaptı?',
  membership_open: 'Aboneliği göster',
  membership_wrong: 'Abonelik açılamadı. Biraz sonra yeniden deneyin.',
  membership_active: 'aktif',
  membership_cancelled: 'iptal edildi',
  membership_retry: 'ödeme yeniden denenecek',
  membership_suspend: 'askıda',
  membership_rejected: 'reddedildi',
  membership_unknown: 'durumu bilinmiyor',
  membership_none: 'Henüz abone yok.',
  membership_join: 'Önce kulübe katıl',
  membership_again: 'Yeniden abone ol',
  membership_how:
    'Gerçek bir sitede müşteriniz burada zaten oturum açmıştır; sunucunuz yalnızca onun aboneliği için bir oturum oluşturur. Denemek için bir abone seçin.',
};

export const en: typeof tr = {
  membership_title: 'My subscription · Fener Club',
  membership_description: 'See your Fener Club subscription and cancel it if you like.',
  membership_choose: 'Who is signed in?',
  membership_open: 'Show the subscription',
  membership_wrong: 'We couldn’t open the subscription. Try again in a moment.',
  membership_active: 'active',
  membership_cancelled: 'cancelled',
  membership_retry: 'payment will be retried',
  membership_suspend: 'suspended',
  membership_rejected: 'rejected',
  membership_unknown: 'status unknown',
  membership_none: 'There are no subscribers yet.',
  membership_join: 'Join the club first',
  membership_again: 'Subscribe again',
  membership_how:
    'On a real site your customer is already signed in, and your server creates a session for their subscription only. Choose a subscriber to try it.',
};
