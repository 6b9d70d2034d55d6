import { expect, it } from 'vitest';
import { type AnyOperation, ErrorBody, isBytes, isNothing, operations } from '../../src/contract/index.ts';
import { serializerOf } from '../../src/platform/api/serializer-of.ts';

it('every answer of the contract can be serialized', () => {
  const answers = (Object.values(operations) as AnyOperation[]).map(({ answer }) => answer);
  for (const answer of answers.filter((one) => !isNothing(one) && !isBytes(one))) {
    expect(serializerOf(answer)).toBe(serializerOf(answer));
  }
});

it('serializes only what the schema names', () => {
  const error = { code: 404, reason: 'not-found', message: 'There is no such space.', stack: 'at …' };
  expect(JSON.parse(serializerOf(ErrorBody)({ error, secret: 'x' }))).toEqual({
    error: { code: 404, reason: 'not-found', message: 'There is no such space.' },
  });
});
