/** Ignoring broken links that are known and do not count, each with a reason. */

export type { IgnoreRule } from './ignore-rule.ts';
export {
  createIgnores,
  type IgnoreOptions,
  type IgnoreProblem,
  type Ignores,
  loadCommentReader,
} from './ignores.ts';
export { mayContainComments } from './may-contain-comments.ts';
export type { IgnoreComments } from './read-ignore-comments.ts';
