import { type GitOutput, type RunGitOptions, runRepositoryGit } from './run-git.ts';

/** Beyond this an answer is asked for again. */
const MAX_ANSWER_BYTES = 64 * 1024;
const MAX_ANSWERS = 1_000;

/** Answers by their question, the oldest first. */
const answers = new Map<string, GitOutput>();

/**
 * Like runGit, for a question about objects: what git said of full oids stays true, so it is asked once. A page or a
 * client that waits for something asks again and again, and starting git takes longer than its answer. Not
 * remembered: failures and exit codes other than 0 (an object may still come), long answers, and shorter names.
 *
 * @param oids All that the answer depends on beside `args` and `options`.
 */
export async function queryGit(
  gitDir: string,
  args: readonly string[],
  oids: readonly string[],
  options: RunGitOptions = {},
): Promise<GitOutput> {
  if (!oids.every((oid) => /^[0-9a-f]{40}$/.test(oid))) return await runRepositoryGit(gitDir, args, options);
  const question = JSON.stringify([gitDir, args, options.input?.toString(), options.env]);
  const known = answers.get(question);
  if (known) return known;
  const answer = await runRepositoryGit(gitDir, args, options);
  if (answer.exitCode === 0 && answer.stdout.length <= MAX_ANSWER_BYTES) {
    answers.set(question, answer);
    for (const oldest of answers.keys()) {
      if (answers.size <= MAX_ANSWERS) break;
      answers.delete(oldest);
    }
  }
  return answer;
}
