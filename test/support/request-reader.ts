/** Tells the HTTP/1.1 requests of one connection apart. */

export interface ReadRequest {
  readonly method: string;
  readonly path: string;
  /** By name in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
  /** The request as it came. */
  readonly bytes: Buffer;
}

interface Body {
  readonly body: Buffer;
  /** Where the request ends. */
  readonly end: number;
}

const LINE_END = '\r\n';
const HEAD_END = '\r\n\r\n';

export class RequestReader {
  readonly #onRequest: (request: ReadRequest) => void;
  #kept: Buffer = Buffer.alloc(0);

  /** @param onRequest is told of every request once it is complete. */
  constructor(onRequest: (request: ReadRequest) => void) {
    this.#onRequest = onRequest;
  }

  read(bytes: Buffer): void {
    this.#kept = Buffer.concat([this.#kept, bytes]);
    for (let request = this.#next(); request; request = this.#next()) this.#onRequest(request);
  }

  #next(): ReadRequest | null {
    const headEnd = this.#kept.indexOf(HEAD_END);
    if (headEnd < 0) return null;
    const [first = '', ...lines] = this.#kept.subarray(0, headEnd).toString('latin1').split(LINE_END);
    const [method = '', path = ''] = first.split(' ');
    const headers = Object.fromEntries(lines.map(readHeader));
    const start = headEnd + HEAD_END.length;
    const found = headers['transfer-encoding']
      ? readChunks(this.#kept, start)
      : readLength(this.#kept, start, Number(headers['content-length'] ?? 0));
    if (!found) return null;
    const bytes = this.#kept.subarray(0, found.end);
    this.#kept = this.#kept.subarray(found.end);
    return {method, path, headers, body: found.body, bytes};
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

/** Null while the last chunk is not there. Trailers are not read: nobody sends them. */
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
