import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { findOperations } from '../../content/render/index.ts';
import type { AnswerOf, OpenAPIOperation, Operations, ShownOperation } from '../../contract/index.ts';
import { findSpecsNamed, loadOperationViews, loadPageTree, type OpenApiSpecRow } from '../../store/index.ts';
import type { Caller } from '../access/caller.ts';
import { notFound } from '../api/api-error.ts';
import { type Content, locateContent } from '../content/locate-content.ts';
import { readBody } from '../content/read-body.ts';
import type { PlatformDeps } from '../deps.ts';
import { maySeeSpec } from './require-spec.ts';

/** The most operations that are shown on one page. */
const MAX_SHOWN = 100;

const expand = promisify(gunzip);

/** The operations that a page shows, from the latest versions of their specifications. */
export async function readPageOperations(
  deps: PlatformDeps,
  caller: Caller,
  params: { readonly spaceId: string; readonly pageId: string },
): Promise<AnswerOf<Operations['listPageOperations']>> {
  const content = await locateContent(deps.db, caller, { spaceId: params.spaceId });
  const [row] = await loadPageTree(deps.db, content.revision, params.pageId);
  if (!row) throw notFound('page with this id in this content');
  const body = await readBody(deps, content, { row, computed: true });
  const { operations, ...rest } = await loadShownOperations(deps, content, body?.markdown ?? '');
  return { items: [...operations], ...rest };
}

/**
 * The operations that blocks of a page's text show to the caller of `content`, and the specifications that they may not
 * read, as written on the page; absent for none.
 */
export async function loadShownOperations(
  deps: PlatformDeps,
  { space, organizationRole }: Pick<Content, 'space' | 'organizationRole'>,
  markdown: string,
): Promise<{ readonly operations: ShownOperation[]; readonly privateSpecs?: string[] }> {
  const shown = findOperations(markdown).slice(0, MAX_SHOWN);
  const specs = await findSpecsNamed(deps.db, space.organizationId, [
    ...new Set(shown.map(({ spec }) => withoutQuery(spec))),
  ]);
  const operations: ShownOperation[] = [];
  const privateSpecs: string[] = [];
  for (const [spec, references] of Map.groupBy(shown, (reference) => reference.spec)) {
    const found = specOf(withoutQuery(spec), specs);
    if (!found) continue;
    if (!maySeeSpec(found, organizationRole)) {
      privateSpecs.push(spec);
      continue;
    }
    const views = await loadOperationViews(deps.db, found.id, [
      ...new Set(references.map(({ path }) => path)),
    ]);
    for (const { method, path, view } of views) {
      if (!references.some((reference) => reference.path === path && reference.method === method)) continue;
      operations.push({ spec, operation: JSON.parse((await expand(view)).toString()) as OpenAPIOperation });
    }
  }
  return privateSpecs.length === 0 ? { operations } : { operations, privateSpecs };
}

/** A slug takes precedence over an address. */
function specOf(name: string, specs: readonly OpenApiSpecRow[]): OpenApiSpecRow | undefined {
  return specs.find(({ slug }) => slug === name) ?? specs.find(({ sourceUrl }) => sourceUrl === name);
}

/** A slug, or an address without its query, as addresses are stored. */
function withoutQuery(spec: string): string {
  const url = /^https?:/.test(spec) ? URL.parse(spec) : null;
  if (!url) return spec;
  url.search = '';
  url.hash = '';
  return url.href;
}
