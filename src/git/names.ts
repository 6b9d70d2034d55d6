import { GitError } from './repository.ts';

/** What `git check-ref-format` refuses, as one expression; see git-check-ref-format(1). */
// biome-ignore lint/suspicious/noControlCharactersInRegex: the expression searches for control characters
const forbiddenInRef = /[\x00-\x20\x7f~^:?*[\\]|\.\.|@\{|\/\/|\/\.|\.lock(\/|$)|\.$|\/$/;

/**
 * Refuses names that git, or a refspec, would read as something else.
 *
 * @throws GitError `ref-not-found`
 */
export function checkRefName(ref: string): void {
  if (ref === 'HEAD') return;
  if (!ref.startsWith('refs/') || ref.length > 1024 || forbiddenInRef.test(ref)) {
    throw new GitError(
      'ref-not-found',
      `${JSON.stringify(ref.slice(0, 100))} is not a full ref name; write a branch as refs/heads/name.`,
    );
  }
}

/**
 * @throws GitError `commit-not-found`
 */
export function checkOid(oid: string): void {
  if (!/^([0-9a-f]{40}|[0-9a-f]{64})$/.test(oid)) {
    throw new GitError(
      'commit-not-found',
      `${JSON.stringify(oid.slice(0, 100))} is not an object id; write all 40 hex digits of the commit in lower case.`,
    );
  }
}
