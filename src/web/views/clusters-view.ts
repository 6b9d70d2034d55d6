import type { IssuesCluster, Organization } from '../../client/index.ts';
import { html, type Markup } from '../../markup/index.ts';
import { clusterPath, conversationPath } from '../addresses.ts';
import { formatMoment, plural } from '../format.ts';
import { describeSource, sourceInput } from './describe-source.ts';
import { renderMore } from './more-link.ts';
import { type PageNews, renderOrganizationPage } from './organization-frame.ts';
import { renderPulse } from './pulse.ts';
import { selectInput } from './select-input.ts';
import { renderTabs } from './tabs.ts';

/** By what clusters are ordered, the largest or newest first. */
export const clusterOrders = [
  { value: 'updatedAt', label: 'Asked last' },
  { value: 'issues', label: 'Asked most' },
  { value: 'conversations', label: 'Most conversations' },
] as const;
type OrderChoice = (typeof clusterOrders)[number]['value'];

/** The two lists of what people ask. */
export function renderQuestionTabs(organizationId: string, current: 'clusters' | 'conversations'): Markup {
  const [groups, all] = [clusterPath(organizationId), conversationPath(organizationId)];
  return renderTabs({
    about: 'What people ask',
    tabs: [
      { href: groups, label: 'Groups' },
      { href: all, label: 'All conversations' },
    ],
    current: current === 'clusters' ? groups : all,
  });
}

/** What people ask, in groups. */
export function renderClusters(
  options: PageNews & {
    readonly organization: Organization;
    readonly clusters: readonly IssuesCluster[];
    readonly count: number;
    readonly order: OrderChoice;
    /** All that there are, and the one whose groups are listed; empty for all. */
    readonly sources: readonly string[];
    readonly source: string;
    readonly more: string | null;
    readonly user: { readonly displayName: string };
    readonly now: Date;
  },
): string {
  const { organization, clusters, count, order, sources, source, now } = options;
  return renderOrganizationPage({
    ...options,
    section: 'conversations',
    main: html`<p class="lead">What people searched, asked and missed, grouped by what it is about. Each group may be a page that is not there yet.</p>
${renderQuestionTabs(organization.id, 'clusters')}
<form class="filter" action="${clusterPath(organization.id)}">
${selectInput({ id: 'docloom-order', name: 'order', label: 'Order', options: clusterOrders, selected: order })}
${sourceInput(sources, source)}
<button type="submit">Show</button></form>
${
  clusters.length === 0
    ? source !== ''
      ? html`<div class="empty"><p>Nothing was asked twice of which something is from this source.</p></div>`
      : html`<div class="empty"><p>Nothing was asked twice yet. Searches of your sites that find nothing, feedback, and what you <a href="${conversationPath(organization.id)}">send or read from GitHub</a> is grouped here.</p></div>`
    : html`<h2 id="docloom-clusters">${plural(count, 'group')}</h2>
<ul class="plain list" aria-labelledby="docloom-clusters">
${clusters.map((cluster) => renderRow(organization.id, cluster, now))}</ul>`
}
${renderMore(options.more, 'More groups')}`,
  });
}

function renderRow(organizationId: string, cluster: IssuesCluster, now: Date): Markup {
  const { id, label, stats, sources, weeklyPulse, updatedAt } = cluster;
  return html`<li class="list-row"><div class="list-main"><a href="${clusterPath(organizationId, id)}">${label}</a>
<p class="small soft">${plural(stats.issues, 'question')} · ${listSources(sources)}</p></div>
${renderPulse(weeklyPulse)}
<span class="small soft list-time">${formatMoment(updatedAt, now)}</span></li>
`;
}

const SOURCES_NAMED = 3;

export function listSources(sources: IssuesCluster['sources']): string {
  const names = [
    ...new Set(
      Object.entries(sources)
        .sort(([, a], [, b]) => b - a)
        .map(([source]) => describeSource(source)),
    ),
  ];
  const more = names.length - SOURCES_NAMED;
  return `${names.slice(0, SOURCES_NAMED).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}
