import type {
  Conversation,
  ConversationContent,
  ConversationIssue,
  IssuesCluster,
} from '../../contract/index.ts';
import type {
  ConversationRow,
  ConversationSummaryRow,
  CountedCluster,
  IssueWithConversationRow,
} from '../../store/index.ts';

export function presentConversation(row: ConversationSummaryRow, publicUrl: string): Conversation {
  const { id, organizationId, sourceId, subject, createdAt, processedAt, source, url } = row;
  return {
    object: 'conversation',
    id,
    sourceId,
    ...(subject === null ? {} : { subject }),
    createdAt: createdAt.toISOString(),
    ...(processedAt === null ? {} : { processedAt: processedAt.toISOString() }),
    source,
    urls: {
      location: `${publicUrl}/v1/orgs/${organizationId}/conversations/${id}`,
      ...(url === null ? {} : { source: url }),
    },
  };
}

export function presentConversationContent(row: ConversationRow, publicUrl: string): ConversationContent {
  const { parts, url, attributes, createdAt } = row;
  return {
    conversation: presentConversation(row, publicUrl),
    parts: parts.map(({ type, role, body }) => ({ type, role, body })),
    metadata: {
      ...(url === null ? {} : { url }),
      attributes: { ...attributes },
      createdAt: createdAt.toISOString(),
    },
  };
}

export function presentConversationIssue(
  { issue: row, conversation }: IssueWithConversationRow,
  publicUrl: string,
): { issue: ConversationIssue; conversation: Conversation } {
  const { id, organizationId, conversationId, title, summary, quotes, method, clusterId } = row;
  return {
    issue: {
      object: 'conversation-issue',
      id,
      title,
      summary,
      method: method as ConversationIssue['method'],
      ...(quotes.length === 0 ? {} : { quotes: [...quotes] }),
      createdAt: row.createdAt.toISOString(),
      ingestedAt: row.ingestedAt.toISOString(),
      conversation: conversationId,
      ...(clusterId === null ? {} : { cluster: clusterId }),
      urls: { location: `${publicUrl}/v1/orgs/${organizationId}/conversations-issues/${id}` },
    },
    conversation: presentConversation(conversation, publicUrl),
  };
}

export function presentCluster(cluster: CountedCluster, publicUrl: string): IssuesCluster {
  const { id, organizationId, label, summary, icon, method } = cluster.row;
  return {
    object: 'issues-cluster',
    id,
    label,
    summary,
    icon,
    method: method as IssuesCluster['method'],
    createdAt: cluster.firstAt.toISOString(),
    updatedAt: cluster.lastAt.toISOString(),
    weeklyPulse: [...cluster.weeklyPulse],
    sources: { ...cluster.sources },
    stats: {
      issues: cluster.issues,
      conversations: cluster.conversations,
      tasksTotal: 0,
      tasksBacklog: 0,
      tasksStarted: 0,
      tasksCompleted: 0,
      tasksCancelled: 0,
    },
    urls: {
      location: `${publicUrl}/v1/orgs/${organizationId}/conversations-clusters/${id}`,
      app: `${publicUrl}/orgs/${organizationId}/conversations/${id}`,
    },
  };
}
