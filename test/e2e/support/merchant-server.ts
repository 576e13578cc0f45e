/** A merchant's web server. It serves one page, with the headers the test chooses. */

import {createServer, type Server} from 'node:http';

interface MerchantPage {
  readonly html: string;
  readonly headers?: Record<string, string>;
}

export class MerchantServer {
  readonly #server: Server;
  #page: MerchantPage = {html: ''};

  private constructor() {
    this.#server = createServer(({url}, response) => {
      // The body is not empty because a browser replaces an empty 404 answer with its own error page.
      if (url !== '/') return void response.writeHead(404).end('Nothing');
      response.writeHead(200, {'content-type': 'text/html; charset=utf-8', ...this.#page.headers}).end(this.#page.html);
    });
  }

  /** @param origin - A localhost origin with the port to listen on. */
  static async start(origin: string): Promise<MerchantServer> {
    const merchant = new MerchantServer();
    await new Promise<void>(
      (resolve, reject) =>
        void merchant.#server.once('error', reject).listen(Number(new URL(origin).port), 'localhost', resolve),
    );
    return merchant;
  }

  serve(page: MerchantPage): void {
    this.#page = page;
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => void this.#server.close(resolve));
  }
}

/** The smallest page a merchant can write: the script tag and one element. */
export const merchantPage = (
  worker: string,
  element = '<vezne-checkout offer="gold"></vezne-checkout>',
) => `<!doctype html>
<html lang="tr">
<title>Lamba</title>
<h1>Ahşap masa lambası</h1>
<script type="module" src="${worker}/vezne.js"></script>
${element}`;

/** The strictest content security policy: no inline code, no eval, and only the named Trusted Types policies. */
export const strictPolicy = (worker: string, ...trustedTypes: string[]) =>
  [
    "default-src 'none'",
    `script-src ${worker}`,
    `connect-src ${worker} ${worker.replace('http', 'ws')}`,
    `img-src ${worker}`,
    "style-src 'none'",
    "base-uri 'none'",
    "form-action 'none'",
    "require-trusted-types-for 'script'",
    `trusted-types ${trustedTypes.join(' ')}`,
  ].join('; ');
