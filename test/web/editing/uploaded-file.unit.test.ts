import { expect, test } from 'vitest';
import { checkUpload, MAX_UPLOAD_BYTES, numbered } from '../../../src/web/editing/uploaded-file.ts';

const now = new Date('2026-11-24T06:02:00Z');
const png = Buffer.from('\x89PNG\r\n\x1a\nrest', 'latin1');
const svg = (inner: string) =>
  Buffer.from(`<?xml version="1.0"?>\n<!-- made -->\n<svg viewBox="0 0 1 1">${inner}</svg>`);

test.each([
  ['Screen Shot 2.PNG', png, 'screen-shot-2.png'],
  ['image.png', png, 'pasted-2026-11-24-06-02.png'],
  ['', png, 'pasted-2026-11-24-06-02.png'],
  ['../../etc/passwd', png, 'passwd.png'],
  ['Über uns.jpeg', Buffer.from('\xff\xd8\xff\xe0', 'latin1'), 'uber-uns.jpeg'],
  ['photo.exe', Buffer.from('\xff\xd8\xff\xe0', 'latin1'), 'photo.jpg'],
  ['図.webp', Buffer.from('RIFF....WEBPVP8 ', 'latin1'), '図.webp'],
  ['plan', svg('<path d="M0 0"/>'), 'plan.svg'],
  ['manual.pdf', Buffer.from('%PDF-1.7'), 'manual.pdf'],
])('%s is stored as %s', (name, bytes, expected) => {
  expect(checkUpload({ name, bytes }, now)).toMatchObject({ name: expected });
});

test.each([
  ['a page of HTML with the name of a picture', 'a.png', Buffer.from('<html><script>alert(1)</script>')],
  ['an SVG with a script', 'a.svg', svg('<script>alert(1)</script>')],
  ['an SVG with a handler', 'a.svg', svg('<path onclick="alert(1)"/>')],
  ['an SVG that loads something', 'a.svg', svg('<image href="https://evil.example/x.png"/>')],
  ['a program', 'a.png', Buffer.from('MZ\x90', 'latin1')],
  ['nothing', 'a.png', Buffer.alloc(0)],
  ['a file that is too large', 'a.png', Buffer.concat([png, Buffer.alloc(MAX_UPLOAD_BYTES)])],
])('%s is refused', (_name, name, bytes) => {
  expect(checkUpload({ name, bytes }, now)).toHaveProperty('problem');
});

test('a name that is taken gets a number', () => {
  expect([1, 2, 3].map((number) => numbered('a.b.png', number))).toEqual([
    'a.b.png',
    'a.b-2.png',
    'a.b-3.png',
  ]);
});
