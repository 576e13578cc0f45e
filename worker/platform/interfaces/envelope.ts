import * as z from 'zod';
import {parseObject, Text, OptionalText} from '../reply-json.ts';
import type {ReplyEnvelope} from './interface.ts';

const StatusReply = z.looseObject({status: Text, message: Text.nullish(), description: Text.nullish()});

/** `{status, message}` of `/phs`, `{status, description}` of the landing interface. Its HTTP status says nothing. */
export function readStatusEnvelope(text: string): ReplyEnvelope | null {
  const body = parseObject(text);
  const flat = StatusReply.safeParse(body);
  if (!body || !flat.success) return null;
  const {status, message, description} = flat.data;
  return {success: status === '000', status, message: message ?? description ?? '', body};
}

const ResponseBlock = z.object({
  result: OptionalText,
  resultCode: OptionalText,
  resultDescription: OptionalText,
  resultDetail: OptionalText,
});

/**
 * Subscriptions 2.1: everything stands beside `response`. A reply without one, or one that contradicts itself, is only
 * readable by its HTTP status, and only where that says the request was refused: what a 204 means nobody says.
 */
export function readResponseEnvelope(text: string, httpStatus: number): ReplyEnvelope | null {
  const body = parseObject(text);
  const response = ResponseBlock.safeParse(body?.['response']);
  if (body && response.success) {
    const {result, resultCode, resultDescription, resultDetail} = response.data;
    const success = result === 'SUCCESS' || resultCode === '0000';
    const failure = result === 'FAILED' || resultCode?.startsWith('API_ERR_') === true;
    const message = [resultDescription, resultDetail].filter(Boolean).join(': ');
    if (!(success && failure))
      return {success, status: resultCode ?? result ?? `HTTP_${httpStatus}`, message, httpStatus, body};
  }
  return httpStatus >= 400 && httpStatus < 500
    ? {success: false, status: `HTTP_${httpStatus}`, message: '', httpStatus, body: {}}
    : null;
}
