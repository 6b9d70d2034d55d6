import { html, type Markup, safeHref } from '../../markup/index.ts';
import { setupPath, spacePath, statusEventsPath, statusPath } from '../addresses.ts';
import { formatAhead, formatMessage, formatMoment, formatNumber, formatOid } from '../format.ts';
import { renderLayout } from '../layout.ts';
import type { VisibleBinding, VisibleRepository } from '../routes/load-visible-status.ts';
import type {
  StatusDelivery,
  StatusJob,
  StatusRepository,
  StatusSubject,
  StatusWork,
} from '../status-pages.ts';
import { renderButton } from './action-button.ts';
import type { ActionNews } from './describe-action.ts';
import { describeExport } from './describe-export.ts';
import { renderDeletionNotice } from './disconnection.ts';
import { listExternalCounts } from './external-links.ts';
import { describeLost, renderReason, renderState } from './operation-state.ts';
import { renderConfigured } from './status-configured.ts';
import { renderWork } from './status-work.ts';

/** Which repositories somebody wants to see. */
export interface StatusFilter {
  /** What their names contain; empty for all. */
  readonly find: string;
  /** Only those of which something failed, is missing or is cut off. */
  readonly onlyAttention: boolean;
}

export interface StatusFacts {
  readonly repositories: readonly VisibleRepository[];
  readonly filter: StatusFilter;
  /** The address of the next repositories; null when there are no more. */
  readonly more: string | null;
  /** What became of the button that was just pressed. */
  readonly news: Pick<ActionNews, 'words' | 'tone'> | null;
  /** All background work; null for users who are not administrators. */
  readonly work: StatusWork | null;
  /** Whether the server tells of changes. */
  readonly isLive: boolean;
  /** Whether this server has its GitHub App. */
  readonly isConnected: boolean;
  readonly user: { readonly displayName: string };
  readonly now: Date;
}

/** Each repository with its spaces: what is live, what is running, what failed and why, and what to do. */
export function renderStatus(facts: StatusFacts): string {
  const { repositories, more, news, work, now } = facts;
  return renderLayout({
    title: 'Status',
    user: facts.user,
    main: html`<div class="title-row"><h1>Status</h1>${
      work !== null
        ? html`<p class="small"><a href="${setupPath}">GitHub App</a> · <a href="${statusPath}.json">JSON</a></p>`
        : null
    }</div>
${news === null ? null : html`<p class="notice ${news.tone}" role="status">${news.words}</p>`}
${renderFilter(facts)}
<div${facts.isLive ? html` data-live="${statusEventsPath}"` : null}>
${repositories.length === 0 ? empty(facts) : repositories.map((repository) => renderRepository(repository, now))}
${more === null ? null : html`<p class="more"><a href="${more}">More repositories</a></p>`}
${work === null ? null : renderWork(work, now)}
</div>`,
  });
}

function isFiltered({ find, onlyAttention }: StatusFilter): boolean {
  return find !== '' || onlyAttention;
}

/** Absent while there is nothing that it could leave out. */
function renderFilter({ repositories, filter, more }: StatusFacts): Markup | null {
  if (repositories.length === 0 && more === null && !isFiltered(filter)) return null;
  return html`<form class="filter list-filter" action="${statusPath}">
<div class="field"><label class="visually-hidden" for="docloom-find">Filter by name</label>
<input id="docloom-find" name="find" type="search" value="${filter.find}" placeholder="Filter by name" maxlength="100" autocomplete="off"></div>
<div class="choice"><input type="checkbox" id="docloom-attention" name="attention" value="1"${filter.onlyAttention ? html` checked` : null}><label for="docloom-attention">Needs attention</label></div>
<button class="quiet" type="submit">Filter</button>
</form>`;
}

function empty({ isConnected, more, filter }: StatusFacts): Markup | null {
  if (more !== null) return null;
  if (isFiltered(filter))
    return html`<div class="empty"><p>${filter.onlyAttention ? 'No repository needs attention' : 'There is no repository'}${filter.find === '' ? null : html` with “${filter.find}” in its name`}. <a href="${statusPath}">Show all</a></p></div>`;
  return html`<div class="empty"><p>No repository reaches this server yet, or none that you may see.</p>
<p>${isConnected ? html`<a href="${setupPath}">Install the GitHub App</a> on one.` : html`<a href="${setupPath}">Set the GitHub App up</a> first.`}</p></div>`;
}

