/** One HTTP exchange on a connection of its own: a kept-alive one may be closed by the server just as it is used. */

import {type IncomingHttpHeaders, request} from 'node:http';

export interface HttpResponse {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}

export function sendRequest(
  url: string,
  {headers = {}, body}: {headers?: Record<string, string>; body?: string | undefined} = {},
): Promise<HttpResponse> {
  return new Promise((resolve, reject) => {
    const asked = request(url, {method: body === undefined ? 'GET' : 'POST', headers, agent: false}, (answer) => {
      // A server may die in the middle of its answer.
      answer
        .toArray()
        .then(
          (chunks) =>
            resolve({status: answer.statusCode ?? 0, headers: answer.headers, text: Buffer.concat(chunks).toString()}),
          reject,
        );
    });
    asked.on('error', reject);
    asked.end(body);
  });
}
