import type { RepositoryFiles } from '../../format-port/index.ts';
import type { RepoPath } from '../../model/index.ts';
import { openScript, type ReadCall } from '../script-config/evaluate-script.ts';
import { importsFrom } from '../script-config/script-files.ts';
import { isScriptObject, settingAt, textAt, UNKNOWN } from '../script-config/script-value.ts';

/** The settings of Astro's content collections for Starlight's pages. */
export interface ContentConfig {
  /** The folder of the pages, as written, relative to the project's; null for Starlight's default. */
  readonly base: string | null;
  /** Describes, for messages, what names the pages in an unknown way; null when nothing does. */
  readonly unknownNaming: string | null;
  /** The pattern, as written, by which the files of the pages are found when no `.md` fits it. */
  readonly mdxPattern?: string;
}

const NAMES = ['content.config', 'content/config'].flatMap((name) =>
  ['ts', 'mts', 'js', 'mjs'].map((extension) => `${name}.${extension}`),
);

/** Represents a loader by the function that creates it and its options. */
const readLoader: ReadCall = ({ name }, [options]) => {
  if (/^define[A-Z]/.test(name)) return options;
  return { entries: new Map([['loader', name] as const, ['options', options] as const]), isOpen: false };
};

/**
 * Reads the collection `docs` of `src/content.config.*`: its loader may read pages from another folder
 * (`glob({ base: './docs' })`) and name them by a function (`generateId`). See Astro's content collections and
 * Starlight's manual setup.
 */
export function readContentConfig(sourceFolder: RepoPath, repository: RepositoryFiles): ContentConfig {
  const file = NAMES.map((name) => `${sourceFolder === '' ? '' : `${sourceFolder}/`}${name}`).find(
    (path) => repository.index.entry(path) !== undefined,
  );
  const text = file === undefined ? null : repository.text(file);
  if (file === undefined || text === null) return { base: null, unknownNaming: null };
  const module = openScript(text, file, { readImport: importsFrom(repository), readCall: readLoader });
  const docs = settingAt(module?.exported('collections') ?? UNKNOWN, 'docs');
  if (docs === UNKNOWN) return { base: null, unknownNaming: `the collection “docs” of ${file}` };
  const loader = settingAt(docs, 'loader');
  // A collection without a loader is that of an older release, in Starlight's default folder.
  if (loader === undefined) return { base: null, unknownNaming: null };
  const name = textAt(loader, 'loader') ?? null;
  const options = settingAt(loader, 'options');
  if (settingAt(options, 'generateId') !== undefined)
    return { base: null, unknownNaming: `“generateId” of ${file}` };
  if (name === 'docsLoader') return { base: null, unknownNaming: null };
  const base = textAt(options, 'base');
  if (name === 'glob' && typeof base === 'string') {
    const pattern = textAt(options, 'pattern');
    const takesMdxOnly = typeof pattern === 'string' && /\*\.mdx$/.test(pattern);
    return { base, unknownNaming: null, ...(takesMdxOnly && { mdxPattern: `“${pattern}” of ${file}` }) };
  }
  const what = name === null || !isScriptObject(loader) ? 'a loader' : `the loader “${name}”`;
  return { base: null, unknownNaming: `${what} of ${file}` };
}
