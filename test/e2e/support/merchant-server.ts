/** A merchant's web server. It serves one page, with the headers the test chooses. */

import {readFileSync} from 'node:fs';
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
export const merchantPage = (worker: string) => `<!doctype html>
<html lang="tr">
<title>Lamba</title>
<h1>Ahşap masa lambası</h1>
<script type="module" src="${worker}/vezne.js"></script>
<vezne-checkout offer="gold"></vezne-checkout>`;

const DOCUMENT = readFileSync(new URL('../../../docs/elements.md', import.meta.url), 'utf8');
const [DOCUMENTED_POLICY = ''] = /^default-src .*$/m.exec(DOCUMENT) ?? [];

/** The content security policy that the documentation gives for every page with elements. */
export const strictPolicy = (worker: string) =>
  DOCUMENTED_POLICY.replaceAll('https://pay.example.com', worker).replaceAll(
    'wss://pay.example.com',
    worker.replace('http', 'ws'),
  );
