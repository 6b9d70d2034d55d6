import { evaluateMarkdown, hasExpressions } from '../../content/expressions/index.ts';
import type { Operations, QueryOf } from '../../contract/index.ts';
import { type Db, loadSettingsOf, type PageRow } from '../../store/index.ts';
import type { Content } from './locate-content.ts';
import { variablesOf } from './present-content.ts';

type Evaluated = QueryOf<Operations['getPage']>['evaluated'];

/**
 * Replaces the expressions in a page's text by their values, as `evaluated` requests. Nothing is known about the visitor
 * here, so what depends on them is empty, or with `deterministic-only` stays as written. Only GitBook's format has
 * expressions whose values the platform can know.
 */
export async function evaluatePage(
  db: Db,
  { revision, space }: Content,
  {
    row,
    markdown,
    evaluated,
  }: { readonly row: PageRow; readonly markdown: string; readonly evaluated: Evaluated },
): Promise<string> {
  if (
    (evaluated ?? 'false') === 'false' ||
    !hasExpressions(markdown) ||
    !row.dialect?.startsWith('gitbook')
  ) {
    return markdown;
  }
  const variables = variablesOf(await loadSettingsOf(db, revision, 'variable'));
  const scope = {
    space: { vars: variables, title: space.title },
    page: { vars: row.settings?.variables ?? {}, title: row.title, path: row.path },
  };
  return evaluated === 'true'
    ? evaluateMarkdown(markdown, { scope: { ...scope, visitor: { claims: { unsigned: {} } } } })
    : evaluateMarkdown(markdown, { scope, only: Object.keys(scope) });
}