function renderRepository(visible: VisibleRepository, now: Date): Markup {
  const { repository, bindings, maySync } = visible;
  const id = `docloom-repository-${repository.id}`;
  return html`<section class="card repository" aria-labelledby="${id}">
<div class="card-head"><h2 id="${id}"><a href="${safeHref(repository.url)}">${repository.name}</a></h2>
${maySync && repository.disconnected === null ? renderButton(`${statusPath}/${repository.id}/sync`, 'Sync now', repository.name) : null}</div>
${repository.disconnected === null ? null : html`<p class="notice wait">${repository.disconnected}</p>`}
${repository.configError === null ? null : html`<p class="notice bad"><strong>Its newest configuration is not used.</strong> ${formatMessage(repository.configError)}</p>`}
${repository.conversationsError === null ? null : html`<p class="notice wait"><strong>Some of its conversations are missing.</strong> ${formatMessage(repository.conversationsError)}</p>`}${repository.mirrorError === null ? null : html`<p class="notice wait"><strong>Comments are not mirrored.</strong> ${formatMessage(repository.mirrorError)}</p>`}
${
  bindings.length === 0
    ? html`<p class="soft">Nothing of it is live yet${repository.disconnected === null ? html`; a push to <code>${repository.defaultBranch}</code> is imported within seconds` : null}.</p>`
    : html`<ul class="plain rows">
${bindings.map((binding) => renderBinding(binding, repository, now))}</ul>`
}
${renderSite(repository)}${renderConfigured(visible, now)}${renderJobs(repository, maySync, now)}
<p class="small soft">${renderDelivery(repository.lastDelivery, now)}${
    repository.linksOutsideNext === null
      ? null
      : html` Links to other sites are checked again ${formatAhead(repository.linksOutsideNext, now)}.`
  }${renderLimit(repository, now)}</p>
</section>
`;
}

function renderSite({ site }: StatusRepository): Markup | null {
  if (site === null) return null;
  const { title, address, isPublished, error } = site;
  const href = safeHref(address);
  const name = href === null ? title : html`<a href="${href}">${title}</a>`;
  const words = address === null ? null : isPublished ? ', published' : ', for members only';
  return html`<p class="small">Site: ${name}${words}</p>
${error === null ? null : html`<p class="small error">${formatMessage(error)}</p>`}`;
}

function renderBinding(visible: VisibleBinding, repository: StatusRepository, now: Date): Markup {
  const { binding, space, liveAt } = visible;
  const title = space?.title ?? binding.title;
  const name =
    binding.spaceId !== null && space !== null
      ? html`<a href="${spacePath(binding.spaceId)}">${title}</a>`
      : title;
  const content = binding.directory === '' ? 'All' : html`<code>${binding.directory}/</code>`;
  return html`<li><div class="card-head"><h3>${name}</h3>${renderBindingState(visible)}</div>
<p class="small soft">${content} of <code>${binding.branch}</code>: ${
    binding.liveOid === null
      ? 'nothing is live yet'
      : html`${formatOid(binding.liveOid)} is live${liveAt === null ? null : html`, imported ${formatMoment(liveAt, now)}`}`
  }</p>
${renderProblem(visible, repository, now)}${visible.lost ? html`<p class="small error">${describeLost(visible.lost, now)}</p>` : null}${renderScheduled(binding, now)}</li>
`;
}

function renderScheduled({ exported, linksOutside }: VisibleBinding['binding'], now: Date): Markup | null {
  const exportState = exported === null ? null : describeExport(exported, now);
  return html`${exportState === null ? null : html`<p class="small${exportState.tone === 'bad' ? ' error' : ' soft'}">${exportState.words}</p>`}${
    linksOutside === null
      ? null
      : html`<p class="small soft">External links: ${listExternalCounts(linksOutside)}.</p>`
  }`;
}

function renderBindingState({ binding, operation }: VisibleBinding): Markup {
  if (binding.disconnected !== null) return html`<span class="state wait">Disconnected</span>`;
  if (operation?.state === 'running') return renderState(operation);
  if (binding.importing) return html`<span class="state wait">Importing</span>`;
  if (binding.error !== null) return html`<span class="state bad">Failed</span>`;
  return binding.liveOid === null
    ? html`<span class="state idle">Waiting</span>`
    : html`<span class="state good">Live</span>`;
}

