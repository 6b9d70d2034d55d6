import { gzipSync } from 'node:zlib';
import { eq, sql } from 'drizzle-orm';
import {
  DEFAULT_SOURCE,
  ingestConversations,
} from '../../src/platform/conversations/ingest-conversations.ts';
import { completeConversation, listUnprocessed, markSynced, newId, tables } from '../../src/store/index.ts';
import { completeReading, insertSpec, insertVersion } from '../../src/store/openapi.ts';
import { createMember } from './create-member.ts';
import type { TestPlatform } from './start-platform.ts';

/** By the names of the parameters of paths. */
export type Ids = Record<string, string>;

/** An organization with one object of each kind. */
export interface World {
  readonly organizationId: string;
  readonly token: string;
  readonly ids: Ids;
}

/** Part of every name and title, so that an answer that has it names an object. */
export const MARK = 'Zanzibar';

/** Makes objects of each kind in organizations of a platform. */
export function fillWorlds(platform: TestPlatform) {
  let made = 0;

  async function fillWorld(organizationId: string, token: string): Promise<World> {
    const space = await fillSpace(organizationId, token);
    const ids = {
      organizationId,
      ...space,
      ...(await createSpec(organizationId)),
      collectionId: await createCollection(organizationId, token),
      otherCollectionId: await createCollection(organizationId, token),
      userId: await createSubject(organizationId),
      teamId: await createTeam(organizationId, token),
      translationId: await createTranslation(organizationId, token, space['spaceId'] ?? ''),
      samlProviderId: await createSamlProvider(organizationId, token),
      oidcProviderId: await createOidcProvider(organizationId, token),
      ...(await createSite(organizationId, token, space['spaceId'] ?? '')),
      ...(await createIssue(organizationId)),
      emailDomain: 'matrix.invalid',
      ...(await createSharedComment(token, space)),
      notificationId: newId(),
      tokenId: newId(),
      sessionId: newId(),
      inviteId: newId(),
      soon: new Date(Date.now() + 60 * 60 * 1000).toISOString(),
    };
    return { organizationId, token, ids };
  }

  async function fillSpace(organizationId: string, token: string): Promise<Ids> {
    const { api, deps } = platform;
    const spaceId = await createSpace(organizationId, token);
    const files = [
      { type: 'write', path: 'README.md', text: '# Guide\n\n[File](file.txt)\n' },
      { type: 'write', path: 'file.txt', text: 'plain' },
    ];
    const merged = await beginChange(token, spaceId, files);
    await api('POST', `/spaces/${spaceId}/change-requests/${merged}/merge`, { token });
    const changeRequestId = await beginChange(token, spaceId, [
      { type: 'write', path: 'README.md', text: `# ${MARK}\n\n[File](file.txt)\n` },
    ]);
    const reviews = `/spaces/${spaceId}/change-requests/${changeRequestId}/reviews`;
    const review = await api('POST', reviews, { token, body: { status: 'changes-requested' } });
    const direct = await beginChange(token, spaceId, [
      { type: 'write', path: 'README.md', text: '# Guide\n\nConflict: [File](file.txt)\n' },
    ]);
    await api('POST', `/spaces/${spaceId}/change-requests/${direct}/merge`, { token });
    const content = (await api('GET', `/spaces/${spaceId}/content`, { token })).body;
    const gitSync = {
      repoName: 'a/b',
      url: 'https://forge.example/a/b',
      updatedAt: new Date().toISOString(),
    };
    await markSynced(deps.db, spaceId, { syncedRevisionId: content.id, gitSync });
    return {
      spaceId,
      reviewId: review.body.id,
      revisionId: content.id,
      pageId: content.pages[0].id,
      pagePath: encodeURIComponent(`/${content.pages[0].path}`),
      fileId: content.files[0].id,
      changeRequestId,
    };
  }

  /** A specification with a version, as its reading would have made it. */
  async function createSpec(organizationId: string): Promise<Ids> {
    const { db } = platform.deps;
    made += 1;
    const [specId, versionId, specSlug] = [newId(), newId(), `spec${made}`];
    const source = { sourceUrl: null, sealedSource: null };
    await insertSpec(db, { id: specId, organizationId, slug: specSlug, ...source });
    const content = gzipSync('{"entrypoint":"a","files":{"a":{}}}');
    await insertVersion(db, { id: versionId, specId, digest: '', title: '', content }, []);
    await completeReading(db, { id: specId, generation: 1 }, { lastVersionId: versionId });
    return { specSlug, versionId };
  }

  async function createSubject(organizationId: string): Promise<string> {
    const { deps } = platform;
    return (await createMember({ deps, organizationId }, `${MARK} subject`, { role: 'read' })).userId;
  }

  async function createSpace(organizationId: string, token: string): Promise<string> {
    const body = { title: `${MARK} space` };
    return (await platform.api('POST', `/orgs/${organizationId}/spaces`, { token, body })).body.id;
  }

  async function createCollection(organizationId: string, token: string): Promise<string> {
    const body = { title: `${MARK} collection` };
    return (await platform.api('POST', `/orgs/${organizationId}/collections`, { token, body })).body.id;
  }

  async function createTeam(organizationId: string, token: string): Promise<string> {
    const body = { title: `${MARK} team` };
    return (await platform.api('PUT', `/orgs/${organizationId}/teams`, { token, body })).body.id;
  }

  async function createSamlProvider(organizationId: string, token: string): Promise<string> {
    const body = { label: `${MARK} provider` };
    return (await platform.api('POST', `/orgs/${organizationId}/saml`, { token, body })).body.id;
  }

  async function createOidcProvider(organizationId: string, token: string): Promise<string> {
    const body = { label: `${MARK} provider` };
    return (await platform.api('POST', `/orgs/${organizationId}/oidc`, { token, body })).body.id;
  }

  /** A site with a section in a group. */
  async function createSite(organizationId: string, token: string, spaceId: string): Promise<Ids> {
    const { api } = platform;
    const sites = `/orgs/${organizationId}/sites`;
    const body = { title: `${MARK} site`, visibility: 'share-link' };
    const { id: siteId } = (await api('POST', sites, { token, body })).body;
    const path = `${sites}/${siteId}`;
    const section = (await api('POST', `${path}/sections`, { token, body: { spaceId } })).body;
    const grouping = { title: `${MARK} group`, sections: [section.id] };
    const group = (await api('POST', `${path}/section-groups`, { token, body: grouping })).body;
    await api('POST', `${path}/sections`, { token, body: { spaceId } });
    const siteSpaceId = section.siteSpaces[0].id;
    const jsonSchema = { type: 'object', properties: {}, additionalProperties: false };
    await api('PUT', `${path}/adaptive-schema`, { token, body: { jsonSchema } });
    const link = (await api('POST', `${path}/share-links`, { token, body: { name: MARK } })).body;
    const structure = { siteSectionId: section.id, siteSectionGroupId: group.id, siteSpaceId };
    const redirect = { source: '/old', destination: { kind: 'site-space', siteSpaceId } };
    const { id: siteRedirectId } = (await api('POST', `${path}/redirects`, { token, body: redirect })).body;
    const previewSource = 'github-1-pull-2';
    return { siteId, ...structure, shareLinkId: link.id, siteRedirectId, previewSource };
  }

  /** A comment that a change request and its space both have, as after a merge. */
  async function createSharedComment(token: string, { spaceId, changeRequestId }: Ids): Promise<Ids> {
    const ids = await createComment(token, `/spaces/${spaceId}/change-requests/${changeRequestId}`);
    const { db } = platform.deps;
    await db
      .update(tables.comments)
      .set({ inSpace: true, scope: '' })
      .where(eq(tables.comments.id, ids['commentId'] ?? ''));
    return ids;
  }

  /** A comment with a reply. */
  async function createComment(token: string, place: string, page?: string): Promise<Ids> {
    // More comments than one person writes in a minute.
    await platform.deps.db.execute(sql`delete from call_windows where key like 'comments:%'`);
    const body = { body: { markdown: `${MARK} comment` }, ...(page === undefined ? {} : { page }) };
    const { id: commentId } = (await platform.api('POST', `${place}/comments`, { token, body })).body;
    const replies = `${place}/comments/${commentId}/replies`;
    const answer = { body: { markdown: `${MARK} reply` } };
    const { id: commentReplyId } = (await platform.api('POST', replies, { token, body: answer })).body;
    return { commentId, commentReplyId };
  }

  /** Issues of a conversation, which are a cluster. */
  async function createIssue(organizationId: string): Promise<Ids> {
    const { db } = platform.deps;
    const conversation = { id: 'ticket-0', subject: MARK, parts: [], source: DEFAULT_SOURCE };
    // Without the job that reads it: the one after that would group the issues below anew, and take their cluster away.
    await ingestConversations(db, { enqueue: async () => {} }, organizationId, [conversation]);
    const [row] = await listUnprocessed(db, organizationId, 1);
    if (row === undefined) throw new Error('The conversation was not stored.');
    const told = { title: MARK, summary: MARK, quotes: [], method: 'text' } as const;
    await completeConversation(db, row, [told, told]);
    const cluster = {
      id: newId(),
      organizationId,
      label: MARK,
      summary: MARK,
      icon: 'messages',
      method: 'text',
    };
    await db.insert(tables.issueClusters).values(cluster);
    const [issue] = await db
      .update(tables.conversationIssues)
      .set({ clusterId: cluster.id })
      .where(eq(tables.conversationIssues.conversationId, row.id))
      .returning();
    // One that has none: nothing is deleted that another operation is tried on.
    const conversationSource = 'integration:none:api';
    return { conversationId: row.id, issueId: issue?.id ?? '', clusterId: cluster.id, conversationSource };
  }

  async function createTranslation(organizationId: string, token: string, space: string): Promise<string> {
    const body = { source: { space }, language: 'de' };
    return (await platform.api('POST', `/orgs/${organizationId}/translations`, { token, body })).body.id;
  }

  async function beginChange(token: string, spaceId: string, changes: readonly object[]): Promise<string> {
    const path = `/spaces/${spaceId}/change-requests`;
    const { id } = (await platform.api('POST', path, { token, body: { subject: `${MARK} change` } })).body;
    if (changes.length > 0) await platform.api('POST', `${path}/${id}/content`, { token, body: { changes } });
    return id;
  }

  return {
    fillWorld,
    fillSpace,
    createSpec,
    createSubject,
    createSpace,
    createCollection,
    createTeam,
    createSamlProvider,
    createOidcProvider,
    createSite,
    createSharedComment,
    createComment,
    createIssue,
    createTranslation,
    beginChange,
  };
}
