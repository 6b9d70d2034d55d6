import { text } from 'node:stream/consumers';
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { parseDocument, streamDocument } from '../../../src/platform/openapi/version-content.ts';

const pack = (value: unknown) => gzipSync(JSON.stringify(value));
const large = { paths: {}, 'x-values': Array.from({ length: 100_000 }, (_, at) => ({ at })) };

test.each([
  ['a file', 'openapi.yaml', { openapi: '3.1.0', paths: {} }],
  ['a file with an odd name', 'a"b\\":{"é\u{1f600}.json', { a: '}}' }],
  ['a file named as what JavaScript objects have', '__proto__', { a: 1 }],
  ['an address with a long query', `https://a.example/?${'q'.repeat(20_000)}`, { a: 1 }],
  ['an empty file', 'a', {}],
  ['a large file', 'a', large],
])('the document of %s is its value', async (_name, entrypoint, document) => {
  const files = Object.fromEntries([[entrypoint, document]]);
  const version = { content: pack({ entrypoint, files }), document: null };
  expect(await text(streamDocument(version))).toBe(JSON.stringify(document));
  expect(parseDocument(version)).toEqual(document);
});

test('the document of several files is the one that they were bundled into', async () => {
  const files = { a: { $ref: 'b' }, b: {} };
  const version = { content: pack({ entrypoint: 'a', files }), document: pack(large) };
  expect(await text(streamDocument(version))).toBe(JSON.stringify(large));
  expect(parseDocument(version)).toEqual(large);
});

test('a large document comes in parts, none of which holds up the thread', async () => {
  const version = { content: pack({ entrypoint: 'a', files: { a: large } }), document: null };
  const sizes: number[] = [];
  for await (const part of streamDocument(version)) sizes.push((part as Buffer).length);
  expect(Math.max(...sizes)).toBeLessThan(100_000);
});

test.each([
  ['is not compressed', Buffer.from('{}')],
  ['is cut off', pack({ entrypoint: 'a', files: { a: large } }).subarray(0, 1_000)],
  ['has no file', pack({ entrypoint: 'a', files: {} })],
])('a content that %s fails', async (_name, content) => {
  await expect(text(streamDocument({ content, document: null }))).rejects.toThrow();
});
