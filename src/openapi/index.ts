/** API descriptions: read with the position of every mistake, bundled into one document, compared, described. Loaded only where needed. */

export type { Api, ApiBody, ApiContent, ApiOperation, ApiParameter, ApiResponse } from './api-model.ts';
export { bundleSpec, FILES_FIELD, type SpecDocument } from './bundle-spec.ts';
export { MAX_CHANGES } from './compare/change-list.ts';
export { compareSpecs, type SpecComparison } from './compare/compare-specs.ts';
export { explainBreakingChange } from './compare/explain-breaking-change.ts';
export type { ChangeKind, SpecChange } from './compare/spec-change.ts';
export { DESCRIPTION_VERSION, describeOperation, describeWebhook } from './describe-operation.ts';
export { MAX_SPEC_BYTES, MAX_SPEC_FILES, MAX_SPEC_THREADS, SPEC_THREAD_LIMITS } from './limits.ts';
export { locateByAddress, locateByPath } from './locate-file.ts';
export { type FilePosition, locateInSpec } from './locate-in-spec.ts';
export { type ReadApi, readApi } from './read-api.ts';
export {
  type FileContent,
  type ReadFile,
  type ReadOptions,
  type ReadSpec,
  readSpec,
  type SpecReading,
} from './read-spec.ts';
export { formatSpecProblem, type SpecProblem, type SpecProblemCode } from './spec-problem.ts';
export { writeCanonical } from './write-canonical.ts';
