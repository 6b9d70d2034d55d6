import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** What takes longest from its first to its last test, longest first. A name that is gone does no harm. */
const LONGEST = [
  'test/github/pull-request/pull-request.test.ts',
  'test/sync/exports.test.ts',
  'test/github/push/push.test.ts',
  'test/browser/pages.test.ts',
  'test/github/onboarding.test.ts',
  'test/e2e/',
  'test/git/repository.test.ts',
  'test/store/embedded.test.ts',
  'test/sandbox/pulls.test.ts',
  'test/cli/check/facts-cache.test.ts',
  'test/github/',
  'test/server/setup/',
  'test/browser/',
  'test/platform/',
  'test/cli/',
];

/** Starts the longest files first also on a machine that has not run them before, so that no worker is left with one at the end. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId }: TestSpecification) => {
      const found = LONGEST.findIndex((path) => moduleId.includes(`/${path}`));
      return found < 0 ? LONGEST.length : found;
    };
    return (await super.sort(files)).toSorted((a, b) => rank(a) - rank(b));
  }
}
