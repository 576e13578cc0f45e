/** What the API page says by itself; the API's own words are English everywhere. */
interface Messages {
  readonly required: string;
  readonly optional: string;
  readonly such: string;
  readonly example: string;
  readonly fields: string;
  readonly noFields: string;
  readonly answer: string;
  readonly errors: (count: number) => string;
  readonly tryIt: string;
  readonly access: Readonly<Record<'key' | 'session' | 'anyone', string>>;
  readonly body: string;
  readonly key: string;
  readonly newKey: string;
  readonly send: string;
  readonly sending: string;
  readonly took: (ms: number) => string;
  readonly unanswered: string;
  readonly needed: (field: string) => string;
  readonly headers: string;
  readonly answered: string;
  readonly curl: string;
  readonly noBody: string;
  readonly notText: (type: string) => string;
  readonly sessionKept: string;
  readonly socket: string;
  readonly away: string;
  readonly again: string;
  readonly characters: (range: string) => string;
  readonly items: (range: string) => string;
  readonly least: (n: number) => string;
  readonly most: (n: number) => string;
}

const tr: Messages = {
  required: 'zorunlu',
  optional: 'isteğe bağlı',
  such: 'örnek',
  example: 'Örnek',
  fields: 'Alanlar',
  noFields: 'Alanı yok.',
  answer: 'Yanıt',
  errors: (count) => `Hatalar (${count})`,
  tryIt: 'Deneyin',
  access: {
    key: 'Üye iş yeri anahtarıyla çağrılır',
    session: 'Oturumla çağrılır',
    anyone: 'Herkes çağırabilir',
  },
  body: 'Gövde (JSON)',
  key: 'Idempotency-Key',
  newKey: 'Yeni anahtar',
  send: 'Gönder',
  sending: 'Gönderiliyor …',
  took: (ms) => `${ms} ms`,
  unanswered: 'Yanıt gelmedi. Worker çalışıyor mu?',
  needed: (field) => `Önce ${field} alanını doldurun.`,
  headers: 'Başlıklar',
  answered: 'Yanıtın gövdesi',
  curl: 'Aynısı, sunucunuzdan',
  noBody: 'Gövdesi yok.',
  notText: (type) => `Metin değil: ${type}`,
  sessionKept: 'Oturum yukarıdaki alana yazıldı.',
  socket: 'WebSocket: bu sayfada denenmez.',
  away: 'API tanımı okunamadı.',
  again: 'Yeniden dene',
  characters: (range) => `${range} karakter`,
  items: (range) => `${range} öğe`,
  least: (n) => `en az ${n}`,
  most: (n) => `en çok ${n}`,
};

const en: Messages = {
  required: 'required',
  optional: 'optional',
  such: 'such as',
  example: 'Example',
  fields: 'Fields',
  noFields: 'It has no fields.',
  answer: 'Answer',
  errors: (count) => `Errors (${count})`,
  tryIt: 'Try it',
  access: {
    key: 'Called with the merchant key',
    session: 'Called with a session',
    anyone: 'Anyone may call it',
  },
  body: 'Body (JSON)',
  key: 'Idempotency-Key',
  newKey: 'New key',
  send: 'Send',
  sending: 'Sending …',
  took: (ms) => `${ms} ms`,
  unanswered: 'No answer came. Is the Worker running?',
  needed: (field) => `Fill in ${field} first.`,
  headers: 'Headers',
  answered: 'The answer’s body',
  curl: 'The same from your server',
  noBody: 'It has no body.',
  notText: (type) => `Not text: ${type}`,
  sessionKept: 'The session stands in the field above now.',
  socket: 'A WebSocket: not to be tried on this page.',
  away: 'The description of the API could not be read.',
  again: 'Try again',
  characters: (range) => `${range} characters`,
  items: (range) => `${range} items`,
  least: (n) => `at least ${n}`,
  most: (n) => `at most ${n}`,
};

export const messages: Messages = document.documentElement.lang === 'en' ? en : tr;
