import {
  type Db,
  findMovedPage,
  findPageAt,
  findPageOfFile,
  loadPage,
  loadSetting,
} from '../../store/index.ts';
import type { Content } from './locate-content.ts';

/**
 * The id of the page at a path of the space: the page itself, the target of a redirect of the repository, or the page
 * that was at this path before it moved. Null if there is none.
 */
export async function findPageByPath(
  db: Db,
  { space, revision }: Pick<Content, 'space' | 'revision'>,
  pagePath: string,
): Promise<string | null> {
  const path = pagePath.replace(/^\/{1,100}|\/{1,100}$/g, '');
  const page = await findPageAt(db, revision, path);
  if (page !== null) return page;
  const redirect = await loadSetting(db, revision, `redirect:${path}`);
  const named = redirect === null ? null : await findTarget(db, { space, revision }, redirect.value);
  if (named !== null) return named;
  const moved = await findMovedPage(db, space.id, path);
  const row = moved === null ? null : await loadPage(db, revision, moved);
  return row?.id ?? null;
}

/** A redirect names a page's file, with or without its extension, or a folder. */
async function findTarget(
  db: Db,
  { revision }: Pick<Content, 'space' | 'revision'>,
  file: string,
): Promise<string | null> {
  for (const path of [file, `${file}.md`, file === '' ? 'README.md' : `${file}/README.md`]) {
    const page = await findPageOfFile(db, revision, path);
    if (page !== null) return page;
  }
  return null;
}
