import { invalid } from '../api/api-error.ts';

/** It becomes the subject of a commit, or a line of its message. */
export function checkSubject(subject: string | undefined): string | undefined {
  if (subject !== undefined && /[\p{Cc}\p{Zl}\p{Zp}]/u.test(subject))
    throw invalid('/body/subject', 'must be one line, without control characters');
  return subject;
}
