import { spacePath, statusPath } from '../addresses.ts';
import { formatAhead, formatMoment, formatNumber, plural } from '../format.ts';
import { html, type Markup, safeHref } from '../html.ts';
import type { VisibleRepository, VisibleSpec, VisibleTranslation } from '../routes/load-visible-status.ts';
import { renderButton } from './action-button.ts';

interface State {
  readonly tone: 'good' | 'wait' | 'bad' | 'idle';
  readonly word: string;
}

/** What the configuration keeps on the platform beside spaces: specifications of APIs and translations. */
export function renderConfigured(seen: VisibleRepository, now: Date): Markup {
  const { specifications, translations } = seen;
  return html`${section(
    'API specifications',
    specifications.map((one) => renderSpec(seen, one, now)),
  )}${section(
    'Translations',
    translations.map((one) => renderTranslation(seen, one, now)),
  )}`;
}

function section(title: string, rows: readonly Markup[]): Markup | null {
  if (rows.length === 0) return null;
  return html`<h3>${title}</h3>
<ul class="plain rows">
${rows}</ul>
`;
}

function row(name: Markup, { tone, word }: State, button: Markup | null, lines: readonly Markup[]): Markup {
  return html`<li><div class="card-head"><span>${name}</span><span class="doing"><span class="state ${tone}">${word}</span>${button}</span></div>
${lines}</li>
`;
}

function renderSpec({ repository, maySync }: VisibleRepository, seen: VisibleSpec, now: Date): Markup {
  const { spec, live, versionAt } = seen;
  const { name, source, lookedAt, next } = spec;
  const href = safeHref(source.kind === 'file' ? `${repository.url}/blob/HEAD/${source.at}` : source.at);
  const place = html`<code>${source.at}</code>`;
  const published = safeHref(live?.urls.published);
  const version =
    versionAt === null
      ? html`No version is live yet.`
      : html`${published === null ? 'The version that is live' : html`<a href="${published}">The version that is live</a>`} came ${formatMoment(versionAt, now)}.`;
  const looked = lookedAt === null ? null : html` Looked at ${formatMoment(lookedAt, now)}.`;
  const again =
    source.kind === 'file'
      ? html` It is read again when it changes.`
      : next === null
        ? null
        : html` It is fetched again ${formatAhead(next, now)}.`;
  const address = `${statusPath}/${repository.id}/specifications/${encodeURIComponent(name)}/read`;
  const words = source.kind === 'file' ? 'Read again' : 'Fetch again';
  return row(
    html`<strong>${name}</strong> from ${href === null ? place : html`<a href="${href}">${place}</a>`}`,
    stateOfSpec(seen),
    maySync && repository.disconnected === null ? renderButton(address, words, name) : null,
    [
      ...(spec.error === null ? [] : [html`<p class="small error">${spec.error}</p>`]),
      html`<p class="small soft">${version}${looked}${again}</p>`,
    ],
  );
}

function stateOfSpec({ spec, live, versionAt }: VisibleSpec): State {
  if (live !== null && live.processingState !== 'complete') return { tone: 'wait', word: 'Reading' };
  if (spec.error !== null) return { tone: 'bad', word: 'Failed' };
  return versionAt === null ? { tone: 'idle', word: 'Waiting' } : { tone: 'good', word: 'Live' };
}

function renderTranslation(
  { repository, maySync }: VisibleRepository,
  seen: VisibleTranslation,
  now: Date,
): Markup {
  const { translation, live, source } = seen;
  const { language, directory, error } = translation;
  const result = live?.result?.space;
  const name = nameOf(language);
  const of = source?.title ?? (directory === '' ? 'the whole repository' : `${directory}/`);
  const isRunning = stateOfTranslation(seen).word === 'Running';
  const mayRun = maySync && live?.permissions.edit === true && !isRunning;
  const reason = error ?? (live?.status === 'failed' ? (live.error ?? null) : null);
  return row(
    html`<strong>${result === undefined ? name : html`<a href="${spacePath(result)}">${name}</a>`}</strong> of ${of}`,
    stateOfTranslation(seen),
    mayRun && live !== null
      ? renderButton(
          `${statusPath}/${repository.id}/translations/${live.id}/run`,
          'Run again',
          `${name} of ${of}`,
        )
      : null,
    [
      ...(reason === null ? [] : [html`<p class="small error">${reason}</p>`]),
      html`<p class="small soft">${live === null ? null : describeRuns(seen, live, now)}${describeNext(seen, now)}</p>`,
    ],
  );
}

function describeRuns(
  { translation: { maxWords } }: VisibleTranslation,
  { provider, stats, updatedAt, status }: NonNullable<VisibleTranslation['live']>,
  now: Date,
): Markup {
  const { runs, latestWords, latestRequests, totalWords, untranslated } = stats;
  const isPseudo = provider === 'pseudo';
  if (runs === 0 && status === 'pending') return html`It was not run yet.`;
  const when =
    status === 'completed' || status === 'failed'
      ? html`The last run, ${formatMoment(updatedAt, now)},`
      : html`The run under way`;
  const did = isPseudo
    ? html`marked ${plural(latestWords, 'word')}; the pseudo-locale translates nothing.`
    : html`had ${plural(latestWords, 'word')} translated by <code>${provider}</code> in ${plural(latestRequests, 'request')}${
        maxWords === null ? null : html` (a run may send ${formatNumber(maxWords)})`
      }.`;
  const all =
    runs > 1 ? html` It was run ${formatNumber(runs)} times, for ${plural(totalWords, 'word')}.` : null;
  const left =
    untranslated === 0 ? null : html` ${plural(untranslated, 'text')} stayed in the language of the source.`;
  return html`${when} ${did}${all}${left}`;
}

function describeNext(
  { translation: { isNamed, next, error }, live }: VisibleTranslation,
  now: Date,
): Markup | null {
  if (!isNamed) return html` The configuration names it no longer, so it stays as it is.`;
  // What is wrong says what has to be done.
  if (error !== null) return html` It continues once this is fixed.`;
  if (live === null) return html` It is made within a minute.`;
  if (live.status === 'pending' && live.stats.runs === 0) return html` It is run within a minute.`;
  if (next !== null) return html` It is run again ${formatAhead(next, now)}.`;
  return live.status === 'failed'
    ? html` It is run again an hour after that, or when the space changes.`
    : html` It is run again when the space changes.`;
}

function stateOfTranslation({ translation, live, source }: VisibleTranslation): State {
  if (!translation.isNamed) return { tone: 'idle', word: 'Left alone' };
  if (live?.status === 'running' || (live?.status === 'pending' && live.stats.runs > 0))
    return { tone: 'wait', word: 'Running' };
  if (translation.error !== null || live?.status === 'failed') return { tone: 'bad', word: 'Failed' };
  if (live === null || live.status === 'pending') return { tone: 'idle', word: 'Waiting' };
  return source?.revision !== undefined && live.result?.sourceRevision !== source.revision
    ? { tone: 'wait', word: 'Behind' }
    : { tone: 'good', word: 'Current' };
}

/** `pt-br` is “Brazilian Portuguese”. */
function nameOf(language: string): string {
  return new Intl.DisplayNames(['en'], { type: 'language' }).of(language) ?? language;
}
