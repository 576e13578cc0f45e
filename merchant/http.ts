import {VezneConnectionError, VezneError, type VezneErrorDetails} from './errors.ts';
import type {Reply} from './exchange.ts';

/** What a problem (RFC 9457) of the Worker's holds, as far as it is one. */
interface Problem extends Pick<VezneErrorDetails, 'fields' | 'platform' | 'command'> {
  readonly code: string;
  readonly title?: string;
  readonly retryable: boolean;
  readonly request_id?: string;
}

/**
 * The body of a good answer.
 * @throws {VezneError} for every other.
 */
export function readAnswer(reply: Reply, idempotencyKey: string | undefined): object {
  const {status, header} = reply;
  const body = parseObject(reply.text);
  const requestId = header('x-request-id') ?? undefined;
  const details = {status, requestId, idempotencyKey, retryAfterMs: readRetryAfter(header('retry-after'))};
  if (status >= 200 && status < 300) {
    if (body) return body;
    throw new VezneConnectionError(
      'unreadable_answer',
      'The answer is no JSON object. Is `url` the address of the Worker?',
      details,
    );
  }
  if (isProblem(body)) {
    const {code, title, fields, platform, command, retryable} = body;
    throw new VezneError(code, sentence(title ?? `HTTP ${status}`, body), {
      ...details,
      requestId: body.request_id ?? requestId,
      fields,
      platform,
      command,
      retryable,
    });
  }
  const redirected = status >= 300 && status < 400 ? ' Redirects are not followed.' : '';
  throw new VezneError('unexpected_answer', `HTTP ${status}, and not from the Worker.${redirected}`, {
    ...details,
    retryable: status >= 500 || status === 429,
  });
}

/** What to read in a log: field names and the platform's status, nothing a shopper typed. */
function sentence(title: string, {fields = [], platform}: Problem): string {
  const wrong = fields.map(({path, message}) => ` ${path || 'body'}: ${message}`).join('');
  return `${title}${wrong}${platform ? ` The platform said ${platform.status}.` : ''}`;
}

function isProblem(body: object | undefined): body is Problem {
  const {code, retryable, fields = []} = (body ?? {}) as Partial<Problem>;
  return typeof code === 'string' && typeof retryable === 'boolean' && Array.isArray(fields);
}

function parseObject(text: string): object | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}

/** Seconds or a date (RFC 9110 10.2.3). */
function readRetryAfter(text: string | null): number | undefined {
  if (text === null) return undefined;
  const milliseconds = /^\d+$/.test(text) ? Number(text) * 1000 : Date.parse(text) - Date.now();
  return Number.isNaN(milliseconds) ? undefined : Math.max(0, milliseconds);
}
