import { checkReferenceIn, writeReferenceIn } from '../../content/engine/index.ts';
import {
  anchorsIn,
  type Link,
  linkListsOf,
  type Page,
  type Reference,
  type RepoPath,
  type SpaceAnalysis,
} from '../../content/index.ts';
import type { SuggestedTarget } from '../../contract/index.ts';
import type { PlatformDeps } from '../deps.ts';
import { analyseEdited } from './analyse-edited.ts';
import type { EditedContent } from './locate-edited.ts';

/** The most suggestions. */
const MAX_SUGGESTED = 30;

/** Files whose links may show how links of the space are written. */
const MAX_STYLED_FILES = 50;

type Kind = 'any' | 'page' | 'file';

/** Suggests where a reference in a file may lead, by what is written of it so far. */
export async function suggestTargets(
  deps: PlatformDeps,
  content: EditedContent,
  { path, query, kind }: { readonly path: RepoPath; readonly query: string; readonly kind: Kind },
): Promise<readonly SuggestedTarget[]> {
  const { analysis } = await analyseEdited(deps, content, new Map());
  const hash = query.indexOf('#');
  if (hash !== -1)
    return suggestHeadings(analysis, path, { page: query.slice(0, hash), name: query.slice(hash + 1) });
  const needle = searched(query);
  const found = [
    ...(kind === 'file' ? [] : rank(pagesOf(analysis.pages), needle, path)),
    ...(kind === 'page' ? [] : rank(filesOf(analysis), needle, path)),
  ];
  const pageStyles = stylesOf(analysis, path, 'link');
  const fileStyles = stylesOf(analysis, path, 'image');
  const items: SuggestedTarget[] = [];
  for (const candidate of found) {
    const styles = candidate.kind === 'page' ? pageStyles : fileStyles;
    const destination = firstWritten(analysis, path, styles, candidate.path);
    if (destination === null) continue;
    const { title } = candidate;
    items.push({ kind: candidate.kind, title, detail: candidate.path, destination });
    if (items.length === MAX_SUGGESTED) break;
  }
  return items;
}

interface Candidate {
  readonly kind: 'page' | 'file';
  readonly title: string;
  readonly path: RepoPath;
}

function suggestHeadings(
  analysis: SpaceAnalysis,
  file: RepoPath,
  { page, name }: { readonly page: string; readonly name: string },
): readonly SuggestedTarget[] {
  const link = page === '' ? null : checkReferenceIn(analysis, file, referenceTo('link', page));
  const path = page === '' ? file : link?.resolved?.path;
  if (path === undefined || path === null) return [];
  const needle = searched(name);
  const anchors = (anchorsIn(analysis, path) ?? []).filter(({ level }) => level > 0);
  return anchors
    .filter((anchor) => searched(`${anchor.heading ?? ''} ${anchor.name}`).includes(needle))
    .slice(0, MAX_SUGGESTED)
    .map((anchor) => ({
      kind: 'heading',
      title: anchor.heading ?? anchor.name,
      detail: path,
      destination: `${page}#${anchor.name}`,
    }));
}

function pagesOf(pages: readonly Page[], into: Candidate[] = []): Candidate[] {
  for (const { file, title, pages: below } of pages) {
    if (file !== null) into.push({ kind: 'page', title, path: file });
    pagesOf(below, into);
  }
  return into;
}

function filesOf(analysis: SpaceAnalysis): Candidate[] {
  return analysis.assets.map(({ path }) => ({ kind: 'file', title: nameOf(path), path }));
}

/** The candidates that have what is searched in their title or path, likeliest first. */
function rank(candidates: readonly Candidate[], needle: string, from: RepoPath): readonly Candidate[] {
  const folder = from.slice(0, from.lastIndexOf('/') + 1);
  const scored = candidates.flatMap((candidate, index) => {
    if (candidate.path === from) return [];
    const title = searched(candidate.title);
    const path = searched(candidate.path);
    const score = title.startsWith(needle)
      ? 0
      : searched(nameOf(candidate.path)).startsWith(needle)
        ? 1
        : title.includes(needle)
          ? 2
          : path.includes(needle)
            ? 3
            : null;
    if (score === null) return [];
    return [{ candidate, score, isNear: candidate.path.startsWith(folder), index }];
  });
  return scored
    .sort((a, b) => a.score - b.score || Number(b.isNear) - Number(a.isNear) || a.index - b.index)
    .map(({ candidate }) => candidate);
}

/** What people type, without dots and slashes at the start that only say from where. */
function searched(text: string): string {
  let plain = text;
  try {
    plain = decodeURIComponent(text);
  } catch {
    // A percent sign that encodes nothing.
  }
  return plain
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/^(?:\.{0,2}\/)+/, '')
    .toLowerCase()
    .trim();
}

/** References that show how links are written: those of the page itself, those of other pages, and plain paths. */
function stylesOf(analysis: SpaceAnalysis, file: RepoPath, kind: 'link' | 'image'): readonly Reference[] {
  const isModel = (link: Link) =>
    link.kind === kind && link.status === 'ok' && link.resolved !== null && !/^[#?]|:\/\//.test(link.target);
  const lists = linkListsOf(analysis);
  const own = lists.find(([first]) => first?.file === file)?.find(isModel);
  const other = lists.slice(0, MAX_STYLED_FILES).flatMap((list) => list.find(isModel) ?? [])[0];
  const name = kind === 'image' ? 'x.png' : 'x.md';
  const models = [own, other].flatMap((link) => (link === undefined ? [] : [link]));
  return [...models, ...[name, `./${name}`, `/${name}`].map((target) => referenceTo(kind, target))];
}

function referenceTo(kind: 'link' | 'image', target: string): Reference {
  return { kind, target, text: '', line: 1, column: 1, endLine: 1, endColumn: 1 };
}

function firstWritten(
  analysis: SpaceAnalysis,
  file: RepoPath,
  styles: readonly Reference[],
  path: RepoPath,
): string | null {
  for (const style of styles) {
    const destination = writeReferenceIn(analysis, file, { style, path });
    if (destination !== null) return destination;
  }
  return null;
}

function nameOf(path: RepoPath): string {
  return path.slice(path.lastIndexOf('/') + 1);
}
