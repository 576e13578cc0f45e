/** Texts of the API page. Swagger UI has its own texts, in English. */
export const tr = {
  api_title: 'API · Vezne demosu',
  api_description: 'Vezne API’sinin bütün işlemleri, deneme formlarıyla.',
  api_lead:
    'Bu sayfa Worker’ın kendi API tanımından oluşturulur. Formlar Worker’ı gerçekten çağırır; arkasında deneme ortamı vardır. API’nin açıklamaları İngilizcedir.',
  api_access: 'Kim çağırıyor?',
  api_key: 'Üye iş yeri anahtarı (MERCHANT_API_KEY)',
  api_key_hint:
    'Sunucunuzun anahtarı. Buradaki, deneme ortamının herkese açık anahtarıdır; gerçek anahtarınızı hiçbir sayfaya yazmayın.',
  api_session: 'Oturum',
  api_session_hint: 'Sayfaların kullandığı belirteç. Aşağıda bir oturum oluşturduğunuzda buraya yazılır.',
  api_without_script: 'Bu sayfa için JavaScript gerekir. Aynı tanım: /openapi.json',
  controls_lead:
    'Gerçek banka, operatör ve para yoktur; platformun yapacağı her şeyi buradan siz yaparsınız. Açıklamalar İngilizcedir.',
  api_of: 'Tanım',
  api_of_worker: 'Worker’ın API’si',
  api_of_sandbox: 'Deneme ortamının denetimleri',
};

export const en: typeof tr = {
  api_title: 'API · Vezne demo',
  api_description: 'Every operation of the Vezne API, with forms to try them.',
  api_lead:
    'This page is generated from the Worker’s own API description. The forms call the real Worker, with the sandbox behind it.',
  api_access: 'Who is calling?',
  api_key: 'Merchant key (MERCHANT_API_KEY)',
  api_key_hint: 'Your server’s key. This one is the sandbox’s public key; never put a real key into a page.',
  api_session: 'Session',
  api_session_hint: 'The token that pages use. When you create a session below, it is filled in here.',
  api_without_script: 'This page needs JavaScript. The same description: /openapi.json',
  controls_lead: 'There is no real bank, operator or money; whatever the platform would do, you do here.',
  api_of: 'Description',
  api_of_worker: 'The Worker’s API',
  api_of_sandbox: 'The sandbox’s controls',
};
