import { doAtOnce } from '../../content/engine/index.ts';
import {
  type Anchor,
  anchorsIn,
  type Link,
  linkListsOf,
  type Page,
  partsOfPage,
  type RepoPath,
  type SpaceAnalysis,
} from '../../content/index.ts';
import { indexTargets } from '../../content/render/index.ts';
import { treeIndexOf } from '../../content/tree/index.ts';
import { type CheckedText, MAX_CHECKED_REFERENCES, type TextView } from '../../contract/index.ts';
import type { RevisionOrigin } from '../../store/index.ts';
import { contentThreads } from '../../threads/index.ts';
import { presentTarget, statusOf } from '../content/present-links.ts';
import { MAX_PART_BYTES } from '../content/read-body.ts';
import type { PlatformDeps } from '../deps.ts';
import { loadShownOperations } from '../openapi/page-operations.ts';
import { deriveLinkSet } from '../revisions/derive-links.ts';
import { readIncluded } from '../revisions/read-stored.ts';
import { type AnalysedEdit, analyseEdited } from './analyse-edited.ts';
import type { EditedContent } from './locate-edited.ts';
import { presentCheckedReference } from './present-checked-reference.ts';

/** Headings of one text that are returned. */
const MAX_HEADINGS = 2_000;

/** Checks a text in the place of a file, and prepares it to be shown. */
export async function checkText(
  deps: PlatformDeps,
  content: EditedContent,
  { path, text, wantsView }: { readonly path: string; readonly text: string; readonly wantsView: boolean },
): Promise<CheckedText> {
  const edited = await analyseEdited(deps, content, new Map([[path, text]]));
  const { analysis } = edited;
  const links = linksOf(analysis, path);
  const shown = links.slice(0, MAX_CHECKED_REFERENCES);
  return {
    object: 'checked-text',
    path,
    revision: content.revision.id,
    references: shown.map((link) => presentCheckedReference(text, link)),
    moreReferences: links.length - shown.length,
    headings: headingsOf(anchorsIn(analysis, path) ?? []),
    problems: analysis.problems
      .filter((problem) => problem.file === path)
      .map(({ line, message }) => ({ ...(line === null ? {} : { line }), message })),
    ...(wantsView && analysis.files.includes(path)
      ? { view: await viewText(deps, content, { path, text, edited, links }) }
      : {}),
  };
}

function linksOf(analysis: SpaceAnalysis, path: RepoPath): readonly Link[] {
  return linkListsOf(analysis).find(([first]) => first?.file === path) ?? [];
}

/** One for each heading, by its first name. */
function headingsOf(anchors: readonly Anchor[]): CheckedText['headings'] {
  const byLine = new Map<number, CheckedText['headings'][number]>();
  for (const { line, level, name, heading } of anchors) {
    if (level === 0 || byLine.has(line)) continue;
    byLine.set(line, { line, level, name, text: heading ?? name });
    if (byLine.size === MAX_HEADINGS) break;
  }
  return [...byLine.values()].sort((a, b) => a.line - b.line);
}

async function viewText(
  deps: PlatformDeps,
  content: EditedContent,
  own: {
    readonly path: string;
    readonly text: string;
    readonly edited: AnalysedEdit;
    readonly links: readonly Link[];
  },
): Promise<TextView> {
  const { path, text, edited } = own;
  const { analysis, tree } = edited;
  const dialect = analysis.dialects[path] ?? '';
  const index = treeIndexOf(tree);
  const parts = partsOfPage(analysis, path, (file) => index.entry(file)) ?? [];
  const oids = parts.flatMap((part) => ('oid' in part ? [part.oid] : []));
  const composed =
    parts.length === 0
      ? null
      : await contentThreads.compose(
          { path, text, dialect, parts },
          await readIncluded(deps, content.space.id, oids, MAX_PART_BYTES),
          { isImport: false },
        );
  const markdown = composed?.text ?? text;
  const files = new Set(parts.flatMap((part) => ('path' in part ? [part.path] : [])));
  const links = [own.links, ...[...files].map((file) => linksOf(analysis, file))].flat();
  return {
    title: titleOf(analysis.pages, path) ?? path.slice(path.lastIndexOf('/') + 1),
    markdown,
    dialect,
    targets: await presentTargets(content, { path, dialect }, links),
    ...(await loadShownOperations(deps, content, markdown)),
  };
}

/** What links lead to, by the ids of the pages and files of the content. */
async function presentTargets(
  content: EditedContent,
  page: { readonly path: string; readonly dialect: string },
  links: readonly Link[],
): Promise<TextView['targets']> {
  const { rows, revision } = content;
  const pageIds = new Map<string, string>();
  for (const { gitPath, id } of rows.pages.values())
    if (gitPath !== null && !pageIds.has(gitPath)) pageIds.set(gitPath, id);
  const fileIds = new Map([...rows.files.values()].map(({ gitPath, id }) => [gitPath, id]));
  const { treeUrl } = revision.origin as RevisionOrigin;
  const set = doAtOnce(deriveLinkSet(links, { pageIds, fileIds, treeUrl }));
  const found = set.rows.map((row, at) => ({
    path: links[at]?.file ?? page.path,
    target: row.target,
    row: { ...row, gitPath: links[at]?.file ?? page.path, pageId: null },
  }));
  const indexed = await indexTargets(page, found);
  return [...indexed].map(([target, { row }]) => ({
    target,
    status: statusOf(row),
    reference: presentTarget(row, content),
  }));
}

function titleOf(pages: readonly Page[], path: RepoPath): string | null {
  for (const page of pages) {
    if (page.file === path) return page.title;
    const found = titleOf(page.pages, path);
    if (found !== null) return found;
  }
  return null;
}
