import type { Space, Translation } from '../../client/index.ts';
import { html, type Markup } from '../../markup/index.ts';
import type {
  CorrectionAuthor,
  SegmentState,
  TranslatedPage,
  TranslatedSegment,
} from '../../platform/index.ts';
import { spacePath, translationPagePath, translationPath } from '../addresses.ts';
import { formatMoment } from '../format.ts';
import { renderMore } from './more-link.ts';
import { renderOrganizationPage } from './organization-frame.ts';
import { textArea } from './text-area.ts';
import { nameLanguage, renderStates, STATE_WORDS, type TranslationsFrame } from './translations-view.ts';

/** In characters, of a correction. */
export const MAX_CORRECTION = 10_000;

/** The texts of a page beside their translations, and a form for the one that is corrected. */
export function renderSegments(
  options: TranslationsFrame & {
    readonly translation: Translation;
    readonly source: Space | null;
    readonly result: Space | null;
    readonly page: TranslatedPage;
    readonly segments: readonly TranslatedSegment[];
    readonly state: SegmentState | null;
    readonly from: number;
    readonly next: number | null;
    readonly mayCorrect: boolean;
    /** Why it is unknown what the provider translated; null when it is known. */
    readonly unknown: string | null;
    /** The text with a form: its key, and what was entered and refused before. */
    readonly editing: {
      readonly key: string;
      readonly entered: string | null;
      readonly refused: string | null;
    } | null;
    readonly now: Date;
  },
): string {
  const { organization, translation, source, result, page, state, segments, next, now } = options;
  const address = (rest: { readonly from?: number; readonly edit?: string } = {}) =>
    translationPagePath(organization.id, translation.id, { path: page.path, state, ...rest });
  const stays = translation.problems.find(
    (problem) => problem.path === page.path && problem.message.startsWith('People changed more'),
  );
  let isOpen = false;
  const rows = segments.map((segment) => {
    const editing = !isOpen && options.editing?.key === segment.key ? options.editing : null;
    if (editing !== null) isOpen = true;
    return renderSegment({ segment, translation, address, options, editing, now });
  });
  return renderOrganizationPage({
    ...options,
    section: 'translations',
    crumbs: [
      {
        title: `${source?.title ?? 'A space'} in ${nameLanguage(translation.language)}`,
        href: translationPath(organization.id, translation.id),
      },
    ],
    title: page.path,
    main: html`${options.unknown === null ? null : html`<p class="notice wait">${options.unknown}</p>`}
${
  stays === undefined
    ? null
    : html`<p class="notice wait">${stays.message}${result === null ? null : html` <a href="${spacePath(result.id)}">The space of the result</a> has it.`}</p>`
}
<p class="lead">A correction stays when the page is translated again. It holds for the same text on every page.</p>
${renderStates(translationPagePath(organization.id, translation.id, { path: page.path, state: null }), state)}
${segments.length === 0 ? html`<p class="soft">There is no such text.</p>` : html`<ul class="plain list segments">${rows}</ul>`}
${renderMore(next === null ? null : address({ from: next }), 'More texts')}`,
  });
}

type Address = (rest?: { readonly from?: number; readonly edit?: string }) => string;

function renderSegment({
  segment,
  translation,
  address,
  options,
  editing,
  now,
}: {
  readonly segment: TranslatedSegment;
  readonly translation: Translation;
  readonly address: Address;
  readonly options: Parameters<typeof renderSegments>[0];
  readonly editing: Parameters<typeof renderSegments>[0]['editing'];
  readonly now: Date;
}): Markup {
  const { key, line, source, before, state, reason, correctedBy } = segment;
  const { word, tone } = STATE_WORDS[state];
  const from = options.from === 0 ? {} : { from: options.from };
  return html`<li id="docloom-${key}" class="segment">
<div class="segment-pair">
<div><p class="small soft">Line ${line}</p><p class="said" dir="auto" lang="${translation.source.language}">${source}</p></div>
<div><p class="small soft"><span class="state ${tone}">${word}</span>${correctedBy === null ? null : html` ${renderAuthor(correctedBy, now)}`}</p>
${segment.translation === null ? html`<p class="soft">${reason === null ? 'Not translated yet.' : `Not translated: ${reason}.`}</p>` : html`<p class="said" dir="auto" lang="${translation.language}">${segment.translation}</p>`}
${editing !== null || !options.mayCorrect ? null : html`<p class="small"><a href="${address({ ...from, edit: key })}#docloom-${key}">Correct<span class="visually-hidden"> line ${line}</span></a></p>`}</div>
</div>
${before === null ? null : renderBefore(before, translation, now)}
${editing === null ? null : renderForm(segment, options, editing, address(from))}
</li>
`;
}

function renderAuthor({ name, at }: CorrectionAuthor, now: Date): Markup {
  return html`${name === null ? 'in the result' : html`by ${name}`}, ${formatMoment(at, now)}`;
}

function renderBefore(
  before: NonNullable<TranslatedSegment['before']>,
  translation: Translation,
  now: Date,
): Markup {
  return html`<div class="segment-pair segment-before">
<div><p class="small soft">The source was</p><p class="said" dir="auto" lang="${translation.source.language}">${before.source}</p></div>
<div><p class="small soft">Corrected ${renderAuthor(before.by, now)}</p><p class="said" dir="auto" lang="${translation.language}">${before.translation}</p></div>
</div>`;
}

function renderForm(
  segment: TranslatedSegment,
  { organization, translation, state, from }: Parameters<typeof renderSegments>[0],
  { entered, refused }: NonNullable<Parameters<typeof renderSegments>[0]['editing']>,
  cancel: string,
): Markup {
  const text = entered ?? segment.before?.translation ?? segment.translation ?? segment.source;
  const hidden = { key: segment.key, version: segment.version, state: state ?? '', from: String(from) };
  const path = translationPath(organization.id, translation.id, 'correct');
  const fields = (page: string) =>
    Object.entries({ ...hidden, path: page }).map(
      ([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`,
    );
  const page = new URL(cancel, 'http://localhost').searchParams.get('path') ?? '';
  return html`<div class="segment-form">
<form method="post" action="${path}">${fields(page)}
${textArea({
  id: 'docloom-text',
  name: 'text',
  label: `Line ${segment.line} in ${nameLanguage(translation.language)}`,
  rows: Math.min(12, 2 + Math.ceil(text.length / 90)),
  isRequired: true,
  maxLength: MAX_CORRECTION,
  value: text,
  hint: 'In Markdown, with the links, code and pictures that the source has.',
  problem: refused,
})}
<div class="buttons"><button type="submit" name="act" value="save">Save</button><a href="${cancel}">Cancel</a></div></form>
${
  segment.state === 'outdated' && segment.translation !== null
    ? html`<form method="post" action="${path}">${fields(page)}<input type="hidden" name="text" value="${segment.translation}"><button class="quiet" type="submit" name="act" value="save">Keep the new translation</button></form>`
    : null
}
${
  segment.state === 'corrected'
    ? html`<form method="post" action="${path}">${fields(page)}<button class="quiet" type="submit" name="act" value="remove">Take the correction back</button></form>`
    : null
}</div>`;
}
