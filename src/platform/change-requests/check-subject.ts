import { isInvisible } from '../../identity/index.ts';
import { invalid } from '../api/api-error.ts';

/** It becomes the subject of a commit, or a line of its message. */
export function checkSubject(subject: string | undefined): string | undefined {
  if (subject !== undefined && /[\p{Cc}\p{Zl}\p{Zp}]/u.test(subject))
    throw invalid('/body/subject', 'must be one line, without control characters');
  if (subject !== undefined && subject.trim() !== '' && isInvisible(subject))
    throw invalid('/body/subject', 'must have a character that can be seen, or be empty');
  return subject;
}
