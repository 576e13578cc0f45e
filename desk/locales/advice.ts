import type {Locale} from '../../widgets/core/locale.ts';
import type {WorkKind} from '../client.ts';

/**
 * What people can do about the things of each list. The desk itself moves no money, so each sentence says what to ask the
 * person who looks after the shop's server for, and in brackets what that person calls.
 */
export const advice: Readonly<Record<Locale, Readonly<Record<WorkKind, string>>>> = {
  tr: {
    unmatched:
      'Para müşterinizinse sunucunuza bakan kişiden bir bildirim adresi isteyin (POST /merchant/v1/payment-notices): müşteri o adreste hangi havalenin kendisine ait olduğunu söyler, platform parayı eşleştirir. Para hiçbir siparişe ait değilse platformdan geri göndermesini isteyin.',
    overpaid:
      'Fazlayı geri vermek için sunucunuza bakan kişiden bir iade bağlantısı isteyin (POST /merchant/v1/refund-links) ve yalnız müşteriye gönderin: adını ve IBAN’ını kendisi yazar. Ad ve IBAN sizde varsa o kişi parayı doğrudan da gönderebilir (POST /merchant/v1/refunds). Bu sayfadan para gönderilemez.',
    late: 'Karar sizin. Siparişi yine de teslim ediyorsanız sunucunuza bakan kişiden siparişi tamamlamasını isteyin (POST /merchant/v1/orders/complete). Etmiyorsanız bir iade bağlantısı isteyin (POST /merchant/v1/refund-links) ve yalnız müşteriye gönderin: adını ve IBAN’ını kendisi yazar. Bu sayfadan para gönderilemez.',
    partial:
      'Müşteri eksiği, ödeme süresi bittikten sonraki yedi gün içinde aynı kodla gönderebilir; daha geç gelen para eşleşmez. Geleni geri vermek için sunucunuza bakan kişiden, gelen tutar için bir iade bağlantısı isteyin (POST /merchant/v1/refund-links, amount) ve yalnız müşteriye gönderin.',
    pending: 'Para bankada, ama platform henüz saymıyor: platformun panelinde onaylayın ya da platforma sorun.',
    cancelled:
      'Gelen parayı geri vermek için sunucunuza bakan kişiden bir iade bağlantısı isteyin (POST /merchant/v1/refund-links) ve yalnız müşteriye gönderin: adını ve IBAN’ını kendisi yazar.',
    refund_failed:
      'IBAN’ı ve adı müşteriden yeniden alın; sunucunuza bakan kişi iadeyi yeniden ister (POST /merchant/v1/refund-links ya da POST /merchant/v1/refunds). Tamamlanmış siparişin iadesini platform kabul etmez; o parayı bankanızdan gönderin.',
    refund_unknown:
      'İadeyi yeniden istemeyin, para iki kez gidebilir. Vezne sonucu yaklaşık üç gün boyunca sorar; sonra platforma siz sorun.',
    delivery_failed:
      'Sunucunuz bildirimi kabul etmedi. Vezne üç gün boyunca yeniden dener; sonra sunucunuza bakan kişi bildirimi yeniden gönderir (POST /merchant/v1/events/{id}/resend). Hiç bildirim adresi yoksa bu liste boştur; Durum sayfası bunu söyler.',
    waiting:
      'Bir şey yapmanız gerekmez: para gelince sipariş kendiliğinden ilerler. Müşteri gönderdiğini söylüyorsa eşleşmeyen paraya bakın.',
    expired:
      'Bir şey yapmanız gerekmez. Müşteri gönderdiğini söylüyorsa eşleşmeyen paraya bakın: yedi günden sonra gelen para oradadır.',
  },
  en: {
    unmatched:
      'If it is your customer’s, ask the person who looks after your server for a notice address (POST /merchant/v1/payment-notices): there the customer says which transfer is theirs, and the platform matches the money. If it belongs to no order, ask the platform to send it back.',
    overpaid:
      'To give the excess back, ask the person who looks after your server for a refund link (POST /merchant/v1/refund-links), and send it to the customer alone, who types name and IBAN. If you have name and IBAN, that person can send the money at once (POST /merchant/v1/refunds). The desk moves no money.',
    late: 'You decide. If you still deliver, ask the person who looks after your server to complete the order (POST /merchant/v1/orders/complete). If not, ask for a refund link (POST /merchant/v1/refund-links), and send it to the customer alone, who types name and IBAN. The desk moves no money.',
    partial:
      'The customer can send the rest with the same code until seven days after the time to pay. Later money is unmatched. To give back what came, ask the person who looks after your server for a refund link of that sum (POST /merchant/v1/refund-links, amount), and send it to the customer alone.',
    pending:
      'The bank has the money, but the platform does not count it yet: approve it in the platform’s panel, or ask the platform.',
    cancelled:
      'To give back what came, ask the person who looks after your server for a refund link (POST /merchant/v1/refund-links), and send it to the customer alone, who types name and IBAN.',
    refund_failed:
      'Ask the customer for name and IBAN again; the person who looks after your server requests the refund again (POST /merchant/v1/refund-links or POST /merchant/v1/refunds). The platform refuses refunds of a completed order; send that money from your bank.',
    refund_unknown:
      'Do not request the refund again, or the money may go twice. Vezne asks for the result for about three days; after that, ask the platform.',
    delivery_failed:
      'Your server did not accept the notification. Vezne tries again for three days; after that, the person who looks after your server sends it again (POST /merchant/v1/events/{id}/resend). Without an address for notifications this list is empty, and Health says so.',
    waiting:
      'There is nothing to do: the order goes on by itself when the money comes. If the customer says that it was sent, look at unmatched money.',
    expired:
      'There is nothing to do. If the customer says that it was sent, look at unmatched money: money that comes after seven days is there.',
  },
};
