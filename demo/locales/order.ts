/** Texts of the page of an order. */
export const tr = {
  order_title: 'Siparişim · Fener Atölyesi',
  order_description: 'Siparişinizin ödeme ve kargo durumu.',
  order_item: 'Sipariş edilen ürün',
  order_number: 'Sipariş no.',
  order_until: 'Son ödeme',
  order_payment: 'Ödeme',
  order_none: 'Bu cihazda siparişiniz yok. Başka bir cihazda sipariş verdiyseniz siparişinizi o cihazda açın.',
  order_to_shop: 'Mağazaya git',
  order_to_payment: 'Ödeme bilgilerini göster',
  order_delivery: 'Kargo',
  order_step_paid: 'Ödemeniz alındı',
  order_step_packed: 'Hazırlanıyor',
  order_step_sent: 'İki iş günü içinde kargoda',
  order_back: 'Alışverişe devam et',
  order_club: 'Fener Kulübü’ne katıl',
  order_how:
    'Gerçek bir mağaza siparişi kendi sunucusundan gösterir. Bu sayfa, ödeme durumunu gösteren bileşeni tek başına kullanır.',
};

export const en: typeof tr = {
  order_title: 'My order · Fener Atölyesi',
  order_description: 'Payment and delivery of your order.',
  order_item: 'Item ordered',
  order_number: 'Order',
  order_until: 'Pay by',
  order_payment: 'Payment',
  order_none: 'There’s no order on this device. If you ordered on another device, open it there.',
  order_to_shop: 'Go to the shop',
  order_to_payment: 'Show payment details',
  order_delivery: 'Delivery',
  order_step_paid: 'Payment received',
  order_step_packed: 'Being packed',
  order_step_sent: 'Ships within two working days',
  order_back: 'Continue shopping',
  order_club: 'Join the Fener Club',
  order_how:
    'A real shop would load the order from its server. This page uses the element that shows the payment’s status on its own.',
};
