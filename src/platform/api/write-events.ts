import { Readable } from 'node:stream';
import type { Serializer } from './serializer-of.ts';

/**
 * Server-sent events (https://html.spec.whatwg.org/multipage/server-sent-events.html), each with a value as its data, and
 * `done` or `error` at the end, by which the published client knows it. The first value is awaited, so that what fails before
 * it is answered as any other error.
 *
 * @param onError is called with a later failure
 */
export async function writeEvents(
  events: AsyncIterable<unknown>,
  serialize: Serializer,
  onError: (error: unknown) => void,
): Promise<Readable> {
  const iterator = events[Symbol.asyncIterator]();
  const first = await iterator.next();
  async function* texts() {
    try {
      for (let next = first; !next.done; next = await iterator.next()) {
        yield `event: message\ndata: ${toAscii(serialize(next.value))}\n\n`;
      }
      yield 'event: done\ndata: {}\n\n';
    } catch (error) {
      onError(error);
      const message = 'An internal error ended the answer; try again.';
      yield `event: error\ndata: ${JSON.stringify({ error: { code: 500, message } })}\n\n`;
    } finally {
      await iterator.return?.();
    }
  }
  return Readable.from(texts());
}

/** JSON without letters of several bytes: clients decode what arrives piece by piece. */
function toAscii(json: string): string {
  return json.replace(/[^\0-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
}
