import {jsonText} from '../http/json.ts';

/** Read when it is first asked for: no shopper waits for it. */
let text: string | undefined;

/** GET /openapi.json: the description of our API, made from the contract by `npm run describe`. */
export async function showDescription(): Promise<Response> {
  text ??= JSON.stringify((await import('../openapi.json')).default);
  return jsonText(text, {cache: 'public, max-age=300'});
}
