const TIMEOUT_MS = 15_000;
/** The largest response that the App requests is a comparison of 300 files. */
const MAX_BYTES = 32 * 1024 * 1024;

/** `fetch` with a limit of time and size, which also stops with `stop`. */
export function createBoundedFetch(stop?: AbortSignal): typeof fetch {
  return (input, init) => fetchBounded(input, init, stop);
}

async function fetchBounded(
  input: Parameters<typeof fetch>[0],
  init: RequestInit | undefined,
  stop: AbortSignal | undefined,
): Promise<Response> {
  const signals = [AbortSignal.timeout(TIMEOUT_MS), stop, init?.signal];
  const response = await fetch(input, {
    ...init,
    signal: AbortSignal.any(signals.filter((signal) => signal != null)),
  });
  if (response.body === null) return response;
  let bytes = 0;
  const counter = new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      bytes += chunk.byteLength;
      if (bytes > MAX_BYTES) controller.error(new Error('GitHub’s response is larger than 32 MB.'));
      else controller.enqueue(chunk);
    },
  });
  const { status, statusText, headers } = response;
  return new Response(response.body.pipeThrough(counter), { status, statusText, headers });
}
