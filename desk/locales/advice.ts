import type {Locale} from '../../widgets/core/locale.ts';
import type {WorkKind} from '../client.ts';

/** What people can do about the things of each list. The desk itself moves no money. */
export const advice: Readonly<Record<Locale, Readonly<Record<WorkKind, string>>>> = {
  tr: {
    unmatched:
      'Para müşterinizinse: sunucunuz POST /merchant/v1/payment-notices ile bir adres alır, müşteri o adreste hangi havalenin kendisine ait olduğunu bildirir ve platform parayı eşleştirir. Para hiçbir siparişe ait değilse platformdan geri göndermesini isteyin.',
    overpaid:
      'Fazlayı geri vermek için POST /merchant/v1/refund-links ile bir iade bağlantısı alın ve yalnız müşteriye gönderin; adını ve IBAN’ını kendisi yazar. Ad ve IBAN sizde varsa POST /merchant/v1/refunds aynı tutarı gönderir. İkisi de money kapsamlı bir anahtar ister; bu sayfadan para gönderilemez.',
    late: 'Siparişi yine de teslim ediyorsanız POST /merchant/v1/orders/complete ile tamamlayın. Etmiyorsanız POST /merchant/v1/refund-links ile bir iade bağlantısı alın ve yalnız müşteriye gönderin; adını ve IBAN’ını kendisi yazar. İkisi de money kapsamlı bir anahtar ister; bu sayfadan para gönderilemez.',
    partial:
      'Müşteri eksiği, ödeme süresi bittikten sonraki yedi gün içinde aynı kodla gönderebilir; daha geç gelen para eşleşmez. Geleni geri vermek için POST /merchant/v1/refund-links ile, amount alanına tutarı yazarak, bir iade bağlantısı alın ve yalnız müşteriye gönderin.',
    pending: 'Para bankada, ama platform henüz saymıyor: platformun panelinde onaylayın ya da platforma sorun.',
    cancelled:
      'Gelen parayı geri vermek için POST /merchant/v1/refund-links ile bir iade bağlantısı alın ve yalnız müşteriye gönderin; adını ve IBAN’ını kendisi yazar.',
    refund_failed:
      'IBAN’ı ve adı müşteriden yeniden alın ve iadeyi yeniden isteyin: POST /merchant/v1/refund-links ya da POST /merchant/v1/refunds. Tamamlanmış siparişin iadesini platform kabul etmez; o parayı bankanızdan gönderin.',
    refund_unknown:
      'İadeyi yeniden istemeyin, para iki kez gidebilir. Vezne sonucu yaklaşık üç gün boyunca sorar; sonra platforma siz sorun.',
    delivery_failed:
      'Sunucunuz bildirimi kabul etmedi. Vezne üç gün boyunca yeniden dener; sonra POST /merchant/v1/events/{id}/resend bildirimi yeniden gönderir.',
    waiting:
      'Bir şey yapmanız gerekmez: para gelince sipariş kendiliğinden ilerler. Müşteri gönderdiğini söylüyorsa eşleşmeyen paraya bakın.',
    expired:
      'Bir şey yapmanız gerekmez. Müşteri gönderdiğini söylüyorsa eşleşmeyen paraya bakın: yedi günden sonra gelen para oradadır.',
  },
  en: {
    unmatched:
      'If it is your customer’s: your server gets an address from POST /merchant/v1/payment-notices, where the customer says which transfer is theirs, and the platform matches the money. If it belongs to no order, ask the platform to send it back.',
    overpaid:
      'To give the excess back, get a refund link with POST /merchant/v1/refund-links and send it to the customer alone, who types name and IBAN. If you have name and IBAN, POST /merchant/v1/refunds sends the same amount. Both need a key with the scope money; the desk moves no money.',
    late: 'If you still deliver, complete the order with POST /merchant/v1/orders/complete. If not, get a refund link with POST /merchant/v1/refund-links and send it to the customer alone, who types name and IBAN. Both need a key with the scope money; the desk moves no money.',
    partial:
      'The customer can send the rest with the same code until seven days after the time to pay. Later money is unmatched. To give back what came, get a refund link with POST /merchant/v1/refund-links, with the sum in amount, and send it to the customer alone.',
    pending:
      'The bank has the money, but the platform does not count it yet: approve it in the platform’s panel, or ask the platform.',
    cancelled:
      'To give back what came, get a refund link with POST /merchant/v1/refund-links and send it to the customer alone, who types name and IBAN.',
    refund_failed:
      'Ask the customer for name and IBAN again, and request the refund again: POST /merchant/v1/refund-links or POST /merchant/v1/refunds. The platform refuses refunds of a completed order; send that money from your bank.',
    refund_unknown:
      'Do not request the refund again, or the money may go twice. Vezne asks for the result for about three days; after that, ask the platform.',
    delivery_failed:
      'Your server did not accept the notification. Vezne tries again for three days; after that, POST /merchant/v1/events/{id}/resend sends it again.',
    waiting:
      'There is nothing to do: the order goes on by itself when the money comes. If the customer says that it was sent, look at unmatched money.',
    expired:
      'There is nothing to do. If the customer says that it was sent, look at unmatched money: money that comes after seven days is there.',
  },
};
