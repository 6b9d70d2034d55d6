import type { LinkRules, SpaceInput } from '../../format-port/index.ts';
import { anchorNames } from '../../links/index.ts';
import type { RepoPath } from '../../model/index.ts';
import { folderOf, isInside, isPageFile, resolvePath } from '../../tree/index.ts';

/** A folder for documentation at the top or in a package. */
const DOCS_FOLDER = /^(?:[^/]+\/){0,4}?(?:docs?|documentation)(?=\/)/i;

/** Pages of code, of which such folders have many; only these are read for signs, since a change of one reads it twice. */
const OF_CODE = /(?:^|\/)(?:api|apis|reference|references|api[-_]docs|api[-_]reference)(?:\/|\.md$)/i;

/** Pages beyond this number are not read for signs, and folders beyond that not at all. */
const MAX_PAGES = 40;
const MAX_FOLDERS = 5;

/** One page may show how such signs are written. */
const MIN_PAGES = 2;

/** Blocks of code, in which signs are samples; one without an end goes to that of the page. Linear: no fence is tried shorter. */
const FENCED = /^ {0,3}(?=(`{3,}|~{3,}))\1[^\n]*(?:\n[\s\S]*?^ {0,3}\1|[\s\S]*)/gm;

/** What only Python-Markdown’s extensions read, alone: documentation of a module, an admonition, a reference to code. */
const CERTAIN = [
  /^::: [A-Za-z_]\w*(?:\.\w+)+\s*$/m,
  /^(?:!!!|\?\?\?\+?) [a-z]+(?: "[^"\n]*")?\s*$/m,
  /\]\[[A-Za-z_]\w*(?:\.\w+)+\]/,
];

/**
 * Finds folders whose pages are written for Python-Markdown, so that MkDocs or the like publishes them, from a configuration
 * that is not in the repository or stands beside them.
 */
export function findPythonMarkdownFolders(space: SpaceInput): readonly RepoPath[] {
  return [...new Set([...foldersBesideSettings(space), ...signedFolders(space)])];
}

/** The setting of MkDocs that takes pages from a folder that is not below its configuration. */
const DOCS_ABOVE = /^docs_dir:[ \t]*["']?(\.\.\/[\w./-]{1,200})["']?[ \t]*(?:#.*)?$/m;

/** Configurations beyond this number are not read. */
const MAX_SETTINGS = 20;

/** Folders from which a configuration of MkDocs elsewhere takes its pages: they are in no space of its own. */
function foldersBesideSettings({ index, text }: SpaceInput): readonly RepoPath[] {
  const settings = ['mkdocs.yml', 'mkdocs.yaml'].flatMap((name) => index.named(name)).slice(0, MAX_SETTINGS);
  return settings.flatMap((path) => {
    const [, written] = DOCS_ABOVE.exec(text(path) ?? '') ?? [];
    const folder = written === undefined ? null : resolvePath(path, written.replace(/\/+$/, ''));
    return folder?.inside === true && folder.path !== '' && !isInside(folderOf(path), folder.path)
      ? [folder.path]
      : [];
  });
}

function signedFolders({ entries, text }: SpaceInput): readonly RepoPath[] {
  const folders = new Map<RepoPath, RepoPath[]>();
  for (const { path, mode } of entries) {
    const [folder] = DOCS_FOLDER.exec(path) ?? [];
    if (folder === undefined || mode === 'symlink' || !isPageFile(path) || !OF_CODE.test(path)) continue;
    const pages = folders.get(folder);
    if (pages !== undefined) pages.push(path);
    else if (folders.size < MAX_FOLDERS) folders.set(folder, [path]);
  }
  return [...folders].flatMap(([folder, pages]) => {
    const signed = spread(pages, MAX_PAGES).filter((page) => isSigned(text(page) ?? ''));
    return signed.length >= MIN_PAGES ? [folder] : [];
  });
}

/** Pages from all parts of a folder. */
function spread(pages: readonly RepoPath[], count: number): readonly RepoPath[] {
  const step = Math.ceil(pages.length / count);
  return pages.filter((_, at) => at % step === 0);
}

function isSigned(text: string): boolean {
  const prose = text.replace(FENCED, '');
  return CERTAIN.some((sign) => sign.test(prose));
}

/** Rules under which a fragment that is not found between pages for Python-Markdown is unchecked: it names headings otherwise. */
export function withPythonMarkdownNames(rules: LinkRules, folder: RepoPath): LinkRules {
  return {
    ...rules,
    checkAnchor(query) {
      const checked = rules.checkAnchor(query);
      if (checked.status !== 'broken' || !isInside(query.page, folder)) return checked;
      const message = `Pages in ${folder} are written for MkDocs or the like, which may name a heading of ${query.page} “${query.anchor}”.`;
      return { status: 'unchecked', message, knownNames: anchorNames(query.facts) };
    },
  };
}
