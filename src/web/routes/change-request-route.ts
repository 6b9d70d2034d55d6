import type { FastifyInstance } from 'fastify';
import {
  type ChangeRequest,
  type LinkResource,
  operations,
  type PlatformClient,
  type Space,
} from '../../client/index.ts';
import type { Markup } from '../../markup/index.ts';
import { changeRequestPath } from '../addresses.ts';
import { loadThreads, SHOWN_IN_PLACE } from '../comments/load-threads.ts';
import { readChosen, renderCommentTemplate } from '../comments/place-threads.ts';
import { renderWritten } from '../comments/render-written.ts';
import { renderChangeRequest } from '../views/change-request-view.ts';
import { findCandidates, readGrantSubject } from './find-candidates.ts';
import { submit, UnusableInput } from './in-organization.ts';
import { type InSpace, inSpace } from './in-space.ts';
import { nextPage, pageOf } from './list-page.ts';
import { loadDifferences, type ShownAs } from './load-differences.ts';
import { ownForm } from './own-forms.ts';
import { readText } from './read-text.ts';
import type { PagesContext } from './signed-in.ts';

export interface RequestParams {
  readonly spaceId: string;
  readonly changeRequestId: string;
}

const FILES_SHOWN = 20;
const REVIEWS_READ = 200;
const BROKEN_SHOWN = 50;

/** In bytes: a comment of the greatest length, percent-encoded. */
const REVIEW_FORM = 256 * 1024;

/** In bytes: a description in characters of several bytes, percent-encoded. */
const DESCRIPTION_FORM = 1024 * 1024;

const NEWS: Readonly<Record<string, string>> = {
  created: 'The change request was created as a draft. Change pages in it, then open it for review.',
  fixed: 'The links lead to what was suggested for them now. Look at each, then merge it.',
  edited: 'Saved.',
  opened: 'It is open for review.',
  asked: 'Saved, and open for review. Ask somebody below “Reviewers”, or pass on the address of this page.',
  drafted: 'It is a draft again.',
  archived: 'It was archived. It can be reopened.',
  requested: 'The review was requested.',
  withdrawn: 'The request was withdrawn.',
  reviewed: 'Your review was submitted.',
  updated: 'It has what the space has now.',
  merged: 'It was merged: readers see it now.',
};

/** `/spaces/:spaceId/change-requests/:number` with its forms, which work without script. */
export function registerChangeRequest(app: FastifyInstance, context: PagesContext): void {
  const base = '/spaces/:spaceId/change-requests/:changeRequestId';

  async function show(call: InSpace<RequestParams>, problem: string | null = null): Promise<string> {
    const { client, params, request, session, space, frame } = call;
    const changeRequest = await client.call(operations.getChangeRequest, { params });
    const at = { params: { spaceId: space.id, changeRequestId: changeRequest.id } };
    // Visitors of a public space see its content, not where it comes from.
    const mayKnow = space.permissions.access;
    const shownAs = readShownAs(request.query);
    const { page = '' } = pageOf(request);
    const [changed, { changes }, reviews, requested, contributors, merge, broken, repository, pulls] =
      await Promise.all([
        client.call(operations.listChangedFiles, {
          ...at,
          query: { limit: FILES_SHOWN, ...(page === '' ? {} : { page }) },
        }),
        client.call(operations.getChanges, { ...at, query: { limit: 1000 } }),
        client.call(operations.listReviews, { ...at, query: { limit: REVIEWS_READ, format: 'markdown' } }),
        client.call(operations.listRequestedReviewers, { ...at, query: { limit: REVIEWS_READ } }),
        client.call(operations.listContributors, { ...at, query: { limit: REVIEWS_READ } }),
        client.call(operations.getMergeStatus, at),
        loadIntroduced(client, space, changeRequest),
        mayKnow ? (context.loadSpaceRepository?.(space.id) ?? null) : null,
        mayKnow ? (context.loadCarryingPulls?.(space.id, changeRequest.id) ?? []) : [],
      ]);
    const place = { spaceId: space.id, changeRequest: String(changeRequest.number) };
    const back = changeRequestPath(space.id, changeRequest.number);
    const isOpen = changeRequest.status === 'draft' || changeRequest.status === 'open';
    const comments =
      !isOpen || !changeRequest.permissions.comment
        ? null
        : {
            place,
            back,
            threads: (await loadThreads(client, place, { status: 'open', limit: SHOWN_IN_PLACE })).items,
            chosen: readChosen(request.query),
            now: context.now(),
            userId: session.userId,
          };
    const files = await loadDifferences(client, { space, changeRequest }, changed.items, {
      changes,
      shownAs,
      page,
      comments,
    });
    return renderChangeRequest({
      frame,
      space,
      changeRequest,
      description: await renderDescription(changeRequest),
      files,
      fileCount: changed.count,
      moreFiles: nextPage(
        changeRequestPath(space.id, changeRequest.number),
        changed.next,
        shownAs.all === 'source' ? { as: 'source' } : {},
      ),
      shownAs: shownAs.all,
      reviews: reviews.items,
      requested: requested.items,
      contributors: contributors.items,
      merge,
      repository,
      pulls,
      brokenLinks: broken.links,
      brokenCount: broken.count,
      commentTemplate: comments === null ? null : renderCommentTemplate(place, back),
      candidates: changeRequest.permissions.edit ? await loadCandidates(call, space, changeRequest) : null,
      isAsking: readText(request.query, 'done') === 'asked' && requested.count === 0,
      userId: session.userId,
      news: NEWS[readText(request.query, 'done')] ?? null,
      problem,
      now: context.now(),
    });
  }

  app.get(
    base,
    inSpace<RequestParams>(context, 'changeRequests', (call) => show(call)),
  );

  /** A form of the page, which shows what came of it. */
  function registerForm(
    part: string,
    act: (call: InSpace<RequestParams>) => Promise<string>,
    bodyLimit?: number,
  ): void {
    app.post(
      `${base}/${part}`,
      ownForm(context, bodyLimit),
      inSpace<RequestParams>(context, 'changeRequests', (call) =>
        submit(
          call.reply,
          async () => {
            const done = await act(call);
            const { spaceId } = call.params;
            const { number } = await call.client.call(operations.getChangeRequest, { params: call.params });
            return call.reply.redirect(`${changeRequestPath(spaceId, number)}?done=${done}`, 303);
          },
          (problem) => show(call, problem),
        ),
      ),
    );
  }

  registerForm(
    'edit',
    async ({ client, params, request: { body } }) => {
      await client.call(operations.updateChangeRequest, {
        params,
        body: {
          subject: readText(body, 'subject', 256).trim(),
          description: { markdown: readText(body, 'description', 65_536).replaceAll('\r\n', '\n') },
        },
      });
      return 'edited';
    },
    DESCRIPTION_FORM,
  );
  registerForm('status', async ({ client, params, request: { body } }) => {
    const words = { open: 'opened', draft: 'drafted', archived: 'archived' } as const;
    const status = readText(body, 'status');
    if (status !== 'open' && status !== 'draft' && status !== 'archived')
      throw new UnusableInput('Choose a state from the buttons.');
    await client.call(operations.updateChangeRequest, { params, body: { status } });
    return words[status];
  });
  registerForm('request', async ({ client, params, request: { body } }) => {
    const subject = readGrantSubject(body);
    if (subject === null) throw new UnusableInput('Choose a member or a team from the list.');
    const { users = [], teams = [] } = subject as { users?: string[]; teams?: string[] };
    await client.call(operations.requestReviewers, { params, body: { users, teams } });
    return 'requested';
  });
  registerForm('withdraw', async ({ client, params, request: { body } }) => {
    const subject = readGrantSubject(body);
    if (subject === null) throw new UnusableInput('Choose a request from the list.');
    if ('users' in subject)
      await client.call(operations.removeRequestedReviewer, {
        params: { ...params, userId: subject.users[0] },
      });
    else
      await client.call(operations.removeRequestedTeam, { params: { ...params, teamId: subject.teams[0] } });
    return 'withdrawn';
  });
  registerForm(
    'review',
    async ({ client, params, request: { body } }) => {
      const status = readText(body, 'status');
      const revision = readText(body, 'revision');
      const markdown = readText(body, 'markdown', 20_001).trim();
      if (status !== 'approved' && status !== 'changes-requested')
        throw new UnusableInput('Choose whether you approve or request changes.');
      await client.call(operations.submitReview, {
        params,
        body: {
          status,
          ...(revision === '' ? {} : { revision }),
          ...(markdown === '' ? {} : { comment: { markdown } }),
        },
      });
      return 'reviewed';
    },
    REVIEW_FORM,
  );
  registerForm('update', async ({ client, params }) => {
    await client.call(operations.updateChangeRequestFromSpace, { params, body: {} });
    return 'updated';
  });
  registerForm('merge', async ({ client, params }) => {
    await client.call(operations.mergeChangeRequest, { params });
    return 'merged';
  });
}

