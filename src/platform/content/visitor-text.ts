import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import {
  answerQuestions,
  asksForVisitor,
  type Scope,
  type VisitorQuestions,
} from '../../content/expressions/index.ts';
import type { PageRow } from '../../store/index.ts';
import { contentThreads, PageLimitError } from '../../threads/index.ts';
import type { PlatformDeps } from '../deps.ts';
import { asWritten } from '../openapi/write-computed.ts';
import type { ConditionScope } from '../sites/conditions.ts';
import type { Content } from './locate-content.ts';
import { loadPageScope, mayHaveExpressions } from './page-scope.ts';
import { readBody } from './read-body.ts';

/** What the texts of pages ask about their visitors, in UTF-16 code units of all of them together. */
const MAX_KNOWN = 16 * 1024 * 1024;

/** What a page asks, and what else its answers depend on. */
interface AskingPage {
  readonly questions: VisitorQuestions;
  readonly scope: Scope;
}

const NO_QUESTIONS: AskingPage = { questions: { conditions: [], values: [] }, scope: {} };

/** Of pages of revisions, which never change. */
const known = new LRUCache<string, AskingPage>({
  maxSize: MAX_KNOWN,
  sizeCalculation: (asking) => (asking === NO_QUESTIONS ? 100 : JSON.stringify(asking).length + 100),
});

type ShownContent = Pick<Content, 'space' | 'revision'>;

/**
 * What the text of a page comes to for a visitor: visitors for whom it is the same read the same. Empty where it depends on
 * no visitor.
 */
export async function outcomesOfText(
  deps: PlatformDeps,
  content: ShownContent,
  { page, claims }: { readonly page: PageRow; readonly claims: ConditionScope },
): Promise<string> {
  const { questions, scope } = await readQuestions(deps, content, page);
  if (!asks(questions)) return '';
  const { conditions, values } = answerQuestions(questions, { ...scope, visitor: { claims } });
  const all = JSON.stringify([[...conditions.values()].map(Number).join(''), ...values.values()]);
  return createHash('sha256').update(all).digest('base64url').slice(0, 27);
}

/** Whether the text of a page depends on its visitor. */
export async function dependsOnVisitor(
  deps: PlatformDeps,
  content: ShownContent,
  page: PageRow,
): Promise<boolean> {
  return asks((await readQuestions(deps, content, page)).questions);
}

/**
 * The text that a visitor of a site reads. It depends on the visitor by what {@link outcomesOfText} names, and by nothing
 * else.
 */
export async function textForVisitor(
  { db }: PlatformDeps,
  content: ShownContent,
  {
    row,
    markdown,
    claims,
  }: { readonly row: PageRow; readonly markdown: string; readonly claims: ConditionScope },
): Promise<string> {
  if (!mayHaveExpressions(row, markdown)) return markdown;
  try {
    const scope = await loadPageScope(db, content, row);
    const questions = await contentThreads.listVisitorQuestions(markdown);
    const outcomes = answerQuestions(questions, { ...scope, visitor: { claims } });
    return await contentThreads.evaluate(markdown, { scope, outcomes });
  } catch (error) {
    if (!(error instanceof PageLimitError)) throw error;
    // What is hidden in it is not known, so nothing of it is shown.
    return error.message;
  }
}

async function readQuestions(deps: PlatformDeps, content: ShownContent, page: PageRow): Promise<AskingPage> {
  const key = `${content.revision.id} ${page.id}`;
  const found = known.get(key) ?? (await findQuestions(deps, content, page));
  known.set(key, found);
  return found;
}

async function findQuestions(
  deps: PlatformDeps,
  { space, revision }: ShownContent,
  page: PageRow,
): Promise<AskingPage> {
  const row = asWritten(page);
  if (row.dialect?.startsWith('gitbook') !== true) return NO_QUESTIONS;
  const body = await readBody(deps, { space, organizationRole: 'none' }, { row, computed: true });
  if (body === null || !asksForVisitor(body.markdown)) return NO_QUESTIONS;
  const questions = await listQuestions(body.markdown);
  if (!asks(questions)) return NO_QUESTIONS;
  return { questions, scope: await loadPageScope(deps.db, { space, revision }, row) };
}

/** None of a page that exceeds a limit, because nobody is shown its text. */
async function listQuestions(markdown: string): Promise<VisitorQuestions> {
  try {
    return await contentThreads.listVisitorQuestions(markdown);
  } catch (error) {
    if (!(error instanceof PageLimitError)) throw error;
    return NO_QUESTIONS.questions;
  }
}

function asks({ conditions, values }: VisitorQuestions): boolean {
  return conditions.length + values.length > 0;
}
