/** One HTTP exchange on a connection of its own: a kept-alive one may be closed by the server just as it is used. */
import {type IncomingHttpHeaders, request} from 'node:http';

export interface Exchanged {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}

export function exchange(url: string, {headers = {}, body}: {headers?: Record<string, string>; body?: string | undefined} = {}): Promise<Exchanged> {
  return new Promise((resolve, reject) => {
    const asked = request(url, {method: body === undefined ? 'GET' : 'POST', headers, agent: false}, async (answer) => {
      const text = Buffer.concat(await answer.toArray()).toString();
      resolve({status: answer.statusCode ?? 0, headers: answer.headers, text});
    });
    asked.on('error', reject);
    asked.end(body);
  });
}
