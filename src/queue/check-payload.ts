import type { Static, TSchema } from 'typebox';
import { Compile, type Validator } from 'typebox/compile';
import type { JobDefinition } from './job.ts';

const validators = new WeakMap<TSchema, Validator>();

/**
 * Checks that a payload has the shape that its job declares.
 *
 * @throws TypeError with the job's name and the field, but not the value, which may be private.
 */
export function checkPayload<P extends TSchema>(job: JobDefinition<P>, payload: unknown): Static<P> {
  let validator = validators.get(job.payload);
  if (!validator) {
    validator = Compile(job.payload) as unknown as Validator;
    validators.set(job.payload, validator);
  }
  if (validator.Check(payload)) return payload as Static<P>;
  const [first] = validator.Errors(payload);
  const where = first?.instancePath ? `its field ${first.instancePath} ` : 'it ';
  throw new TypeError(
    `The payload of a ${job.name} job is wrong: ${where}${first?.message ?? 'has the wrong shape'}.`,
  );
}
