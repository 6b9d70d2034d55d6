import { languages, type Organization, type Space, type Translation } from '../../client/index.ts';
import { html, type Markup } from '../../markup/index.ts';
import type { SegmentState, TranslatedPage } from '../../platform/index.ts';
import { organizationPath, spacePath, translationPagePath, translationPath } from '../addresses.ts';
import { formatMessage, formatMoment, formatNumber, plural } from '../format.ts';
import { renderButton } from './action-button.ts';
import { confirmation } from './checkbox.ts';
import { renderFacts } from './facts.ts';
import { renderMore } from './more-link.ts';
import { type PageNews, renderOrganizationPage } from './organization-frame.ts';
import { selectInput } from './select-input.ts';
import { renderTabs } from './tabs.ts';

/** What an organization's page of translations needs besides its main part. */
export interface TranslationsFrame extends PageNews {
  readonly organization: Organization;
  readonly user: { readonly displayName: string };
}

/** A translation with its spaces; null for those that the reader may not see, or that are gone. */
export interface TranslationWithSpaces {
  readonly translation: Translation;
  readonly source: Space | null;
  readonly result: Space | null;
}

/** States of a text, in the order in which they are shown. */
export const STATE_WORDS: Readonly<Record<SegmentState, { readonly word: string; readonly tone: string }>> = {
  outdated: { word: 'Outdated', tone: 'wait' },
  missing: { word: 'Missing', tone: 'bad' },
  corrected: { word: 'Corrected', tone: 'good' },
  machine: { word: 'Machine', tone: '' },
};

const languageNames = new Intl.DisplayNames(['en'], { type: 'language' });

export function nameLanguage(language: string): string {
  return languageNames.of(language) ?? language;
}

/** The translations of an organization, or of one of its spaces, each with its state. */
export function renderTranslations(
  options: TranslationsFrame & {
    readonly translations: readonly TranslationWithSpaces[];
    /** The one whose translations are shown; null for all. */
    readonly space: Space | null;
    readonly more: string | null;
    readonly now: Date;
  },
): string {
  const { organization, translations, space, more, now } = options;
  const all = organizationPath(organization.id, 'translations');
  return renderOrganizationPage({
    ...options,
    section: 'translations',
    ...(space === null ? {} : { title: `Translations of ${space.title}` }),
    actions: organization.permissions.createContent
      ? html`<a class="button" href="${all}/new${space === null ? null : `?space=${encodeURIComponent(space.id)}`}">New translation</a>`
      : null,
    main: html`<p class="lead">A translation keeps a space in another language. What people correct stays, whatever is translated later.</p>
${space === null ? null : html`<p><a href="${all}">All translations</a></p>`}
${
  translations.length === 0
    ? html`<div class="empty"><p>There is no translation yet. A repository names its own under <code>translations</code> in <code>docloom.yml</code>.</p></div>`
    : html`<ul class="plain list">
${translations.map((listed) => renderRow(organization, listed, now))}</ul>`
}
${renderMore(more, 'More translations')}`,
  });
}

function renderRow(organization: Organization, listed: TranslationWithSpaces, now: Date): Markup {
  const { translation, source } = listed;
  return html`<li class="list-row"><div class="list-main"><a href="${translationPath(organization.id, translation.id)}">${source?.title ?? 'A space'} in ${nameLanguage(translation.language)}</a>
<p class="small soft">${describeProvider(translation)}${translation.stats.untranslated === 0 ? null : ` · ${plural(translation.stats.untranslated, 'text')} stayed in the language of the source`}</p></div>
<span class="small soft list-time">${formatMoment(translation.updatedAt, now)}</span>${renderState(listed)}</li>
`;
}

function describeProvider({ provider }: Translation): string {
  return provider === 'pseudo' ? 'Pseudo-locale, which translates nothing' : `By ${provider}`;
}

function renderState({ translation, source }: TranslationWithSpaces): Markup {
  const { status, result } = translation;
  if (status === 'failed') return html`<span class="state bad">Failed</span>`;
  if (status === 'running') return html`<span class="state wait">Running</span>`;
  if (status === 'pending')
    return html`<span class="state wait">${translation.stats.runs === 0 ? 'Not run yet' : 'Waiting to run'}</span>`;
  return source !== null && result?.sourceRevision !== source.revision
    ? html`<span class="state wait">Behind its source</span>`
    : html`<span class="state good">Up to date</span>`;
}

