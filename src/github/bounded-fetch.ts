import { currentSignal } from './delivery-run.ts';

const TIMEOUT_MS = 15_000;
/** GitHub's largest answer that the App asks for is a comparison of 300 files. */
const MAX_BYTES = 32 * 1024 * 1024;

/** `fetch` with a limit of time and size; it also ends when the job that asked for it ends. */
export const boundedFetch: typeof fetch = async (input, init) => {
  const signals = [AbortSignal.timeout(TIMEOUT_MS), currentSignal(), init?.signal];
  const response = await fetch(input, {
    ...init,
    signal: AbortSignal.any(signals.filter((one) => one != null)),
  });
  if (response.body === null) return response;
  let bytes = 0;
  const counter = new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      bytes += chunk.byteLength;
      if (bytes > MAX_BYTES) controller.error(new Error('GitHub’s answer is larger than 32 MB.'));
      else controller.enqueue(chunk);
    },
  });
  const { status, statusText, headers } = response;
  return new Response(response.body.pipeThrough(counter), { status, statusText, headers });
};
