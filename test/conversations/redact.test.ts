import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { passesLuhn, redactText, redactUrl } from '../../src/conversations/redact.ts';
import { hostileTexts } from '../support/hostile-texts.ts';
import { propertyRuns } from '../support/property-runs.ts';

// Tokens are put together here, so that no scanner takes them for real ones.
const t = (...parts: string[]) => parts.join('');

describe('removes', () => {
  test.each([
    ['write to ada.lovelace+docs@mail.example.co.uk please', 'write to [email] please'],
    ['<a href="mailto:ada@example.com">ada&#64;example.com</a>', '<a href="mailto:[email]">[email]</a>'],
    ['https://x.example/u?m=ada%40example.com', 'https://x.example/u?m=[email]'],
    ['jörg@müller.example, and ada@ex\u200bample.com', '[email], and [email]'],
    [`use ${t('gh', 'p_', 'a1B2'.repeat(9))}.`, 'use [token].'],
    [`export KEY=${t('AK', 'IA', 'ABCDEFGHIJKLMNOP')}`, 'export KEY=[token]'],
    [`${t('ey', 'JhbGciOiJI')}.eyJzdWIiOiIxMjM0.SflKxwRJSMeKKF2QT4`, '[token]'],
    ['Authorization: Bearer abc.DEF_123456789', 'Authorization: Bearer [token]'],
    ['password: hunter2!', 'password: [token]'],
    ['{"client_secret": "s3cr3tvalue"}', '{"client_secret": "[token]"}'],
    ['my password is Tr0ub4dor', 'my password is [token]'],
    ['postgres://ada:pw123@db.example/x', 'postgres://[token]@db.example/x'],
    ['-----BEGIN RSA PRIVATE KEY-----\nMIIE\n-----END RSA PRIVATE KEY-----', '[token]'],
    [`id ${'aB3'.repeat(14)}`, 'id [token]'],
    ['card 4111 1111 1111 1111, valid 12/27', 'card [card], valid 12/27'],
    ['4111111111111111 12/27', '[card] 12/27'],
    ['5500-0000-0000-0004 and 378282246310005', '[card] and [card]'],
    ['call +49 (0)30 1234-5678 now', 'call [phone] now'],
    ['(555) 123-4567 or 555-123-4567', '[phone] or [phone]'],
    ['my phone number is 5551234567', 'my phone number is [phone]'],
    ['Tel. 030 1234567', 'Tel. [phone]'],
  ])('%s', (text, expected) => {
    expect(redactText(text)).toBe(expected);
  });
});

describe('leaves', () => {
  test.each([
    'git clone git@github.com:acme/docs.git',
    'npm i @acme/docs@1.2.3 and logo@2x.png',
    'at 2026-11-24 10:15:00 from 192.168.100.200:8080',
    'commit 4f2a9d1b7c3e5f60718293a4b5c6d7e8f9012345',
    'order 1234567890123 and version 10.20.30.40',
    'The token is invalid. What is the password policy?',
    'set API_KEY=$API_KEY or token: <your token>',
    'port 5432, error 0x80070005, 1,000,000 rows',
    'see https://docs.example.com/a/b-c_d?page=2#install',
  ])('%s', (text) => {
    expect(redactText(text)).toBe(text);
  });
});

test('redacts nothing more of what it redacted, and no known secret stays', () => {
  const secret = fc.constantFrom(
    'ada@example.com',
    '4111 1111 1111 1111',
    '+49 30 12345678',
    t('gh', 'p_', 'a1B2'.repeat(9)),
    'password=hunter22',
  );
  const word = fc.oneof(
    secret,
    fc.string({ unit: 'grapheme', maxLength: 12 }),
    fc.constantFrom(' ', '\n', '. ', '"'),
  );
  fc.assert(
    fc.property(fc.array(word, { maxLength: 12 }), (words) => {
      const once = redactText(words.join(' '));
      expect(redactText(once)).toBe(once);
      expect(once).not.toMatch(/ada@example\.com|4111 1111|hunter22|a1B2a1B2/);
    }),
    propertyRuns(200),
  );
});

test('a secret behind a long text that almost matches is removed, too', () => {
  for (const text of hostileTexts(2_000)) {
    const redacted = redactText(`${text}\n\nmail ada@example.com`);
    expect(redacted).not.toContain('ada@example.com');
    expect(redacted).toMatch(/\[(?:email|token)\]$/);
  }
});

test('checks the digit of card numbers', () => {
  expect(passesLuhn('4111111111111111')).toBe(true);
  expect(passesLuhn('4111111111111112')).toBe(false);
});

test.each([
  ['https://ada:pw@x.example/t/1?key=a', 'https://x.example/t/1?key=a'],
  ['https://x.example/u/ada@example.com/1', 'https://x.example/u/redacted/1'],
  ['https://x.example/?m=ada%40example.com&n=2', 'https://x.example/?m=redacted&n=2'],
  ['javascript:alert(1)', null],
])('the address %s becomes %s', (url, expected) => {
  expect(redactUrl(url)).toBe(expected);
});
