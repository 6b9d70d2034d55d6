import type { ChangedFile, FileComparison, SemanticChange } from '../../client/index.ts';
import { html, type Markup } from '../../markup/index.ts';
import { formatNumber } from '../format.ts';

/** How the difference of a file is shown. */
export type ShownDifference =
  | {
      readonly kind: 'rendered';
      readonly content: Markup;
      readonly isSame: boolean;
      /** What was said about the page as a whole, with a form; null where nobody comments. */
      readonly discussion: Markup | null;
    }
  | { readonly kind: 'source'; readonly comparison: FileComparison }
  | { readonly kind: 'pictures'; readonly before: string | null; readonly after: string | null }
  /** Too large to be shown with the others. */
  | { readonly kind: 'closed' }
  | { readonly kind: 'problem'; readonly sentence: string };

export interface FileView {
  readonly file: ChangedFile;
  /** What differs besides the text. */
  readonly changes: readonly SemanticChange[];
  readonly shown: ShownDifference;
  /** The id of its box. */
  readonly anchor: string;
  /** The same file shown the other way, or shown at all. */
  readonly addresses: { readonly rendered: string | null; readonly source: string; readonly open: string };
  /** The page in the preview; null for a file that is none, or is removed. */
  readonly preview: string | null;
  /** The editor of the file; null where the reader may not, or it is removed. */
  readonly edit: string | null;
}

const KINDS = {
  added: { words: 'Added', tone: 'good' },
  changed: { words: 'Changed', tone: 'wait' },
  moved: { words: 'Moved', tone: 'idle' },
  removed: { words: 'Removed', tone: 'bad' },
} as const;

/** A changed file in its box, with the difference as readers will see it or as it is written. */
export function renderChangedFile(view: FileView): Markup {
  const { file, shown, anchor } = view;
  const { words, tone } = KINDS[file.kind];
  const title = file.page?.title ?? file.path.split('/').at(-1) ?? file.path;
  return html`<details class="changed-file" id="${anchor}"${shown.kind === 'closed' ? null : html` open`}>
<summary><span class="kind ${tone}">${words}</span> <span class="grow"><strong>${title}</strong> <code class="path">${
    file.previousPath === undefined ? null : html`${file.previousPath} → `
  }${file.path}</code></span>${renderSize(shown)}</summary>
<div class="changed-body">
${renderTools(view)}
${renderNotes(view)}
${renderShown(view)}
</div></details>
`;
}

function renderSize(shown: ShownDifference): Markup | null {
  if (shown.kind !== 'source') return null;
  const { added, removed } = shown.comparison;
  return html`<span class="counts"><span class="plus">+${formatNumber(added)}</span> <span class="minus">−${formatNumber(removed)}</span><span class="visually-hidden"> lines</span></span>`;
}

function renderTools({ file, addresses, preview, edit, shown }: FileView): Markup | null {
  const { rendered, source } = addresses;
  const choices =
    rendered === null
      ? null
      : html`<ul class="switch" aria-label="How ${file.path} is shown">
<li><a href="${rendered}"${shown.kind === 'rendered' ? html` aria-current="true"` : null}>Rendered</a></li>
<li><a href="${source}"${shown.kind === 'source' ? html` aria-current="true"` : null}>Source</a></li>
</ul>`;
  const links = [
    edit === null ? null : html`<a href="${edit}">Edit</a>`,
    preview === null ? null : html`<a href="${preview}">Preview the page</a>`,
  ].filter((link) => link !== null);
  return choices === null && links.length === 0
    ? null
    : html`<div class="file-tools">${choices}<span class="file-links">${links}</span></div>`;
}

/** Changes of a page that its text does not show. */
function renderNotes({ changes }: FileView): Markup | null {
  const notes = changes.flatMap(describe);
  return notes.length === 0
    ? null
    : html`<ul class="notes small">${notes.map((note) => html`<li>${note}</li>`)}</ul>`;
}

