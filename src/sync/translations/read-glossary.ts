import type { TranslationConfig } from '../../config/index.ts';
import type { Glossary } from '../../content/glossary/index.ts';
import {
  CONFIG_PATH,
  type FileReport,
  postFileCheck,
  readRepository,
  readTextFile,
  splitName,
} from '../../github/index.ts';
import type { Binding } from '../../store/index.ts';
import { contentThreads } from '../../threads/index.ts';
import type { SyncDeps } from '../deps.ts';

/** The content of a glossary file, or its first problem with the position. */
export type ReadGlossary = { readonly glossary: Glossary } | { readonly problem: string };

const CHECK_NAME = 'Docloom glossary';

/**
 * Reads the glossary that an entry names at a commit. A check run of the commit reports each mistake on its line, or, where
 * `wasInvalid` is set, that the glossary is valid again.
 */
export async function readGlossary(
  { access }: Pick<SyncDeps, 'access'>,
  { installationId, repository: fullName }: Pick<Binding, 'installationId' | 'repository'>,
  entry: Pick<TranslationConfig, 'line'> & { readonly glossary: string },
  {
    commitOid,
    wasInvalid,
    signal,
  }: { readonly commitOid: string; readonly wasInvalid: boolean; readonly signal: AbortSignal },
): Promise<ReadGlossary> {
  const { glossary: path, line } = entry;
  const octokit = await access.on(installationId, { signal });
  const read = await readTextFile(octokit, splitName(fullName), path, commitOid);
  const report = async (verdict: Pick<FileReport, 'path' | 'problems'>) => {
    const repository = await readRepository(octokit, splitName(fullName));
    if (repository === null || repository.archived) return;
    await postFileCheck(octokit, repository, commitOid, {
      name: `${CHECK_NAME}: ${path}`,
      annotationTitle: 'Glossary',
      untilFixed: 'Until it is fixed the translations that name it are not run; what is live stays live.',
      passed: { title: 'The glossary is in use', summary: `\`${path}\` has no mistake.` },
      ...verdict,
    });
  };
  if (read === null || 'problem' in read) {
    const problem = read?.problem ?? 'absent';
    const messages = {
      absent: `There is no file \`${path}\`. Name an existing file.`,
      'no-file': `\`${path}\` is not a file. Name the glossary.`,
      'too-large': `\`${path}\` is larger than 1 MB. Shorten the glossary.`,
      'no-text': `\`${path}\` is not UTF-8 text. Save it as UTF-8.`,
    };
    await report({ path: CONFIG_PATH, problems: [{ message: messages[problem], line }] });
    return { problem: `${CONFIG_PATH}:${line}: ${messages[problem]}` };
  }
  const parsed = await contentThreads.parseGlossary(read.text, path);
  if ('glossary' in parsed) {
    if (wasInvalid) await report({ path, problems: [] });
    return parsed;
  }
  await report({ path, problems: parsed.problems });
  const [first] = parsed.problems;
  const more = parsed.problems.length > 1 ? ` (and ${parsed.problems.length - 1} more)` : '';
  return { problem: `${path}:${first?.line}:${first?.column}: ${first?.message}${more}` };
}
