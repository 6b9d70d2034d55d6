/** The edits of the sample docs in the demo: those that break links, and those that fix them. */
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

export type Edit =
  | { readonly kind: 'delete'; readonly path: string }
  | { readonly kind: 'rename'; readonly path: string; readonly to: string }
  | { readonly kind: 'replace'; readonly path: string; readonly find: string; readonly by: string };

export interface Chapter {
  readonly branch: string;
  readonly title: string;
  readonly edits: readonly Edit[];
}

/** One page deleted, another renamed, and a heading renamed that untouched pages link to. */
export const BREAKING: Chapter = {
  branch: 'tidy-up',
  title: 'Tidy up: one page less, clearer names',
  edits: [
    { kind: 'delete', path: 'guide/install/docker.md' },
    { kind: 'rename', path: 'reference/cli.md', to: 'reference/commands.md' },
    {
      kind: 'replace',
      path: 'guide/configuration.md',
      find: '## Environment variables',
      by: '## Settings from the environment',
    },
  ],
};

const anchor = { find: '#environment-variables', by: '#settings-from-the-environment' };
const command = { find: 'reference/cli.md', by: 'reference/commands.md' };
const sibling = { find: '(cli.md)', by: '(commands.md)' };

/** Fixes every link of `BREAKING`, by hand as an author would. */
export const FIX: Chapter = {
  branch: BREAKING.branch,
  title: 'Follow the moved pages and headings',
  edits: [
    {
      kind: 'replace',
      path: 'guide/README.md',
      find: ', or run it [in a container](install/docker.md)',
      by: '',
    },
    { kind: 'replace', path: 'guide/README.md', ...anchor },
    { kind: 'replace', path: 'guide/SUMMARY.md', find: '  * [In a container](install/docker.md)\n', by: '' },
    {
      kind: 'replace',
      path: 'guide/install/README.md',
      find: 'Prefer a container? See [In a container](docker.md).\n\n',
      by: '',
    },
    { kind: 'replace', path: 'guide/first-watch.md', ...command },
    { kind: 'replace', path: 'guide/patterns.md', ...command },
    { kind: 'replace', path: 'guide/patterns.md', ...anchor },
    { kind: 'replace', path: 'guide/alerts.md', ...anchor },
    { kind: 'replace', path: 'guide/configuration.md', ...command },
    { kind: 'replace', path: 'reference/README.md', ...sibling },
    { kind: 'replace', path: 'reference/exit-codes.md', ...sibling },
  ],
};

/** Applies a chapter's edits to a work tree. Throws when a text to replace is absent, so that the story cannot become stale unnoticed. */
export async function writeEdits(
  workTree: string,
  edits: readonly Edit[],
  git: (...args: string[]) => Promise<string>,
): Promise<void> {
  for (const edit of edits) {
    const file = join(workTree, edit.path);
    if (edit.kind === 'delete') await rm(file);
    else if (edit.kind === 'rename') await git('mv', edit.path, edit.to);
    else {
      const text = await readFile(file, 'utf8');
      if (!text.includes(edit.find))
        throw new Error(
          `${edit.path} does not contain "${edit.find}" to replace: the sample docs and the story differ.`,
        );
      await writeFile(file, text.replaceAll(edit.find, edit.by));
    }
  }
}
