/** Texts of the shop page. */
export const tr = {
  shop_title: 'Ahşap masa lambası · Fener Atölyesi',
  shop_description: 'Cevizden elde tornalanmış, keten başlıklı masa lambası. Havale, EFT ya da FAST ile ödeyin.',
  tab_bank: 'Banka',
  product: 'Ahşap masa lambası',
  product_picture: 'Ceviz gövdeli, keten başlıklı masa lambası',
  price: '₺149,90',
  price_note: 'KDV ve kargo dahil',
  product_text:
    'Tek parça cevizden elde tornalanır; keten başlığı sıcak ve yumuşak bir ışık verir. Her biri diğerinden biraz farklıdır.',
  fact_wood: 'Ceviz gövde, keten başlık, 42 cm',
  fact_bulb: 'E27 ampul kutuda',
  fact_shipping: 'Ödemeniz gelince iki iş günü içinde kargoda',
  pay_heading: 'Havale / EFT / FAST ile öde',
  other_ways: 'Başka bir yolla öde',
  hours: 'Ödeme süresi',
  hours_days: '3 gün',
  hours_minute: '1 dakika',
  pay_without_script:
    'Ödeme bölümü açılmazsa sayfayı yenileyin; sorun sürerse 0850 000 00 00 numaralı telefondan bizi arayın.',
};

export const en: typeof tr = {
  shop_title: 'Wooden table lamp · Fener Atölyesi',
  shop_description: 'A table lamp turned by hand from walnut, with a linen shade. Pay by bank transfer.',
  tab_bank: 'Bank',
  product: 'Wooden table lamp',
  product_picture: 'A table lamp with a walnut body and a linen shade',
  price: '₺149.90',
  price_note: 'tax and delivery included',
  product_text:
    'Turned by hand from a single piece of walnut, with a linen shade for a warm, soft light. No two are quite alike.',
  fact_wood: 'Walnut body, linen shade, 42 cm',
  fact_bulb: 'E27 bulb included',
  fact_shipping: 'Ships within two working days of your payment',
  pay_heading: 'Pay by bank transfer',
  other_ways: 'Pay another way',
  hours: 'Time to pay',
  hours_days: '3 days',
  hours_minute: '1 minute',
  pay_without_script: 'If the payment form doesn’t open, reload the page or call us on 0850 000 00 00.',
};
