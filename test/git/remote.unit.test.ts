import { describe, expect, it } from 'vitest';
import { authorization, redact, splitCredentials } from '../../src/git/remote.ts';

describe('splitCredentials', () => {
  it.each([
    ['https://git.test/a/b.git', { url: 'https://git.test/a/b.git' }],
    [' https://Git.Test:443/a/b/ \n', { url: 'https://git.test/a/b' }],
    ['http://0x7f.1:8080/a', { url: 'http://127.0.0.1:8080/a' }],
    ['https://git.test/a%20b', { url: 'https://git.test/a%20b' }],
    [
      'https://x-access-token:ghs_1%2F2@git.test/a.git',
      { url: 'https://git.test/a.git', credentials: { username: 'x-access-token', password: 'ghs_1/2' } },
    ],
    [
      'https://token@git.test/a',
      { url: 'https://git.test/a', credentials: { username: 'token', password: '' } },
    ],
  ])('%j', (address, remote) => {
    expect(splitCredentials(address)).toEqual(remote);
  });

  it.each([
    ['git@git.test:a/b.git', /form that SSH uses/],
    ['ssh://git@git.test/a', /starts with ssh:/],
    ['file:///srv/git/a', /starts with file:/],
    ['ext::sh -c id', /starts with ext:/],
    ['a/b', /not a web address/],
    ['', /not a web address/],
    ['https://git.test/a?token=s3cret', /after \? or #/],
    ['https://git.test/a#main', /after \? or #/],
    ['https://u:s3cret%zz@git.test/a', /percent-encoded/],
  ])('refuses %j without repeating a secret', (address, message) => {
    const attempt = () => splitCredentials(address);
    expect(attempt).toThrow(
      expect.objectContaining({ name: 'GitError', code: 'invalid-url', retryable: false }),
    );
    expect(attempt).toThrow(message);
    expect(attempt).not.toThrow(/s3cret/);
  });
});

describe('redact', () => {
  const remote = splitCredentials('https://bot:p%40ss%2Fword@git.test/a');
  it.each([
    ['bot: p@ss/word', 'bot: ***'],
    ['https://bot:p%40ss%2Fword@git.test', 'https://bot:***@git.test'],
    [`${authorization(remote)}`, 'Basic ***'],
    ['nothing', 'nothing'],
  ])('%j becomes %j', (text, clean) => {
    expect(redact(text, remote)).toBe(clean);
  });

  it('recognises tokens in place of the user name', () => {
    const token = splitCredentials('https://ghp_0123456789abcdef@git.test/a');
    expect(redact('ghp_0123456789abcdef', token)).toBe('***');
  });

  it('does not change a text without credentials', () => {
    expect(redact('abc', { url: 'https://git.test' })).toBe('abc');
  });
});
