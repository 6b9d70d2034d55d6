import Type from 'typebox';
import {
  type CountedCluster,
  deleteConversations,
  listClusters,
  listConversationIssues,
  listConversationSources,
  listConversations,
  loadConversation,
  loadConversationIssue,
  recordAudit,
} from '../../store/index.ts';
import type { Caller } from '../access/caller.ts';
import { loadAccessMap } from '../access/load-access-map.ts';
import { requireOrganization } from '../access/require-organization.ts';
import { ageKeyOf, readAgeCursor } from '../api/age-cursor.ts';
import { ApiError, invalid, notFound } from '../api/api-error.ts';
import { limitOf, readCursor, toList } from '../api/cursor.ts';
import type { HandlersOf } from '../api/handler.ts';
import type { PlatformDeps } from '../deps.ts';
import { clusterJob } from './conversation-jobs.ts';
import { findNearestPages } from './find-nearest-pages.ts';
import {
  ingestConversations,
  keyOfConversation,
  MAX_CONVERSATIONS,
  type SourcedConversation,
} from './ingest-conversations.ts';
import {
  presentCluster,
  presentConversation,
  presentConversationContent,
  presentConversationIssue,
} from './present-conversation.ts';
import { readConversationSource } from './read-conversation-source.ts';

const SOURCES_LISTED = 100;
const Id = Type.String({ maxLength: 64 });
const TimeKey = Type.Tuple([Type.String({ format: 'date-time' }), Id]);
const CountKey = Type.Tuple([Type.Integer({ minimum: 0 }), Id]);

