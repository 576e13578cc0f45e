/** Texts of the page with the terms of the club and its privacy notice. */
export const tr = {
  terms_title: 'Abonelik koşulları ve aydınlatma metni · Fener Kulübü',
  terms_description: 'Fener Kulübü aboneliğinin koşulları ve kişisel verilerinizin kullanımı.',
  terms_heading: 'Abonelik koşulları',
  terms_price: 'Haftalık ücret ₺12,00’dır. İlk ücret üyelik başladığında alınır.',
  terms_renewal: 'Üyelik her hafta otomatik yenilenir. Ücret faturanıza yansıtılır veya bakiyenizden düşülür.',
  terms_cancel: 'Üyeliğinizi dilediğiniz zaman iptal edebilirsiniz; sonrasında ücret alınmaz. İptal için:',
  privacy_heading: 'Aydınlatma metni',
  privacy_number: 'Numaranızı ve operatörünüzü yalnızca aboneliğinizi başlatmak ve yönetmek için kullanırız.',
  privacy_storage: 'Bu bilgileri ödeme kuruluşu ve operatörünüz dışında kimseyle paylaşmayız.',
  privacy_rights: 'Verilerinizi görmek veya sildirmek için bize e-posta gönderin:',
  terms_back: 'Kulübe dön',
  terms_how: 'Bu metin yalnızca bir örnektir. Sitenizde kendi koşullarınız ve aydınlatma metniniz yer alır.',
};

export const en: typeof tr = {
  terms_title: 'Subscription terms and privacy notice · Fener Club',
  terms_description: 'The terms of the Fener Club, and how it uses your data.',
  terms_heading: 'Subscription terms',
  terms_price: 'The club costs ₺12.00 a week. You pay the first week when your membership starts.',
  terms_renewal: 'Your membership renews every week. It’s charged to your phone bill or balance.',
  terms_cancel: 'You can cancel any time and won’t be charged again. To cancel:',
  privacy_heading: 'Privacy notice',
  privacy_number: 'We use your number and operator only to start and manage your subscription.',
  privacy_storage: 'We share them with nobody except the payment provider and your operator.',
  privacy_rights: 'To see your data or have it deleted, email us at',
  terms_back: 'Back to the club',
  terms_how: 'This text is only an example. Your site has its own terms and privacy notice.',
};
