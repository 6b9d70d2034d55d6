import type { ApiRequest } from '../../../src/sandbox/index.ts';
import { requestProblems } from './request-problems.ts';

export interface RequestWatch {
  /** To be given to the forge. */
  readonly onRequest: (request: ApiRequest) => void;
  /** What was wrong with the App's requests, each said once. */
  readonly problems: ReadonlySet<string>;
}

/** Holds every request that an App makes against GitHub's own description; those of people in a test are theirs. */
export function watchRequests(): RequestWatch {
  const problems = new Set<string>();
  return {
    onRequest(request) {
      if (request.credential === 'other') return;
      for (const problem of requestProblems(request)) problems.add(problem);
    },
    problems,
  };
}
