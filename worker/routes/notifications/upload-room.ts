/**
 * The memory that uploads of large notifications share in an isolate. Anybody can begin an upload and then send nothing
 * more, so that the platform's own notification finds no room.
 */

import {ApiError} from '../../http/errors.ts';
import {SECOND_MS} from '../../lib/durations.ts';
import {sumOf} from '../../lib/sum.ts';

/** All uploads together. All shoppers share the isolate's 128 MB. */
const MAX_BYTES = 16_777_216;
/** The uploads of one network together; a single upload may be larger. */
const MAX_NETWORK_BYTES = MAX_BYTES / 8;
const MAX_IDLE_MS = 5 * SECOND_MS;
const MAX_UPLOAD_MS = 20 * SECOND_MS;
/** An upload that sent bytes within this time does not have to make room for others. */
const BUSY_MS = SECOND_MS;

export interface Upload {
  readonly network: string;
  readonly startedAt: number;
  bytes: number;
  progressAt: number;
  /** Whether it had to make room for another upload. */
  isEnded: boolean;
}

export class UploadRoom {
  readonly #uploads = new Set<Upload>();

  /** @param network - The sender's address or IPv6 /48. */
  enter(network: string): Upload {
    const now = Date.now();
    const upload = {network, startedAt: now, bytes: 0, progressAt: now, isEnded: false};
    this.#uploads.add(upload);
    return upload;
  }

  leave(upload: Upload): void {
    this.#uploads.delete(upload);
  }

  /**
   * Takes the room that an upload needs after its next bytes. If there is none, ends the uploads that have sent nothing
   * for longest.
   * @throws {ApiError} `rate_limited` if there is no room.
   */
  grow(upload: Upload, bytes: number): void {
    upload.bytes = bytes;
    const others = [...this.#uploads].filter((other) => other !== upload);
    const ofNetwork = sizeOf(others.filter(({network}) => network === upload.network));
    if (ofNetwork > 0 && ofNetwork + bytes > MAX_NETWORK_BYTES) throw noRoom();
    const idle = others
      .filter(({progressAt}) => progressAt < Date.now() - BUSY_MS)
      .toSorted((a, b) => a.progressAt - b.progressAt);
    while (sizeOf(this.#uploads) > MAX_BYTES) {
      const longest = idle.shift();
      if (!longest) throw noRoom();
      longest.isEnded = true;
      this.leave(longest);
    }
  }
}

/** Why an upload has to end now, or null. */
export function endOfUpload({startedAt, progressAt, isEnded}: Upload, now: number): ApiError | null {
  if (isEnded) return noRoom();
  if (now - progressAt < MAX_IDLE_MS && now - startedAt < MAX_UPLOAD_MS) return null;
  return new ApiError('invalid_request', {
    status: 408,
    fields: [{path: '', message: 'The body took too long to arrive.'}],
  });
}

const sizeOf = (uploads: Iterable<Upload>) => sumOf([...uploads], ({bytes}) => bytes);

const noRoom = () => new ApiError('rate_limited', {retryAfterSeconds: 60});
