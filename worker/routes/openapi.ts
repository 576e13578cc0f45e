import {jsonText} from '../http/json.ts';

/** Read when it is first asked for: no shopper waits for it. */
let cachedText: string | undefined;

/** GET /openapi.json: the description of our API, made from the contract by `npm run describe`. */
export async function showOpenApi(): Promise<Response> {
  cachedText ??= JSON.stringify((await import('../openapi.json')).default);
  return jsonText(cachedText, {cache: 'public, max-age=300'});
}
