import type { TSchema } from 'typebox';
import { Compile } from 'typebox/compile';
import { CustomizationChange } from '../../contract/index.ts';
import type { ErrorDetail } from '../api/api-error.ts';
import { describeRequestErrors } from '../api/describe-request-errors.ts';

let compiled: ReturnType<typeof Compile> | undefined;

/** What `updateSiteCustomization` would refuse about the form of a choice, in its words; for what is not saved. */
export function findLookProblems(choice: unknown): readonly ErrorDetail[] {
  const schema = CustomizationChange as TSchema;
  compiled ??= Compile(schema);
  return compiled.Check(choice) ? [] : describeRequestErrors('body', schema, compiled.Errors(choice));
}
