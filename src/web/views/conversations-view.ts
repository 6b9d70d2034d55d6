import type { Conversation, ConversationContent, Organization } from '../../client/index.ts';
import { html, type Markup, safeHref } from '../../markup/index.ts';
import { conversationPath } from '../addresses.ts';
import { formatMoment, plural } from '../format.ts';
import { renderQuestionTabs } from './clusters-view.ts';
import { describeSource, sourceInput } from './describe-source.ts';
import { renderFacts } from './facts.ts';
import { renderMore } from './more-link.ts';
import { renderOrganizationPage } from './organization-frame.ts';

interface Shown {
  readonly organization: Organization;
  readonly user: { readonly displayName: string };
  readonly now: Date;
}

/** All conversations, the newest first. */
export function renderConversations(
  options: Shown & {
    readonly conversations: readonly Conversation[];
    readonly count: number;
    /** All that there are, and the one whose conversations are listed; empty for all. */
    readonly sources: readonly string[];
    readonly source: string;
    readonly more: string | null;
  },
): string {
  const { organization, conversations, count, sources, source, now } = options;
  return renderOrganizationPage({
    ...options,
    section: 'conversations',
    title: 'All conversations',
    main: html`${renderQuestionTabs(organization.id, 'conversations')}
<form class="filter" action="${conversationPath(organization.id)}">
${sourceInput(sources, source)}
<button type="submit">Show</button></form>
${
  conversations.length === 0
    ? html`<div class="empty"><p>${source === '' ? 'There is no conversation yet.' : 'No conversation is from this source.'}</p></div>`
    : html`<h2 id="docloom-conversations">${plural(count, 'conversation')}</h2>
<ul class="plain list" aria-labelledby="docloom-conversations">
${conversations.map((conversation) => renderRow(organization.id, conversation, now))}</ul>`
}
${renderMore(options.more, 'Earlier conversations')}`,
  });
}

function renderRow(organizationId: string, conversation: Conversation, now: Date): Markup {
  const { id, subject, sourceId, source, createdAt, processedAt } = conversation;
  return html`<li class="list-row"><div class="list-main"><a href="${conversationPath(organizationId, id)}">${subject ?? `Conversation ${sourceId}`}</a>
<p class="small soft"><a href="${conversationPath(organizationId)}?source=${encodeURIComponent(source)}">${describeSource(source)}</a></p></div>
${processedAt === undefined ? html`<span class="state wait">Being read</span>` : null}
<span class="small soft list-time">${formatMoment(createdAt, now)}</span></li>
`;
}

/** In characters. */
const TITLE = 90;

/** What the user said first, where it is not much; else how it begins. */
function titleOf(parts: ConversationContent['parts']): string | null {
  const said =
    parts
      .find(({ role }) => role === 'user')
      ?.body.replace(/\s+/g, ' ')
      .trim() ?? '';
  if (said === '') return null;
  return said.length <= TITLE ? said : `${said.slice(0, TITLE).toWellFormed().trimEnd()}…`;
}

const SPEAKERS = { user: 'Somebody', assistant: 'A bot', 'team-member': 'The team' } as const;

/** What was said in a conversation. */
export function renderConversation(options: Shown & { readonly content: ConversationContent }): string {
  const { organization, content, now } = options;
  const { conversation, parts } = content;
  const away = safeHref(conversation.urls.source);
  return renderOrganizationPage({
    ...options,
    section: 'conversations',
    title: conversation.subject ?? titleOf(parts) ?? `Conversation ${conversation.sourceId}`,
    crumbs: [{ title: 'All conversations', href: conversationPath(organization.id) }],
    main: html`${renderFacts([
      ['From', describeSource(conversation.source)],
      ['Asked', formatMoment(conversation.createdAt, now)],
      ...(away === null ? [] : [['Where', html`<a class="away" href="${away}">${away}</a>`] as const]),
    ])}
<p class="soft small">Addresses, tokens and numbers of cards and phones were removed before it was stored.</p>
<ol class="plain">
${parts.map(({ role, body }) => html`<li class="card after"><div class="card-head"><h2 class="small">${SPEAKERS[role]}</h2></div><p class="said">${body}</p></li>\n`)}</ol>`,
  });
}
