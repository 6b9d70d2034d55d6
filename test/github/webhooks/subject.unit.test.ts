import { expect, test } from 'vitest';
import { type JobSubject, readSubject, writeSubject } from '../../../src/github/webhooks/subject.ts';

const SUBJECTS: readonly (readonly [string, JobSubject])[] = [
  ['refs/heads/feature/one', { kind: 'branch', name: 'feature/one' }],
  ['refs/tags/v1', { kind: 'tag', name: 'v1' }],
  ['pull/7', { kind: 'pull-request', id: '7' }],
  ['pulls', { kind: 'pull-requests' }],
  ['checks/0123abc', { kind: 'checks', oid: '0123abc' }],
  ['installation/3', { kind: 'installation', id: '3' }],
  ['repository', { kind: 'repository' }],
  ['onboarding', { kind: 'onboarding' }],
  ['something/else', { kind: 'unknown', text: 'something/else' }],
];

test.each(SUBJECTS)('the subject %s is written and read', (text, subject) => {
  expect(writeSubject(subject)).toBe(text);
  expect(readSubject(text)).toEqual(subject);
});
