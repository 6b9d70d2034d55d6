import { expect, test } from 'vitest';
import { acceptedSecrets } from '../../../src/server/setup/stored-app.ts';

const now = new Date('2026-01-01T12:00:00Z');

test.each([
  ['one is in force', { webhookSecrets: ['a'] }, ['a']],
  ['it is not known which is in force', { webhookSecrets: ['b', 'a'] }, ['b', 'a']],
  [
    'the earlier one still counts',
    { webhookSecrets: ['b', 'a'], earlierUntil: '2026-01-01T12:00:01Z' },
    ['b', 'a'],
  ],
  ['its time is over', { webhookSecrets: ['b', 'a'], earlierUntil: '2026-01-01T12:00:00Z' }, ['b']],
] as const)('when %s', (_, { webhookSecrets, ...until }, accepted) => {
  expect(acceptedSecrets({ webhookSecrets: [...webhookSecrets], ...until }, now)).toEqual(accepted);
});
