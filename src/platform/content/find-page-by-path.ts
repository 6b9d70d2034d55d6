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
 * The id of the page at an address below its space: the page itself, the target of a redirect of the repository, or the
 * page that was there before it moved. Null when there is none.
 */
export async function findPageByPath(
  db: Db,
  { space, revision }: Content,
  address: string,
): Promise<string | null> {
  const path = address.replace(/^\/{1,100}|\/{1,100}$/g, '');
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
