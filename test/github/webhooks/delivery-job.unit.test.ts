import { expect, test } from 'vitest';
import {
  deliveryJob,
  type Recheck,
  recheckPayload,
  workOf,
} from '../../../src/github/webhooks/delivery-job.ts';

const repository = { installationId: 3, fullName: 'acme/docs' };
const request = { headOid: 'a'.repeat(40), checkRunId: 9, by: { login: 'ada', id: 5 } };

/** Payloads as 0.1.0 wrote them, and what they mean. */
const cases: readonly (readonly [string, object, Omit<Recheck, 'repositoryId'>])[] = [
  ['refs/heads/main', {}, { kind: 'branch', ...repository, branch: 'main' } as Recheck],
  ['refs/heads/pull/7', {}, { kind: 'branch', ...repository, branch: 'pull/7' } as Recheck],
  ['pull/7', {}, { kind: 'pull-request', ...repository, number: 7 } as Recheck],
  [
    'pull/7',
    { rerun: 'guid' },
    {
      kind: 'pull-request',
      ...repository,
      number: 7,
      rerun: { delivery: 'guid', checkRunId: null },
    } as Recheck,
  ],
  [
    'pull/7',
    { rerun: 'guid', rerunOf: 9 },
    { kind: 'pull-request', ...repository, number: 7, rerun: { delivery: 'guid', checkRunId: 9 } } as Recheck,
  ],
  ['pull/7', { fix: request }, { kind: 'fix', ...repository, number: 7, request } as Recheck],
  ['pulls', {}, { kind: 'pull-requests', ...repository } as Recheck],
  ['onboarding', {}, { kind: 'onboarding', ...repository } as Recheck],
];

test.each(cases)('a job of 0.1.0 about %s %j is understood', (subject, look, work) => {
  expect(workOf({ repositoryId: 1, subject, look: { ...repository, ...look } })).toEqual(work);
});

test.each(cases)('0.1.0 understands a job about %s %j, in the same order', (subject, look, work) => {
  const payload = recheckPayload({ ...work, repositoryId: 1 } as Recheck);
  expect(payload).toEqual({ repositoryId: 1, subject, work, look: { ...repository, ...look } });
  expect(deliveryJob.key?.(payload)).toBe(`1/${subject}`);
});

test('the job of a delivery of 0.1.0 is read', () => {
  const payload = { repositoryId: null, subject: 'installation/3', deliveryId: 'guid' };
  expect(workOf(payload)).toEqual({ kind: 'delivery', deliveryId: 'guid' });
});

test('a payload without work is ignored', () => {
  expect(workOf({ repositoryId: 1, subject: 'pull/7' })).toBeNull();
  expect(workOf({ repositoryId: 1, subject: 'pull/none', look: repository })).toBeNull();
});
