import type { RepositoryFiles } from '../../format-port/index.ts';
import type { RepoPath } from '../../model/index.ts';
import { openScript, type ReadCall } from '../script-config/evaluate-script.ts';
import { importsFrom } from '../script-config/script-files.ts';
import { isScriptObject, settingAt, textAt, UNKNOWN } from '../script-config/script-value.ts';

/** What the configuration of Astro's content collections says of Starlight's pages. */
export interface ContentConfig {
  /** The folder of the pages below the project's, as written; null for Starlight's own. */
  readonly base: string | null;
  /** What names the pages in a way that only running it tells, in words; null when nothing does. */
  readonly names: string | null;
}

const NAMES = ['content.config', 'content/config'].flatMap((name) =>
  ['ts', 'mts', 'js', 'mjs'].map((ending) => `${name}.${ending}`),
);

/** A loader is known by the function that makes it, and by what that is given. */
const readLoader: ReadCall = ({ name }, [options]) => {
  if (/^define[A-Z]/.test(name)) return options;
  return { entries: new Map([['loader', name] as const, ['options', options] as const]), isOpen: false };
};

/**
 * Reads the collection `docs` of `src/content.config.*`: its loader may take pages from another folder
 * (`glob({ base: './docs' })`) and name them by a function (`generateId`). See Astro's content collections and
 * Starlight's manual setup.
 */
export function readContentConfig(sourceFolder: RepoPath, repository: RepositoryFiles): ContentConfig {
  const file = NAMES.map((name) => `${sourceFolder === '' ? '' : `${sourceFolder}/`}${name}`).find(
    (path) => repository.index.entry(path) !== undefined,
  );
  const text = file === undefined ? null : repository.text(file);
  if (file === undefined || text === null) return { base: null, names: null };
  const module = openScript(text, file, { readImport: importsFrom(repository), readCall: readLoader });
  const docs = settingAt(module?.exported('collections') ?? UNKNOWN, 'docs');
  if (docs === UNKNOWN) return { base: null, names: `the collection “docs” of ${file}` };
  const loader = settingAt(docs, 'loader');
  // Collections without a loader are those of older releases, in Starlight's own folder.
  if (loader === undefined) return { base: null, names: null };
  const name = textAt(loader, 'loader') ?? null;
  const options = settingAt(loader, 'options');
  if (settingAt(options, 'generateId') !== undefined) return { base: null, names: `“generateId” of ${file}` };
  if (name === 'docsLoader') return { base: null, names: null };
  const base = textAt(options, 'base');
  if (name === 'glob' && typeof base === 'string') return { base, names: null };
  const what = name === null || !isScriptObject(loader) ? 'a loader' : `the loader “${name}”`;
  return { base: null, names: `${what} of ${file}` };
}
