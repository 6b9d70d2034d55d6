import { generatedVerdict, type LinkRules, type SpaceInput } from '../../format-port/index.ts';
import { anchorNames } from '../../links/index.ts';
import type { RepoPath } from '../../model/index.ts';
import { isHostFile, isPageFile } from '../../tree/index.ts';

/** Which pages a macro processor puts together, or puts into others. */
export interface AssembledPages {
  /** Changes with what says so. */
  readonly key: string;
  /** Returns the file by which a page is put together with others; null for a page of its own. */
  sourceOf(file: RepoPath): RepoPath | null;
}

/** Markdown that a processor reads first: `manual.m4.md`. */
const PROCESSED = /\.(?:m4|pp|gpp)\.(?:md|markdown)$/i;

/** Files of macros beyond this number are ignored, and longer ones. */
const MAX_FILES = 40;
const MAX_TEXT = 1_000_000;
const MAX_NAMES = 20_000;

/** A name in the place of a macro's argument: `_command_({{Balance}})`, `include(part.md)`. */
const ARGUMENT = /\(\s{0,5}[{[`'"]{0,3}([\w./-]{1,200})[}\]'"]{0,3}\s{0,5}\)/g;

/** Finds the Markdown of which m4 and the like make manuals, and the parts that its macros name. */
export function findAssembledPages({ entries, text, index }: SpaceInput): AssembledPages {
  const processed = entries.filter(({ path }) => PROCESSED.test(path)).map(({ path }) => path);
  if (processed.length === 0) return { key: '', sourceOf: () => null };
  const macros = entries.flatMap(({ path }) => (/\.(?:m4|pp|gpp)$/i.test(path) ? [path] : []));
  const sources = [...processed, ...macros].slice(0, MAX_FILES);
  const named = new Map<string, RepoPath>();
  for (const source of sources) {
    const macro = text(source) ?? '';
    if (macro.length > MAX_TEXT) continue;
    for (const [, name = ''] of macro.matchAll(ARGUMENT)) {
      if (named.size >= MAX_NAMES) break;
      const stem = stemOf(name);
      if (!named.has(stem)) named.set(stem, source);
    }
  }
  return {
    key: sources.map((path) => index.entry(path)?.oid).join(' '),
    sourceOf: (file) =>
      PROCESSED.test(file) ? file : isHostFile(file) ? null : (named.get(stemOf(file)) ?? null),
  };
}

function stemOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1).replace(/\.(?:md|markdown)$/i, '');
}

/** Rules under which what a page lacks may be in the text that is made of it and others. */
export function withAssembly(rules: LinkRules, source: RepoPath): LinkRules {
  return {
    ...rules,
    explainMissing(resolution, file, reference) {
      const own = rules.explainMissing?.(resolution, file, reference) ?? null;
      if (own !== null && own.status !== 'broken') return own;
      const [path] = resolution.candidates;
      const isPage = isPageFile(path) || /\.html?$/i.test(path) || !/\.\w+$/.test(path);
      if (!isPage) return own;
      return generatedVerdict(
        `${source} puts the text of ${file} together with others, which may have ${path}.`,
      );
    },
    checkAnchor(query) {
      const checked = rules.checkAnchor(query);
      if (checked.status !== 'broken') return checked;
      const message = `${source} puts the text of ${query.file} together with others, one of which may have “${query.anchor}”.`;
      return { status: 'unchecked', message, knownNames: anchorNames(query.facts) };
    },
  };
}
