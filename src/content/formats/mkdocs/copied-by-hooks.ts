import {
  generatedVerdict,
  type LinkRules,
  type LinkVerdict,
  type RepositoryFiles,
} from '../../format-port/index.ts';
import type { Reference, RepoPath } from '../../model/index.ts';
import { decodePercent } from '../../text/index.ts';
import { folderOf, isHostFile, isInside, pathInside, type TreeIndex } from '../../tree/index.ts';
import { asList, asText } from '../untyped-values.ts';

/** A hook (https://www.mkdocs.org/user-guide/configuration/#hooks) that copies folders between the pages. */
export interface CopyingHook {
  readonly path: RepoPath;
  /** What its code names in quotes; folders of the repository among these are copied. */
  readonly names: ReadonlySet<string>;
}

const MAX_TEXT = 200_000;

export function copyingHooks(
  hooks: unknown,
  inFolder: (path: string) => RepoPath | null,
  repository: Pick<RepositoryFiles, 'text'>,
): readonly CopyingHook[] {
  return asList(hooks).flatMap((hook) => {
    const path = inFolder(asText(hook) ?? '');
    const text = path === null ? null : repository.text(path);
    if (path === null || text === null || text.length > MAX_TEXT || !/\bcopytree\s*\(/.test(text)) return [];
    const quoted = text.matchAll(/(["'])([\w.-]{1,100}(?:\/[\w.-]{1,100}){0,5})\1/g);
    return [{ path, names: new Set([...quoted].map(([, , name = '']) => name)) }];
  });
}

/** The site whose hooks may copy files between its pages. */
interface SiteWithHooks {
  readonly file: RepoPath;
  readonly docsFolder: RepoPath | null;
  readonly copyingHooks: readonly CopyingHook[];
}

/** The hook that copies a file between the pages; null when none does. */
export function hookThatCopies(file: RepoPath, site: SiteWithHooks): RepoPath | null {
  const { docsFolder, copyingHooks: hooks } = site;
  const root = folderOf(site.file);
  if (hooks.length === 0 || docsFolder === null || isHostFile(file)) return null;
  if (!isInside(file, root) || isInside(file, docsFolder)) return null;
  const folders = pathInside(file, root).split('/').slice(0, -1);
  for (let count = Math.min(folders.length, 6); count > 0; count--) {
    const folder = folders.slice(0, count).join('/');
    const hook = hooks.find(({ names }) => names.has(folder));
    if (hook !== undefined) return hook.path;
  }
  return null;
}

/** The rules of a file that a hook copies between the pages: what it names with a folder may be copied there, too. */
export function copiedRules(rules: LinkRules, hook: RepoPath, index: TreeIndex): LinkRules {
  return {
    ...rules,
    explainMissing(resolution, file, reference): LinkVerdict | null {
      const own = rules.explainMissing?.(resolution, file, reference) ?? null;
      if (own !== null || !mayBeCopied(reference, index)) return own;
      return generatedVerdict(
        `${hook} copies ${file} between the pages, and may copy what it names there, too.`,
      );
    },
  };
}

/** Files of one name beyond this number are not compared. */
const MAX_NAMESAKES = 50;

function mayBeCopied({ target }: Reference, index: TreeIndex): boolean {
  const path = decodePercent(target.replace(/[?#][\s\S]*$/, '')).replace(/^(?:\.{1,2}\/)+/, '');
  const slash = path.lastIndexOf('/');
  if (slash <= 0) return false;
  const namesakes = index.named(path.slice(slash + 1));
  return namesakes.length > MAX_NAMESAKES || namesakes.some((candidate) => candidate.endsWith(`/${path}`));
}
