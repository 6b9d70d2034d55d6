import { expect, it } from 'vitest';
import { createPageOrigins } from '../../../src/platform/access/page-origins.ts';

const browser = { address: '203.0.113.7', userAgent: 'Browser/1 “é”', requestId: 'r1' };

it('is believed only for the token that it was written for, and in the process that wrote it', () => {
  const origins = createPageOrigins();
  const header = origins.write(browser, 'token');
  expect(header).toMatch(/^[\x21-\x7e]+$/);
  expect(origins.read(header, 'token')).toEqual(browser);
  expect(origins.read(header, 'another')).toBeNull();
  expect(createPageOrigins().read(header, 'token')).toBeNull();
});

it.each([
  '',
  '.',
  'a.b',
  `${Buffer.from('["1.2.3.4",null,null]').toString('base64url')}.`,
  '=.=',
  ['a', 'b'],
  undefined,
])('refuses %j', (value) => {
  expect(createPageOrigins().read(value, 'token')).toBeNull();
});