/** One translation: how its last run ended, and its pages with the states of their texts. */
export function renderTranslation(
  options: TranslationsFrame &
    TranslationWithSpaces & {
      /** Null where the texts are on another platform. */
      readonly pages: {
        readonly items: readonly TranslatedPage[];
        /** The state that all of them have texts in; null for all pages. */
        readonly state: SegmentState | null;
        readonly more: string | null;
        readonly problem: string | null;
      } | null;
      readonly now: Date;
    },
): string {
  const { organization, translation, source, result, pages, now } = options;
  const path = (part = '') => translationPath(organization.id, translation.id, part);
  const { stats, problems } = translation;
  const title = `${source?.title ?? 'A space'} in ${nameLanguage(translation.language)}`;
  return renderOrganizationPage({
    ...options,
    section: 'translations',
    title,
    actions: html`<div class="buttons">${renderState(options)}${translation.permissions.edit ? renderButton(path('run'), 'Run now', title) : null}</div>`,
    main: html`${translation.error === undefined ? null : html`<p class="notice bad"><strong>The last run failed.</strong> ${formatMessage(translation.error)}</p>`}
${renderFacts([
  [
    'Source',
    source === null
      ? 'Not visible to you'
      : html`<a href="${spacePath(source.id)}">${source.title}</a> (${nameLanguage(translation.source.language)})`,
  ],
  ['Result', result === null ? 'None yet' : html`<a href="${spacePath(result.id)}">${result.title}</a>`],
  ['Translated by', describeProvider(translation)],
  [
    'Last run',
    stats.runs === 0
      ? 'Not run yet'
      : html`${formatMoment(translation.updatedAt, now)}: ${plural(stats.latestPages, 'page')} written, ${plural(stats.latestWords, 'word')} translated`,
  ],
])}
${
  problems.length === 0
    ? null
    : html`<details class="notice wait"><summary>${plural(stats.untranslated, 'text')} stayed in the language of the source</summary>
<ul>${problems.map(({ path: file, line, message }) => html`<li>${formatMessage(message)} <code>${file}:${line}</code></li>`)}</ul></details>`
}
${pages === null ? null : renderPages(organization, translation, pages)}
${translation.permissions.edit ? renderSettings(path, translation) : null}`,
  });
}

function renderPages(
  organization: Organization,
  translation: Translation,
  { items, state, more, problem }: NonNullable<Parameters<typeof renderTranslation>[0]['pages']>,
): Markup {
  const path = translationPath(organization.id, translation.id);
  return html`<h2 id="docloom-pages">Pages</h2>
${problem === null ? null : html`<p class="notice wait">${problem}</p>`}
${renderStates(path, state)}
${
  items.length === 0
    ? html`<p class="soft">${more === null ? 'There is no such page.' : 'There is no such page among those that were looked at.'}</p>`
    : html`<ul class="plain list">
${items.map(
  ({
    path: file,
    counts,
  }) => html`<li class="list-row"><div class="list-main"><a href="${translationPagePath(organization.id, translation.id, { path: file, state })}">${file}</a></div>
<span class="small soft">${Object.entries(STATE_WORDS)
    .filter(([name]) => counts[name as SegmentState] > 0)
    .map(([name, { word }]) => `${formatNumber(counts[name as SegmentState])} ${word.toLowerCase()}`)
    .join(', ')}</span></li>
`,
)}</ul>`
}
${renderMore(more, 'More pages')}`;
}

/** Links that choose the state of what is shown. @param path without a query, or with one */
export function renderStates(path: string, state: SegmentState | null): Markup {
  const addressOf = (name: string | null) =>
    name === null ? path : `${path}${path.includes('?') ? '&' : '?'}state=${name}`;
  return renderTabs({
    about: 'States',
    tabs: [
      { href: addressOf(null), label: 'All' },
      ...Object.entries(STATE_WORDS).map(([name, { word }]) => ({ href: addressOf(name), label: word })),
    ],
    current: addressOf(state),
  });
}

function renderSettings(path: (part?: string) => string, translation: Translation): Markup {
  return html`<h2>Settings</h2>
<p>The glossary and the instructions for the translator are set in <code>docloom.yml</code>, or through the API.</p>
<div class="side-by-side after">
<form class="card" method="post" action="${path('provider')}">
${selectProvider(translation.provider)}
<button type="submit">Save</button></form>
<form class="card" method="post" action="${path('delete')}">
<h3>Delete it</h3>
<p>Its corrections are gone. The space of the result stays as it is.</p>
${confirmation('Delete the translation')}
<button class="danger" type="submit">Delete the translation</button></form></div>`;
}

function selectProvider(selected: string): Markup {
  return selectInput({
    id: 'docloom-provider',
    name: 'provider',
    label: 'Translated by',
    options: [
      { value: 'pseudo', label: 'Pseudo-locale: no translation, to try layout and links' },
      { value: 'openai', label: 'openai' },
      { value: 'deepl', label: 'deepl' },
      { value: 'libretranslate', label: 'libretranslate' },
    ],
    selected,
    hint: 'A service has to be set up on the server.',
  });
}

/** A form for a new translation. */
export function renderNewTranslation(
  options: TranslationsFrame & {
    /** At most as many as the platform lists at once. */
    readonly spaces: readonly Space[];
    readonly values: { readonly space: string; readonly language: string; readonly provider: string };
  },
): string {
  const { organization, spaces, values } = options;
  return renderOrganizationPage({
    ...options,
    section: 'translations',
    title: 'New translation',
    main: html`<form class="card reading" method="post" action="${organizationPath(organization.id, 'translations/new')}">
${selectInput({
  id: 'docloom-space',
  name: 'space',
  label: 'Space',
  options: spaces.map(({ id, title }) => ({ value: id, label: title })),
  selected: values.space,
})}
${selectInput({
  id: 'docloom-language',
  name: 'language',
  label: 'Language',
  options: languages.map((code) => ({ value: code, label: nameLanguage(code) })),
  selected: values.language,
})}
${selectProvider(values.provider)}
<div class="buttons"><button type="submit">Create and run</button><a href="${organizationPath(organization.id, 'translations')}">Cancel</a></div>
</form>`,
  });
}
