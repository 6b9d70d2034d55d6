import { createHmac } from 'node:crypto';
import { Readable } from 'node:stream';
import { expect, test } from 'vitest';
import { BodyReceiver } from '../../../src/github/webhooks/receive-body.ts';

const CHUNK = Buffer.alloc(64 * 1024, 'a');
const CHUNKS = 32;
const BODIES = 20;

test('between parts of many large bodies everything else gets its turn, and each body arrives whole', async () => {
  const signature = createHmac('sha256', 'secret')
    .update(Buffer.alloc(CHUNKS * CHUNK.length, 'a'))
    .digest();
  let inTurn = 0;
  const turns: number[] = [];
  const endTurn = () => {
    turns.push(inTurn);
    inTurn = 0;
    turn = setImmediate(endTurn);
  };
  let turn = setImmediate(endTurn);
  const receiver = new BodyReceiver();
  const received = await Promise.all(
    Array.from({ length: BODIES }, () => {
      const stream = Readable.from(Array(CHUNKS).fill(CHUNK), { objectMode: false });
      stream.on('data', ({ length }: Buffer) => {
        inTurn += length;
      });
      return receiver.receive(stream, { signature, secrets: ['secret'], length: 0 }, () => {});
    }),
  );
  clearImmediate(turn);
  expect(received.map(({ chunks, isSigned }) => [chunks.length, isSigned])).toEqual(
    Array(BODIES).fill([CHUNKS, true]),
  );
  // Of a stream that pauses, one chunk may be under way.
  expect(Math.max(...turns, inTurn)).toBeLessThanOrEqual(2 * BODIES * CHUNK.length);
});
