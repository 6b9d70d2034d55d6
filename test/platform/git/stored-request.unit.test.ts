import { describe, expect, it } from 'vitest';
import { readImport, readTimestamp } from '../../../src/platform/git/stored-request.ts';

const now = new Date('2025-01-01T00:00:00.000Z');

describe('a timestamp', () => {
  const cases = [
    ['2024-05-01T12:00:00Z', '2024-05-01T12:00:00.000Z'],
    ['2024-05-01T12:00Z', '2024-05-01T12:00:00.000Z'],
    ['2024-05-01T12:00:00.5Z', '2024-05-01T12:00:00.500Z'],
    ['2024-05-01T12:00:00,25Z', '2024-05-01T12:00:00.250Z'],
    ['2024-05-01T12:00:00+02:00', '2024-05-01T10:00:00.000Z'],
    ['2024-05-01T12:00:00+0230', '2024-05-01T09:30:00.000Z'],
    ['2024-05-01T12:00:00-05', '2024-05-01T17:00:00.000Z'],
    ['2031-01-01T00:00:00Z', now.toISOString()],
  ] as const;

  it.each(cases)('%s is %s', (text, expected) => {
    expect(readTimestamp(text, now).toISOString()).toBe(expected);
  });

  it('defaults to now', () => {
    expect(readTimestamp(undefined, now)).toBe(now);
  });
});

describe('the stored request of an import', () => {
  it('has no credentials and a plain folder', () => {
    const { request, credentials } = readImport({
      url: 'https://user:pa%2Fss@forge.example/o/r.git/',
      ref: 'refs/heads/main',
      repoProjectDirectory: './docs//guide/',
      gitInfo: { provider: 'github', url: 'https://user:pa%2Fss@forge.example/o/r' },
    });
    expect(request).toMatchObject({
      url: 'https://forge.example/o/r.git',
      directory: 'docs/guide',
      force: false,
    });
    expect(JSON.stringify(request)).not.toContain('pa%2Fss');
    expect(credentials).toEqual({ username: 'user', password: 'pa/ss' });
  });
});
