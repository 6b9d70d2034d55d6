import type { IncomingMessage } from 'node:http';
import { ForgeApiError } from '../api/api-error.ts';
import { createPull } from '../api/create-pull.ts';
import { mergePull } from '../api/merge-pull.ts';
import type { RepositoryCall } from '../api/route.ts';
import { updatePull } from '../api/update-pull.ts';
import type { ForgeContext } from '../forge-context.ts';
import { accountById, findPull, findRepository, fullNameOf } from '../state/find-records.ts';
import type { RepositoryRecord } from '../state/records.ts';
import { awaitResult, describeCommit } from './await-result.ts';
import { frame } from './frame.ts';
import { type SafeHtml, safeHtml } from './html.ts';
import { isOwnForm } from './own-form.ts';
import { readForm } from './read-form.ts';

const OPEN = /^\/([^/]+)\/([^/]+)\/pulls$/;
const CHANGE = /^\/([^/]+)\/([^/]+)\/pull\/(\d{1,15})\/(merge|close|reopen)$/;

/** Where a pressed button leads: to a page with its result, or to one that says why there is none. */
export type PressResult =
  | { readonly location: string }
  | { readonly page: SafeHtml; readonly status: number };

/**
 * Opens, merges, closes or reopens a pull request, as the repository's owner and by the same rules as the API. Null for other
 * requests, and for requests from another site's page.
 */
export async function pressPull(
  context: ForgeContext,
  url: URL,
  request: IncomingMessage,
): Promise<PressResult | null> {
  const opened = OPEN.exec(url.pathname);
  const match = opened ?? CHANGE.exec(url.pathname);
  if (match === null || request.method !== 'POST' || !isOwnForm(request)) return null;
  const repository = findRepository(context.data, match[1] ?? '', match[2] ?? '');
  // The owner of a private repository would have to prove to be it.
  if (!repository || repository.private) return null;
  const form = await readForm(request);
  const number = match[3] ?? '';
  try {
    if (opened) return { location: await open(context, repository, form) };
    return { location: await change(context, repository, { number, action: match[4] ?? '' }) };
  } catch (error) {
    if (!(error instanceof ForgeApiError)) throw error;
    return {
      page: refusal(error, opened ? '' : `/pull/${number}`, fullNameOf(context.data, repository)),
      status: error.status,
    };
  }
}

async function open(
  context: ForgeContext,
  repository: RepositoryRecord,
  form: URLSearchParams,
): Promise<string> {
  const text = (name: string) => (form.get(name) ?? '').trim();
  const body = { title: text('title'), head: text('head'), base: text('base') || repository.defaultBranch };
  const before = describeCommit(context, repository, repository.refs[`refs/heads/${body.head}`]);
  await createPull(callOf(context, repository, { body, params: {} }));
  const pull = context.data.pulls.findLast(({ repositoryId }) => repositoryId === repository.id);
  await awaitResult(context, repository, () => pull?.headSha, before);
  return `/${fullNameOf(context.data, repository)}/pull/${pull?.number}`;
}

async function change(
  context: ForgeContext,
  repository: RepositoryRecord,
  { number, action }: { readonly number: string; readonly action: string },
): Promise<string> {
  const call = callOf(context, repository, {
    params: { number },
    body: action === 'merge' ? {} : { state: action === 'close' ? 'closed' : 'open' },
  });
  const pull = findPull(context.data, repository.id, number);
  const tip = () => repository.refs[`refs/heads/${pull?.baseRef}`];
  if (action === 'merge') {
    const before = describeCommit(context, repository, tip());
    await mergePull(call);
    await awaitResult(context, repository, tip, before);
  } else await updatePull(call);
  return `/${fullNameOf(context.data, repository)}/pull/${number}`;
}

function callOf(
  context: ForgeContext,
  repository: RepositoryRecord,
  { params, body }: Pick<RepositoryCall, 'params' | 'body'>,
): RepositoryCall {
  const account = accountById(context.data, repository.ownerId);
  return {
    context,
    repository,
    caller: { kind: 'user', key: `user ${account.id}`, account },
    method: 'POST',
    params,
    body,
    query: new URLSearchParams(),
    headers: {},
    url: new URL(context.url),
  };
}

function refusal(error: ForgeApiError, path: string, name: string): SafeHtml {
  const reasons = (error.errors ?? []).flatMap(({ message }) => message ?? []);
  return frame(
    'Not done',
    [safeHtml`<a href="/${name}">${name}</a>`],
    safeHtml`<h1>Not done</h1>
<p class="sentence" role="alert">${reasons.length > 0 ? reasons.join(' ') : error.message}</p>
<p><a href="/${name}${path}">Go back</a></p>`,
  );
}
