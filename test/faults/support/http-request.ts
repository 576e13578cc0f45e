/**
 * Sends one HTTP request on a new connection, because a server may close a kept-alive connection just as the request is
 * sent.
 */

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
    const outgoing = request(url, {method: body === undefined ? 'GET' : 'POST', headers, agent: false}, (answer) => {
      // Reading the answer fails if the server is killed in the middle of it.
      answer
        .toArray()
        .then(
          (chunks) =>
            resolve({status: answer.statusCode ?? 0, headers: answer.headers, text: Buffer.concat(chunks).toString()}),
          reject,
        );
    });
    outgoing.on('error', reject);
    outgoing.end(body);
  });
}
