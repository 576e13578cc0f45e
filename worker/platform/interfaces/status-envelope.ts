import * as z from 'zod';
import {parseObject} from '../reply-json.ts';
import {Text} from '../text.ts';
import type {Envelope} from './interface.ts';

const StatusReply = z.looseObject({status: Text, message: Text.nullish(), description: Text.nullish()});

/** `{status, message}` of `/phs`, `{status, description}` of the landing interface. Its HTTP status says nothing. */
export function readStatusEnvelope(text: string): Envelope | null {
  const body = parseObject(text);
  const flat = StatusReply.safeParse(body);
  if (!body || !flat.success) return null;
  const {status, message, description} = flat.data;
  return {success: status === '000', status, message: message ?? description ?? '', body};
}
