import { html, type Markup, safeHref } from '../../markup/index.ts';
import { spacePath, statusPath } from '../addresses.ts';
import { formatAhead, formatMessage, formatMoment, formatNumber, plural } from '../format.ts';
import type { VisibleRepository, VisibleSpec, VisibleTranslation } from '../routes/load-visible-status.ts';
import { renderButton } from './action-button.ts';

interface State {
  readonly tone: 'good' | 'wait' | 'bad' | 'idle';
  readonly word: string;
}

/** What the configuration declares besides spaces: API specifications and translations. */
export function renderConfigured(visible: VisibleRepository, now: Date): Markup {
  const { specifications, translations } = visible;
  return html`${section(
    'API specifications',
    specifications.map((spec) => renderSpec(visible, spec, now)),
  )}${section(
    'Translations',
    translations.map((translation) => renderTranslation(visible, translation, now)),
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

function renderSpec({ repository, maySync }: VisibleRepository, visible: VisibleSpec, now: Date): Markup {
  const { spec, live, versionAt } = visible;
  const { name, source, lookedAt, next } = spec;
  const href = safeHref(source.kind === 'file' ? `${repository.url}/blob/HEAD/${source.at}` : source.at);
  const location = html`<code>${source.at}</code>`;
  const published = safeHref(live?.urls.published);
  const version =
    versionAt === null
      ? html`No version is live yet.`
      : html`${published === null ? 'The live version' : html`<a href="${published}">The live version</a>`} was created ${formatMoment(versionAt, now)}.`;
  const checked = lookedAt === null ? null : html` Checked ${formatMoment(lookedAt, now)}.`;
  const nextCheck =
    source.kind === 'file'
      ? html` It is read again when it changes.`
      : next === null
        ? null
        : html` It is fetched again ${formatAhead(next, now)}.`;
  const address = `${statusPath}/${repository.id}/specifications/${encodeURIComponent(name)}/read`;
  const words = source.kind === 'file' ? 'Read again' : 'Fetch again';
  return row(
    html`<strong>${name}</strong> from ${href === null ? location : html`<a href="${href}">${location}</a>`}`,
    stateOfSpec(visible),
    maySync && repository.disconnected === null ? renderButton(address, words, name) : null,
    [
      ...(spec.error === null ? [] : [html`<p class="small error">${formatMessage(spec.error)}</p>`]),
      html`<p class="small soft">${version}${checked}${nextCheck}</p>`,
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
  visible: VisibleTranslation,
  now: Date,
): Markup {
  const { translation, live, source } = visible;
  const { language, directory, error } = translation;
  const result = live?.result?.space;
  const name = nameOf(language);
  const space = source?.title ?? (directory === '' ? 'the whole repository' : `${directory}/`);
  const isRunning = stateOfTranslation(visible).word === 'Running';
  const mayRun = maySync && live?.permissions.edit === true && !isRunning;
  const reason = error ?? (live?.status === 'failed' ? (live.error ?? null) : null);
  return row(
    html`<strong>${result === undefined ? name : html`<a href="${spacePath(result)}">${name}</a>`}</strong> of ${space}`,
    stateOfTranslation(visible),
    mayRun && live !== null
      ? renderButton(
          `${statusPath}/${repository.id}/translations/${live.id}/run`,
          'Run again',
          `${name} of ${space}`,
        )
      : null,
    [
      ...(reason === null ? [] : [html`<p class="small error">${formatMessage(reason)}</p>`]),
      html`<p class="small soft">${live === null ? null : describeRuns(visible, live, now)}${describeNext(visible, now)}</p>`,
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
  if (runs === 0 && status === 'pending') return html`It has not run yet.`;
  const when =
    status === 'completed' || status === 'failed'
      ? html`The last run, ${formatMoment(updatedAt, now)},`
      : html`The current run`;
  const result = isPseudo
    ? html`marked ${plural(latestWords, 'word')}; the pseudo-locale translates nothing.`
    : html`had ${plural(latestWords, 'word')} translated by <code>${provider}</code> in ${plural(latestRequests, 'request')}${
        maxWords === null ? null : html` (a run may send ${formatNumber(maxWords)})`
      }.`;
  const all = runs > 1 ? html` It ran ${formatNumber(runs)} times, for ${plural(totalWords, 'word')}.` : null;
  const left =
    untranslated === 0 ? null : html` ${plural(untranslated, 'text')} stayed in the language of the source.`;
  return html`${when} ${result}${all}${left}`;
}

function describeNext(
  { translation: { isNamed, next, error }, live }: VisibleTranslation,
  now: Date,
): Markup | null {
  if (!isNamed) return html` The configuration no longer names it, so it is not updated any more.`;
  // The error message says what to do.
  if (error !== null) return html` It continues once this is fixed.`;
  if (live === null) return html` It is created within a minute.`;
  if (live.status === 'pending' && live.stats.runs === 0) return html` It runs within a minute.`;
  if (next !== null) return html` It runs again ${formatAhead(next, now)}.`;
  return live.status === 'failed'
    ? html` It runs again an hour after that, or when the space changes.`
    : html` It runs again when the space changes.`;
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

/** `pt-br` becomes “Brazilian Portuguese”. */
function nameOf(language: string): string {
  return new Intl.DisplayNames(['en'], { type: 'language' }).of(language) ?? language;
}
