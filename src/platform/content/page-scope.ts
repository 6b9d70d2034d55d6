import { hasExpressions, type Scope } from '../../content/expressions/index.ts';
import { type Db, loadSettingsOf, type PageRow } from '../../store/index.ts';
import type { Content } from './locate-content.ts';
import { variablesOf } from './present-content.ts';

/** Only GitBook's format has expressions whose values the platform can know. */
export function mayHaveExpressions(row: PageRow, markdown: string): boolean {
  return row.dialect?.startsWith('gitbook') === true && hasExpressions(markdown);
}

/** What expressions of a page can use, whoever reads it. */
export async function loadPageScope(
  db: Db,
  { revision, space }: Pick<Content, 'revision' | 'space'>,
  row: PageRow,
): Promise<Scope> {
  const variables = variablesOf(await loadSettingsOf(db, revision, 'variable'));
  return {
    space: { vars: variables, title: space.title },
    page: { vars: row.settings?.variables ?? {}, title: row.title, path: row.path },
  };
}
