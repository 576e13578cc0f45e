/** Asks the Worker. Everything is a GET that only reads. */

import type {WORK_KINDS} from '../worker/contract/merchant/books-work.ts';
import type {EndpointAnswer, EndpointName} from '../worker/contract/merchant/endpoints.ts';
import {session} from './session.ts';

export type Answer<N extends EndpointName> = EndpointAnswer<N>;
export type Order = Answer<'getOrder'>;
/** The payment of an order whose code was made. */
export type Payment = NonNullable<Order['payment']>;
export type Timeline = Answer<'showTimeline'>;
export type Booking = Answer<'searchBookings'>['items'][number];
export type Day = Answer<'showDay'>;
export type WorkItem = Answer<'listWork'>['items'][number];
/** A list of work. */
export type WorkKind = (typeof WORK_KINDS)[number];
export type Diagnosis = Answer<'examine'>;

/** What the Worker refused, or why it was not reached (`network`). */
export class DeskProblem extends Error {
  constructor(
    readonly code: string,
    readonly retryable = false,
  ) {
    super(code);
  }
}

type Fields = Readonly<Record<string, string | null | undefined>>;

function addressOf(path: string, fields: Fields): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(fields)) if (value !== null && value !== undefined) query.set(name, value);
  const text = query.toString();
  return `/desk/api/${path}${text && `?${text}`}`;
}

/** @throws {DeskProblem} */
async function send(path: string, fields: Fields, method: 'GET' | 'POST', signal?: AbortSignal): Promise<Response> {
  let response: Response;
  try {
    response = await fetch(addressOf(path, fields), {
      method,
      headers: {'vezne-desk': session?.token ?? ''},
      redirect: 'manual',
      cache: 'no-store',
      ...(signal && {signal}),
    });
  } catch {
    signal?.throwIfAborted();
    throw new DeskProblem('network', true);
  }
  if (response.ok || response.type === 'opaqueredirect') return response;
  const {code = 'unreadable', retryable = false} = (await response.json().catch(() => ({}))) as Partial<DeskProblem>;
  // The session is over, so what it read must leave the screen. The page says why.
  if (code === 'unauthorized') location.replace(`${location.pathname}?problem=session_expired${location.hash}`);
  throw new DeskProblem(code, retryable);
}

/**
 * Reads an answer.
 * @param path - Below `/merchant/v1`.
 * @throws {DeskProblem}
 */
export async function ask<N extends EndpointName>(path: string, fields: Fields = {}, signal?: AbortSignal) {
  const response = await send(path, fields, 'GET', signal);
  return (await response.json()) as Answer<N>;
}

/**
 * Reads a file piece by piece.
 * @returns The file's name.
 * @throws {DeskProblem}
 */
export async function readFile(
  path: string,
  fields: Fields,
  onPiece: (piece: Uint8Array<ArrayBuffer>) => void,
  signal?: AbortSignal,
): Promise<string> {
  const {body, headers} = await send(path, fields, 'GET', signal);
  const reader = (body as ReadableStream<Uint8Array<ArrayBuffer>>).getReader();
  for (let next = await reader.read(); !next.done; next = await reader.read()) onPiece(next.value);
  return /filename="?([\w.-]+)/.exec(headers.get('content-disposition') ?? '')?.[1] ?? 'vezne.csv';
}

/** Ends the session on the server too. @throws {DeskProblem} */
export async function signOut(): Promise<void> {
  await send('sign-out', {}, 'POST');
}
