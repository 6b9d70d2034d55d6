import { html, type Markup } from '../../markup/index.ts';
import { statusPath } from '../addresses.ts';
import { formatAhead, formatMessage, formatMoment, formatNumber } from '../format.ts';
import type {
  StatusFailure,
  StatusQueue,
  StatusRateLimit,
  StatusSchedule,
  StatusWork,
} from '../status-pages.ts';
import { renderButton } from './action-button.ts';

const SHOWN_LIMITS = 50;
const SHOWN_SCHEDULES = 20;
const SHOWN_FAILED = 20;

/** The background work: kinds of jobs, rate limits, schedules, and failed jobs. */
export function renderWork({ queues, rateLimits, schedules, failed }: StatusWork, now: Date): Markup {
  return html`<h2>In the background</h2>
${renderQueues(queues)}
${renderRateLimits(rateLimits, now)}
${renderSchedules(schedules, now)}
${renderFailed(failed, now)}`;
}

/** Without kinds that have no jobs, because rows of zeros hide the others. */
function renderQueues(queues: readonly StatusQueue[]): Markup {
  const present = queues.filter(({ waiting, running, failed }) => waiting + running + failed > 0);
  return table(
    'jobs',
    'Jobs',
    ['Kind', 'Waiting', 'Running', 'Failed'],
    present.map(
      ({ name, waiting, running, failed }) =>
        html`<tr><th scope="row"><code>${name}</code></th>${[waiting, running, failed].map((count) => html`<td class="number">${formatNumber(count)}</td>`)}</tr>
`,
    ),
    'No job waits, runs or failed.',
  );
}

function renderRateLimits(rateLimits: readonly StatusRateLimit[], now: Date): Markup {
  // The queues that delay most jobs first.
  const sorted = rateLimits.toSorted((a, b) => b.waiting + b.running - a.waiting - a.running);
  return table(
    'rate-limits',
    'Rate limits',
    ['Queue', 'Limits', 'Waiting', 'Running', 'Last start'],
    sorted.slice(0, SHOWN_LIMITS).map(
      (group) =>
        html`<tr><th scope="row"><code>${group.key}</code></th><td>${describeLimits(group)}${
          group.pausedUntil === null
            ? null
            : html`<br><span class="state wait">Paused</span> continues ${formatAhead(group.pausedUntil, now)}`
        }</td><td class="number">${formatNumber(group.waiting)}</td><td class="number">${formatNumber(group.running)}</td><td class="time">${
          group.lastStart === null ? '' : formatMoment(group.lastStart, now)
        }</td></tr>
`,
    ),
    'Nothing waits for a rate limit, and no rate-limited queue is paused.',
    sorted.length - SHOWN_LIMITS,
  );
}

/** `2 at once, 1 a second`. */
function describeLimits({ concurrency, rates }: StatusRateLimit): string {
  const units: Readonly<Record<number, string>> = {
    1000: 'a second',
    60000: 'a minute',
    3600000: 'an hour',
    86400000: 'a day',
  };
  const described = rates.map(
    ({ count, ms }) => `${formatNumber(count)} ${units[ms] ?? `in ${formatNumber(ms / 1000)} s`}`,
  );
  return [`${formatNumber(concurrency)} at once`, ...described].join(', ');
}

function renderSchedules(schedules: readonly StatusSchedule[], now: Date): Markup {
  return table(
    'schedules',
    'Schedules',
    ['What', 'About', 'When', 'Next'],
    schedules.slice(0, SHOWN_SCHEDULES).map(
      ({ name, about, cron, timeZone, next }) =>
        html`<tr><th scope="row"><code>${name}</code></th><td>${about}</td><td><code>${cron}</code> ${timeZone}</td><td class="time">${formatAhead(next, now)}</td></tr>
`,
    ),
    'Nothing is scheduled.',
    schedules.length - SHOWN_SCHEDULES,
  );
}

function renderFailed(failed: readonly StatusFailure[], now: Date): Markup {
  return table(
    'failed',
    'Failed jobs',
    ['Job', 'When', 'Why', 'Try again'],
    failed.slice(0, SHOWN_FAILED).map(
      ({ id, name, about, attempts, error, at }) =>
        html`<tr><th scope="row"><code>${name}</code>${about === '' ? null : html`<br>${about}`}</th><td class="time">${formatMoment(at, now)}<br><span class="soft">${attempts === 1 ? '1 try' : `${formatNumber(attempts)} tries`}</span></td><td class="reason">${formatMessage(error)}</td><td class="time">${renderButton(`${statusPath}/jobs/${id}/retry`, 'Try again', `${name} ${about}`)}</td></tr>
`,
    ),
    'No job failed in the last 90 days.',
    failed.length - SHOWN_FAILED,
  );
}

function table(
  id: string,
  title: string,
  head: readonly string[],
  rows: readonly Markup[],
  empty: string,
  more = 0,
): Markup {
  const heading = `docloom-${id}`;
  return html`<section aria-labelledby="${heading}"><h3 id="${heading}">${title}</h3>
${
  rows.length === 0
    ? html`<p class="soft">${empty}</p>`
    : html`<div class="scroll" tabindex="0" role="region" aria-labelledby="${heading}"><table class="roomy">
<thead><tr>${head.map((title) => html`<th scope="col">${title}</th>`)}</tr></thead>
<tbody>
${rows}</tbody></table></div>`
}
${more > 0 ? html`<p class="small soft">And ${formatNumber(more)} more; <a href="${statusPath}.json">all as JSON</a>.</p>` : null}
</section>`;
}
