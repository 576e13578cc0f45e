/** Texts of the API page itself. Texts from the API description are English on the Turkish page, too. */
interface Messages {
  readonly required: string;
  readonly optional: string;
  readonly suchAs: string;
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
  readonly noAnswer: string;
  readonly fieldRequired: (field: string) => string;
  readonly headers: string;
  readonly answerBody: string;
  readonly curl: string;
  readonly noBody: string;
  readonly notText: (type: string) => string;
  readonly sessionSaved: string;
  readonly socket: string;
  readonly unavailable: string;
  readonly retry: string;
  readonly moreRules: string;
  readonly found: (count: number) => string;
  readonly characters: (range: string) => string;
  readonly items: (range: string) => string;
  readonly atLeast: (n: number) => string;
  readonly atMost: (n: number) => string;
}

const tr: Messages = {
  required: 'zorunlu',
  optional: 'isteğe bağlı',
  suchAs: 'örnek',
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
  sending: 'Gönderiliyor…',
  took: (ms) => `${ms} ms`,
  noAnswer: 'Yanıt gelmedi. Worker çalışıyor mu?',
  fieldRequired: (field) => `Önce ${field} alanını doldurun.`,
  headers: 'Başlıklar',
  answerBody: 'Yanıtın gövdesi',
  curl: 'Aynısı, sunucunuzdan',
  noBody: 'Gövdesi yok.',
  notText: (type) => `Metin değil: ${type}`,
  sessionSaved: 'Oturum yukarıdaki alana yazıldı.',
  socket: 'WebSocket: bu sayfada denenmez.',
  unavailable: 'API tanımı okunamadı.',
  retry: 'Yeniden dene',
  moreRules: 'Yinelenen istekler ve komutlar',
  found: (count) => (count === 0 ? 'Eşleşen işlem yok.' : `${count} işlem bulundu.`),
  characters: (range) => `${range} karakter`,
  items: (range) => `${range} öğe`,
  atLeast: (n) => `en az ${n}`,
  atMost: (n) => `en çok ${n}`,
};

const en: Messages = {
  required: 'required',
  optional: 'optional',
  suchAs: 'such as',
  example: 'Example',
  fields: 'Fields',
  noFields: 'No fields.',
  answer: 'Response',
  errors: (count) => `Errors (${count})`,
  tryIt: 'Try it',
  access: {
    key: 'Called with the merchant key',
    session: 'Called with a session',
    anyone: 'Anyone can call it',
  },
  body: 'Body (JSON)',
  key: 'Idempotency-Key',
  newKey: 'New key',
  send: 'Send',
  sending: 'Sending…',
  took: (ms) => `${ms} ms`,
  noAnswer: 'No response. Is the Worker running?',
  fieldRequired: (field) => `Fill in ${field} first.`,
  headers: 'Headers',
  answerBody: 'Response body',
  curl: 'The same request from your server',
  noBody: 'No body.',
  notText: (type) => `Not text: ${type}`,
  sessionSaved: 'The session was copied to the field above.',
  socket: 'This is a WebSocket. You can’t try it on this page.',
  unavailable: 'We couldn’t load the API description.',
  retry: 'Try again',
  moreRules: 'Repeated requests and commands',
  found: (count) =>
    count === 0 ? 'No matching operations.' : `${count} ${count === 1 ? 'operation' : 'operations'} found.`,
  characters: (range) => `${range} characters`,
  items: (range) => `${range} items`,
  atLeast: (n) => `at least ${n}`,
  atMost: (n) => `at most ${n}`,
};

export const messages: Messages = document.documentElement.lang === 'en' ? en : tr;