const ATTRIBUTES = {
  title: 'Title',
  description: 'Description',
  slug: 'Address',
  emoji: 'Emoji',
} as const;

function describe(change: SemanticChange): Markup[] {
  if (change.type === 'page_moved') {
    const { before, after } = change.parent ?? {};
    const place = (page: { readonly title: string } | undefined) =>
      page === undefined ? 'the top' : html`“${page.title}”`;
    return [html`Moved in the navigation from ${place(before)} to ${place(after)}`];
  }
  const { attributes } = change;
  if (change.type !== 'page_edited' || attributes === undefined) return [];
  const texts = (Object.keys(ATTRIBUTES) as (keyof typeof ATTRIBUTES)[]).flatMap((name) => {
    const value = attributes[name];
    if (value === undefined) return [];
    const { before, after } = value;
    return html`${ATTRIBUTES[name]}: ${before === undefined ? null : html`<del>${before}</del> `}${after === undefined ? null : html`<ins>${after}</ins>`}`;
  });
  const others = [
    ...(attributes.cover ? ['Cover'] : []),
    ...(attributes.layout ? ['Layout'] : []),
    ...(attributes.variables ? ['Variables'] : []),
  ];
  return others.length === 0 ? texts : [...texts, html`${others.join(', ')} changed`];
}

function renderShown({ file, shown, addresses }: FileView): Markup {
  switch (shown.kind) {
    case 'rendered':
      return html`${shown.isSame ? html`<p class="soft small">Readers see the same text; the source differs.</p>` : null}
<article class="content diff-content">${shown.content}</article>${shown.discussion}`;
    case 'source':
      return renderSource(shown.comparison);
    case 'pictures':
      return html`<div class="pictures">${renderPicture('Before', 'bad', shown.before, file.path)}${renderPicture('After', 'good', shown.after, file.path)}</div>`;
    case 'problem':
      return html`<p class="soft">${shown.sentence}</p>`;
    case 'closed':
      return html`<p><a class="button quiet" href="${addresses.open}">Show this difference</a></p>`;
  }
}

function renderPicture(words: string, tone: string, address: string | null, path: string): Markup | null {
  return address === null
    ? null
    : html`<figure><figcaption class="small ${tone}">${words}</figcaption><img src="${address}" alt="${path}, ${words.toLowerCase()}" loading="lazy"></figure>`;
}

const SIGNS = { context: ' ', added: '+', removed: '−' } as const;
const WORDS = { context: null, added: 'added: ', removed: 'removed: ' } as const;

/** Hunks as a table of lines, with the numbers of both sides. */
export function renderSource({ hunks, problem, file }: FileComparison): Markup {
  if (problem !== undefined) return html`<p class="soft">${problem}</p>`;
  if (hunks.length === 0)
    return html`<p class="soft">${file.kind === 'moved' ? 'Only its place differs.' : 'No line differs.'}</p>`;
  return html`<div class="source-diff" tabindex="0" role="region" aria-label="Lines of ${file.path} that differ"><table>
${hunks.map((hunk) => {
  let [old, now] = [hunk.oldStart, hunk.newStart];
  return html`<tbody><tr class="hunk"><td colspan="3">Line ${hunk.newStart}</td></tr>
${hunk.lines.map(({ kind, spans, noNewline }) => {
  const numbers = [kind === 'added' ? '' : String(old++), kind === 'removed' ? '' : String(now++)];
  return html`<tr class="${kind}"><td class="line">${numbers[0]}</td><td class="line">${numbers[1]}</td><td class="text"><span class="sign" aria-hidden="true">${SIGNS[kind]}</span>${
    WORDS[kind] === null ? null : html`<span class="visually-hidden">${WORDS[kind]}</span>`
  }${spans.map(({ text, marked }) => (marked ? html`<mark>${text}</mark>` : text))}${
    noNewline ? html`<span class="soft"> (no line break at the end)</span>` : null
  }</td></tr>
`;
})}</tbody>`;
})}</table></div>`;
}
