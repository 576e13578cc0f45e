import description from '../openapi.json';
import {jsonText} from './json.ts';

let text: string | undefined;

/** GET /openapi.json: the description of our API, made from the contract by `npm run describe`. */
export async function showDescription(): Promise<Response> {
  text ??= JSON.stringify(description);
  return jsonText(text, {cache: 'public, max-age=300'});
}
