import { evaluateMarkdown } from '../../content/expressions/index.ts';
import type { Operations, QueryOf } from '../../contract/index.ts';
import type { Db, PageRow } from '../../store/index.ts';
import type { Content } from './locate-content.ts';
import { loadPageScope, mayHaveExpressions } from './page-scope.ts';

type Evaluated = QueryOf<Operations['getPage']>['evaluated'];

/**
 * Replaces the expressions in a page's text by their values, as `evaluated` requests. Nothing is known about the visitor
 * here, so what depends on them is empty, or with `deterministic-only` stays as written.
 */
export async function evaluatePage(
  db: Db,
  content: Content,
  {
    row,
    markdown,
    evaluated,
  }: { readonly row: PageRow; readonly markdown: string; readonly evaluated: Evaluated },
): Promise<string> {
  if ((evaluated ?? 'false') === 'false' || !mayHaveExpressions(row, markdown)) return markdown;
  const scope = await loadPageScope(db, content, row);
  return evaluated === 'true'
    ? evaluateMarkdown(markdown, { scope: { ...scope, visitor: { claims: { unsigned: {} } } } })
    : evaluateMarkdown(markdown, { scope, only: Object.keys(scope) });
}
