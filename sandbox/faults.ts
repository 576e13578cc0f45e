import type {Fault} from './faults--faults.ts';

/** Where a redirect leads. Nothing is there: a client that follows shows in the calls. */
const REDIRECT_PATH = '/elsewhere';
const HUGE_CHUNK_BYTES = 64 * 1024;
const HUGE_CHUNKS = 512;

/**
 * Lets a fault strike a call: before the operation, which then does not happen, or after it, which then has happened
 * although nobody learns its result. A delay only makes the caller wait.
 */
export async function answerFaultily(
  fault: Fault | undefined,
  {answer, refuse}: {answer: () => Promise<Response>; refuse: (status: string) => Response},
): Promise<Response> {
  if (!fault) return answer();
  const executed = fault.after ? await answer() : undefined;
  await scheduler.wait(fault.delayMs);
  return makeAnswer(fault, refuse) ?? executed ?? answer();
}

/** What is answered in the operation's place; undefined where its own answer stands. */
function makeAnswer(fault: Fault, refuse: (status: string) => Response): Response | undefined {
  switch (fault.kind) {
    case 'delay':
      return undefined;
    case '500-html':
      return new Response('<!doctype html><title>500</title><h1>Internal Server Error</h1>', {
        status: 500,
        headers: {'content-type': 'text/html; charset=utf-8'},
      });
    case 'malformed':
      return new Response('{"status":"000","message":"Succ', {headers: {'content-type': 'application/json'}});
    case 'empty':
      return new Response('', {headers: {'content-type': 'application/json'}});
    case 'huge':
      return new Response(hugeBody(), {headers: {'content-type': 'application/json'}});
    case 'redirect':
      // 307 keeps method, body and headers: a client that follows gives all of them away.
      return new Response(null, {status: 307, headers: {location: REDIRECT_PATH}});
    case 'status':
      return refuse(fault.status);
  }
}

/** Valid JSON of 32 MiB whose length is not announced. */
function hugeBody(): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  const chunk = encoder.encode('x'.repeat(HUGE_CHUNK_BYTES));
  let chunksLeft = HUGE_CHUNKS;
  return new ReadableStream<Uint8Array>({
    start(controller) {
      controller.enqueue(encoder.encode('{"status":"000","message":"Success","padding":"'));
    },
    pull(controller) {
      if (chunksLeft > 0) {
        chunksLeft -= 1;
        controller.enqueue(chunk);
      } else {
        controller.enqueue(encoder.encode('"}'));
        controller.close();
      }
    },
  });
}
