/** Static texts of the API page. `api/messages.ts` has the texts that its script shows. */
export const tr = {
  api_title: 'API · Vezne denemesi',
  api_heading: 'API',
  api_lead:
    'Hepsi Worker’ın kendi tanımından okunur. Formlar Worker’ı gerçekten çağırır, arkasında deneme platformu durur. API’nin kendi sözleri İngilizcedir.',
  api_contents: 'Konular',
  api_access: 'Kim çağırıyor?',
  api_key: 'Üye iş yeri anahtarı (MERCHANT_API_KEY)',
  api_key_hint:
    'Sunucunuzun anahtarı. Burada deneme ortamının herkese açık anahtarı durur; gerçek bir anahtar hiçbir sayfaya yazılmaz.',
  api_session: 'Oturum',
  api_session_hint: 'Sayfaların taşıdığı belirteç. Bir oturum açtığınızda kendiliğinden yazılır.',
  api_loading: 'Okunuyor …',
  api_without_script: 'Bu sayfa betikle çalışır. Aynı tanım: /openapi.json',
};

export const en: typeof tr = {
  api_title: 'API · Vezne demo',
  api_heading: 'API',
  api_lead:
    'All of it is read from the Worker’s own description. The forms really call the Worker, with the sandbox behind it.',
  api_contents: 'Topics',
  api_access: 'Who is calling?',
  api_key: 'Merchant key (MERCHANT_API_KEY)',
  api_key_hint: 'Your server’s key. Here stands the sandbox’s public one; a real key belongs on no page.',
  api_session: 'Session',
  api_session_hint: 'The token that pages carry. Open a session below, and it is written here.',
  api_loading: 'Reading …',
  api_without_script: 'This page needs scripts. The same description: /openapi.json',
};
