/** Texts of the page on which a shopper sees and cancels a subscription. */
export const tr = {
  membership_title: 'Aboneliğim · Fener Kulübü',
  membership_heading: 'Aboneliğim',
  membership_text:
    'Gerçek bir sitede burada oturum açılmış olur; sunucu yalnızca o kişinin aboneliği için bir oturum üretir. Denemek için birini seçin.',
  membership_choose: 'Kim giriş yaptı?',
  membership_open: 'Aboneliğini göster',
  membership_wrong: 'Abonelik açılamadı; biraz sonra yeniden deneyin.',
  membership_active: 'sürüyor',
  membership_cancelled: 'iptal edildi',
  membership_none: 'Henüz abone yok.',
  membership_join: 'Önce kulübe katılın',
};

export const en: typeof tr = {
  membership_title: 'My subscription · Fener Club',
  membership_heading: 'My subscription',
  membership_text:
    'On a real site somebody would be signed in here, and the server would make a session for their subscription alone. Choose somebody to try it.',
  membership_choose: 'Who is signed in?',
  membership_open: 'Show their subscription',
  membership_wrong: 'The subscription could not be opened; try again in a moment.',
  membership_active: 'active',
  membership_cancelled: 'cancelled',
  membership_none: 'Nobody has subscribed yet.',
  membership_join: 'Join the club first',
};
