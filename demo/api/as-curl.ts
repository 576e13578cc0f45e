import type {Operation} from './document.ts';
import type {Asked} from './request.ts';

const SECRETS: Readonly<Record<Operation['access'], string>> = {
  key: 'Bearer $MERCHANT_API_KEY',
  session: 'Bearer $SESSION',
  anyone: '',
};

/** The request for a shell; what is secret stands in a variable there. */
export function asCurl({method, address, headers, body}: Asked, access: Operation['access']): string {
  const all = Object.entries(headers).map(
    ([name, value]) => `-H "${name}: ${name === 'authorization' ? SECRETS[access] : value}"`,
  );
  return [
    `curl${method === 'GET' ? '' : ` -X ${method}`} '${location.origin}${address}'`,
    ...all,
    ...(body === undefined ? [] : [`-d '${oneLine(body).replaceAll("'", String.raw`'\''`)}'`]),
  ].join(' \\\n  ');
}

function oneLine(json: string): string {
  try {
    return JSON.stringify(JSON.parse(json));
  } catch {
    return json;
  }
}