function readShownAs(query: unknown): ShownAs {
  const path = readText(query, 'file', 1024);
  const all = readText(query, 'as') === 'source' ? 'source' : 'rendered';
  const as = readText(query, 'show') === 'source' ? 'source' : 'rendered';
  return { all, one: path === '' ? null : { path, as } };
}

async function renderDescription({ descriptionMarkdown = '' }: ChangeRequest): Promise<Markup | null> {
  if (descriptionMarkdown.trim() === '') return null;
  return await renderWritten(descriptionMarkdown, 'about-');
}

/** Members who are not the author, and teams. */
async function loadCandidates(
  { client, request }: InSpace<RequestParams>,
  space: Space,
  changeRequest: ChangeRequest,
) {
  const { createdBy } = changeRequest;
  return await findCandidates(client, space.organization, request, {
    withTeams: true,
    except: new Set(createdBy === undefined ? [] : [createdBy.id]),
  });
}

/** Broken links of each side that are read to find those that the change request brings. */
const BROKEN_READ = 500;

/** The broken links that the base does not have, and how many there are in all. */
async function loadIntroduced(
  client: PlatformClient,
  space: Space,
  { id, revisionMergeBase, status }: ChangeRequest,
): Promise<{ readonly links: readonly LinkResource[]; readonly count: number }> {
  if (status === 'merged') return { links: [], count: 0 };
  const params = { spaceId: space.id, changeRequestId: id };
  const query = { status: 'broken' as const, limit: BROKEN_READ };
  const head = await client.call(operations.listChangeRequestLinks, { params, query });
  const count = head.stats.broken.changeRequest;
  if (count === 0) return { links: [], count };
  const base = await client.call(operations.listRevisionLinks, {
    params: { spaceId: space.id, revisionId: revisionMergeBase },
    query,
  });
  // The same file and target count as the same link, wherever in the file it is.
  const known = new Map<string, number>();
  for (const link of base.items) known.set(keyOf(link), (known.get(keyOf(link)) ?? 0) + 1);
  const links = head.items.filter((link) => {
    const times = known.get(keyOf(link)) ?? 0;
    known.set(keyOf(link), times - 1);
    return times <= 0;
  });
  return { links: links.slice(0, BROKEN_SHOWN), count };
}

function keyOf({ locationReferences: [location], targetReference }: LinkResource): string {
  return `${location?.position?.path ?? location?.page?.id}\n${targetReference.url}`;
}
