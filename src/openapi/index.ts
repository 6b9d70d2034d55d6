/** Descriptions of APIs: read with the place of every mistake, joined into one document, compared, told. Loaded only where needed. */

export type { Api, ApiBody, ApiContent, ApiOperation, ApiParameter, ApiResponse } from './api-model.ts';
export { bundleSpec, FILES_FIELD, type SpecDocument } from './bundle-spec.ts';
export { MAX_CHANGES } from './compare/change-list.ts';
export { compareSpecs, type SpecComparison } from './compare/compare-specs.ts';
export type { ChangeKind, SpecChange } from './compare/spec-change.ts';
export { whyItBreaks } from './compare/why-it-breaks.ts';
export { describeOperation } from './describe-operation.ts';
export { MAX_SPEC_BYTES, MAX_SPEC_FILES } from './limits.ts';
export { locateByAddress, locateByPath } from './locate-file.ts';
export { type FilePlace, placesInSpec } from './places-in-spec.ts';
export { type ReadApi, readApi } from './read-api.ts';
export {
  type FileContent,
  type ReadFile,
  type ReadOptions,
  type ReadSpec,
  readSpec,
  type SpecReading,
} from './read-spec.ts';
export { serveThread } from './serve-thread.ts';
export { type SpecProblem, type SpecProblemCode, sayProblem } from './spec-problem.ts';
export { createThreadRunner, ThreadLimitExceeded, type ThreadLimits } from './thread-runner.ts';
export { writeCanonical } from './write-canonical.ts';