export function conversationHandlers({ db, queue, publicUrl }: PlatformDeps): HandlersOf<'conversations'> {
  /** Throws a 404 if the caller may not see the organization, a 403 if not its conversations. */
  async function requireConversations(caller: Caller, organizationId: string): Promise<void> {
    await requireOrganization(db, caller, organizationId, 'viewConversations');
  }

  async function findCluster(organizationId: string, id: string): Promise<CountedCluster> {
    const { rows } = await listClusters(db, organizationId, {
      id,
      orderBy: 'updatedAt',
      isAscending: false,
      after: null,
      limit: 1,
    });
    if (rows[0] === undefined) throw notFound('cluster of issues with this id in this organization');
    return rows[0];
  }

  return {
    async listIssuesClusters({ caller, params: { organizationId }, query }) {
      await requireConversations(caller, organizationId);
      const { orderBy = 'updatedAt', order = 'desc' } = query;
      const limit = limitOf(query);
      const list = `clusters of ${organizationId} by ${orderBy} ${order} from ${query.source ?? ''}`;
      const key = readCursor(list, orderBy === 'updatedAt' ? TimeKey : CountKey, query);
      const found = await listClusters(db, organizationId, {
        source: query.source,
        orderBy,
        isAscending: order === 'asc',
        after: key === null ? null : { value: key[0], id: key[1] },
        limit: limit + 1,
      });
      const keyOf = ({ row, lastAt, issues, conversations }: CountedCluster) => [
        { updatedAt: lastAt.toISOString(), issues, conversations }[orderBy],
        row.id,
      ];
      return toList(found, { list, limit, keyOf, present: (row) => presentCluster(row, publicUrl) });
    },

    async getIssuesCluster({ caller, params: { organizationId, clusterId } }) {
      await requireConversations(caller, organizationId);
      return presentCluster(await findCluster(organizationId, clusterId), publicUrl);
    },

    async listNearestPages({ caller, params: { organizationId, clusterId } }) {
      await requireConversations(caller, organizationId);
      const { label, summary } = (await findCluster(organizationId, clusterId)).row;
      const membership = caller.membershipIn(organizationId);
      const items = await findNearestPages(db, {
        organizationId,
        spaces: await (await loadAccessMap(db, organizationId, membership)).visibleSpaces(),
        text: `${label}. ${summary}`,
        publicUrl,
      });
      return { object: 'list' as const, items: [...items] };
    },

    async listConversations({ caller, params: { organizationId }, query }) {
      await requireConversations(caller, organizationId);
      const limit = limitOf(query);
      const list = `conversations of ${organizationId} from ${query.source ?? ''}`;
      const found = await listConversations(db, organizationId, {
        source: query.source,
        after: readAgeCursor(list, query),
        limit: limit + 1,
      });
      const present = (row: (typeof found.rows)[number]) => presentConversation(row, publicUrl);
      return toList(found, { list, limit, keyOf: ageKeyOf, present });
    },

    async listConversationSources({ caller, params: { organizationId } }) {
      await requireConversations(caller, organizationId);
      const found = await listConversationSources(db, organizationId, SOURCES_LISTED);
      const items = found.map(({ source, count }) => ({ source, conversations: count }));
      return { object: 'list' as const, items };
    },

    async ingestConversation({ caller, params: { organizationId }, body }) {
      await requireOrganization(db, caller, organizationId, 'ingestConversations');
      const isOne = !Array.isArray(body);
      const sourced = (isOne ? [body] : body).map((input, index): SourcedConversation => {
        const { attributes, url, createdAt } = input.metadata ?? {};
        const pointer = `/body${isOne ? '' : `/${index}`}/metadata`;
        const source = readConversationSource(attributes?.['source']);
        if (source === null)
          throw invalid(
            `${pointer}/attributes/source`,
            'must be email, a name such as zendesk, or a source such as integration:zendesk:eu',
          );
        if (url !== undefined && !/^https?:\/\//i.test(url))
          throw invalid(`${pointer}/url`, 'must be an address that begins with https:// or http://');
        if (createdAt !== undefined && Number.isNaN(Date.parse(createdAt)))
          throw invalid(`${pointer}/createdAt`, 'must be a day and a time that exist');
        return { ...input, source };
      });
      const isStored = await db.transaction(
        async (tx) => await ingestConversations(tx, queue, organizationId, sourced),
      );
      if (!isStored)
        throw new ApiError(
          'limit-reached',
          `An organization has at most ${MAX_CONVERSATIONS} conversations.`,
        );
    },

    async deleteConversations({ caller, params, query: { id } }) {
      const { organizationId, conversationSource: source } = params;
      await requireOrganization(db, caller, organizationId, 'ingestConversations');
      await db.transaction(async (tx) => {
        const key = id === undefined ? null : keyOfConversation(source, id);
        const deleted = await deleteConversations(tx, organizationId, { source, key });
        if (deleted === 0) return;
        await queue.enqueue(tx, clusterJob, { organizationId }, { unlessWaiting: true });
        await recordAudit(tx, {
          organizationId,
          action: 'conversations.delete',
          actor: caller.actor,
          target: { kind: 'organization', id: organizationId },
          before: { source, conversations: deleted },
        });
      });
    },

    async listConversationIssues({ caller, params: { organizationId }, query }) {
      await requireConversations(caller, organizationId);
      const limit = limitOf(query);
      const list = `issues of ${organizationId} in ${query.cluster ?? ''} ${query.conversation ?? ''}`;
      const found = await listConversationIssues(db, organizationId, {
        clusterId: query.cluster,
        conversationId: query.conversation,
        after: readAgeCursor(list, query),
        limit: limit + 1,
      });
      return toList(found, {
        list,
        limit,
        keyOf: ({ issue }) => ageKeyOf(issue),
        present: (row) => presentConversationIssue(row, publicUrl),
      });
    },

    async getConversationIssue({ caller, params: { organizationId, issueId } }) {
      await requireConversations(caller, organizationId);
      const row = await loadConversationIssue(db, organizationId, issueId);
      if (row === null) throw notFound('conversation issue with this id in this organization');
      return presentConversationIssue(row, publicUrl);
    },

    async getConversation({ caller, params: { organizationId, conversationId } }) {
      await requireConversations(caller, organizationId);
      const row = await loadConversation(db, organizationId, conversationId);
      if (row === null) throw notFound('conversation with this id in this organization');
      return presentConversationContent(row, publicUrl);
    },
  };
}
