const MAX_BYTES = 4_000_000;
const MAX_MS = 1_000;

/**
 * Reads what a refused request still sends, within bounds, before it is answered. Who is answered in the middle of sending may never
 * read the answer: a proxy in front takes the broken line for a fault of ours, and answers 500 with words of its own.
 */
export async function drainRequestBody({body}: Request): Promise<void> {
  if (!body || body.locked) return;
  const reader = (body as ReadableStream<Uint8Array>).getReader();
  const timer = setTimeout(() => void reader.cancel().catch(() => {}), MAX_MS);
  try {
    let bytes = 0;
    while (bytes < MAX_BYTES) {
      const {done, value} = await reader.read();
      if (done) return;
      bytes += value.byteLength;
    }
  } catch {
    // Whoever hung up needs no answer.
  } finally {
    clearTimeout(timer);
    reader.releaseLock();
  }
}