/** The problem of one space; that of the whole repository is shown above all of its spaces. */
function renderProblem(
  { binding, operation }: VisibleBinding,
  repository: StatusRepository,
  now: Date,
): Markup | null {
  if (binding.disconnected !== null) {
    const reason = binding.disconnected === repository.disconnected ? null : binding.disconnected;
    const removal = renderDeletionNotice(binding.removedAt, now);
    return reason === null && removal === null ? null : html`<p class="small">${reason}${removal}</p>`;
  }
  if (binding.error !== null) return html`<p class="small error">${formatMessage(binding.error)}</p>`;
  const reason = operation?.state === 'success' ? null : operation && renderReason(operation);
  return reason === null ? null : html`<p class="small error">${reason}</p>`;
}

const SHOWN_JOBS = 20;

/** Jobs that wait, run or failed. */
function renderJobs({ id, name, jobs }: StatusRepository, maySync: boolean, now: Date): Markup | null {
  if (jobs.length === 0) return null;
  const shown = jobs.slice(0, SHOWN_JOBS);
  return html`<h3>Work</h3>
<ul class="plain rows">
${shown.map((job) => {
  const retry = `${statusPath}/${id}/jobs/${job.id}/retry`;
  return html`<li><div class="card-head"><span>${describeSubject(job.subject)}</span><span class="doing">${renderJobState(job, now)}${
    maySync && job.state === 'failed'
      ? renderButton(retry, 'Try again', `${describeSubject(job.subject)} of ${name}`)
      : null
  }</span></div>
${job.error === null ? null : html`<p class="small error">${formatMessage(job.error)}</p>`}</li>
`;
})}</ul>
${jobs.length > SHOWN_JOBS ? html`<p class="small soft">And ${formatNumber(jobs.length - SHOWN_JOBS)} more.</p>` : null}`;
}

function renderJobState({ state, attempt, at, error }: StatusJob, now: Date): Markup {
  if (state === 'running') return html`<span class="state wait">Running, try ${attempt}</span>`;
  if (state === 'failed')
    return html`<span class="state bad">Failed</span><span class="small soft">${formatMoment(at, now)}</span>`;
  const due = new Date(at).getTime() - now.getTime();
  const when =
    due <= 0 ? 'now' : `in ${due < 90_000 ? `${Math.ceil(due / 1000)} s` : `${Math.ceil(due / 60_000)} min`}`;
  return error === null
    ? html`<span class="state wait">Waiting</span>`
    : html`<span class="state wait">Retried ${when}</span>`;
}

function describeSubject(subject: StatusSubject): string {
  switch (subject.kind) {
    case 'branch':
      return `Branch ${subject.name}`;
    case 'tag':
      return `Tag ${subject.name}`;
    case 'pull-request':
      return `Pull request #${subject.id}`;
    case 'pull-requests':
      return 'All pull requests';
    case 'checks':
      return `Checks of ${subject.oid.slice(0, 7)}`;
    case 'installation':
      return `Installation ${subject.id}`;
    case 'issue':
      return `Issue #${subject.id}`;
    case 'discussion':
      return `Discussion #${subject.id}`;
    case 'conversations':
      return subject.of === null ? 'Issues and discussions' : `Conversation ${subject.of}`;
    case 'comments':
      return `Comments on #${subject.pull}`;
    case 'repository':
      return 'The repository';
    case 'onboarding':
      return 'The proposal of a configuration';
    case 'export':
      return `Export of ${subject.title}`;
    case 'external-links':
      return 'Collecting external links';
    case 'specifications':
      return subject.name === null ? 'API specifications' : `API specification ${subject.name}`;
    case 'translations':
      return subject.directory === null ? 'Translations' : `Translations of ${subject.directory}`;
    case 'unknown':
      return subject.text;
  }
}

function renderDelivery(delivery: StatusDelivery | null, now: Date): Markup {
  if (delivery === null) return html`No webhook of it arrived in the last 30 days.`;
  const { event, state, error, at, id } = delivery;
  const outcomes: Readonly<Record<string, string>> = {
    received: 'is being processed',
    done: 'is done',
    ignored: 'needs no work',
    failed: 'failed',
    redelivered: 'was requested again',
  };
  return html`Last webhook: <code title="Delivery ${id}">${event}</code>, ${formatMoment(at, now)}, ${outcomes[state] ?? state}${error === null ? '.' : html`: ${formatMessage(error)}`}`;
}

function renderLimit({ rateLimit }: StatusRepository, now: Date): Markup | null {
  if (rateLimit === null) return null;
  const minutes = Math.max(0, Math.ceil((Date.parse(rateLimit.resetsAt) - now.getTime()) / 60_000));
  return html` GitHub allows ${formatNumber(rateLimit.remaining)} more of ${formatNumber(rateLimit.limit)} calls in the next ${minutes} min.`;
}
