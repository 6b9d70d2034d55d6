import { readFileSync } from 'node:fs';

/** The stylesheets, in the order in which they apply. Comments such as `part tabs` cut them into parts. */
const FILES = ['site.css', 'blocks.css', 'operation.css'];

/** What calls for a part of the stylesheets: one of these on a page. */
export interface StylePart {
  readonly classes?: readonly string[];
  readonly tags?: readonly string[];
  /** For what scripts and printers show: pages load it when everything else is there. */
  readonly isLater?: true;
}

/** A part without a row is for nothing that pages of sites have. */
export const STYLE_PARTS: Readonly<Record<string, StylePart>> = {
  core: { tags: ['body'] },
  notices: { classes: ['bar', 'announcement'] },
  untranslated: { classes: ['untranslated'] },
  variants: { classes: ['variants'] },
  links: { classes: ['links'] },
  cover: { classes: ['cover'] },
  feedback: { classes: ['feedback'] },
  table: { tags: ['table'] },
  hints: { classes: ['hint', 'alert'] },
  tabs: { classes: ['tab', 'tabs'] },
  cards: { classes: ['columns', 'cards', 'card'] },
  boxes: { classes: ['content-ref', 'include', 'embed', 'file', 'openapi', 'prompt'] },
  labels: { classes: ['button', 'badge', 'notice'] },
  code: { tags: ['pre'] },
  stepper: { classes: ['stepper', 'step'] },
  file: { classes: ['file'] },
  openapi: { classes: ['openapi', 'operation', 'method', 'panel', 'fields'] },
  update: { classes: ['update'] },
  math: { classes: ['math'], tags: ['math'] },
  'file-tree': { classes: ['file-tree'] },
  'read-more': { classes: ['read-more'] },
  'api-switch': { classes: ['api-switch'] },
  'search-page': { classes: ['search-page', 'search-results'] },
  answer: { classes: ['answer', 'ask'], isLater: true },
  scopes: { classes: ['scopes'], isLater: true },
  video: { classes: ['video'] },
  diagram: { classes: ['diagram'] },
  landing: { classes: ['landing', 'welcome'] },
  operation: { classes: ['operation'] },
  later: { isLater: true },
};

interface CutPart {
  readonly name: string;
  readonly css: string;
}

let cut: readonly CutPart[] | undefined;

/** The parts of all stylesheets, in their order; several can have the same name. */
export function cutStyles(): readonly CutPart[] {
  cut ??= FILES.flatMap((file) => {
    const css = readFileSync(new URL(`../assets/${file}`, import.meta.url), 'utf8');
    const [first = '', ...rest] = css.split(/^\/\* part ([\w-]+) \*\/$/m);
    const parts = [{ name: 'core', css: first }];
    for (let at = 0; at < rest.length; at += 2) parts.push({ name: rest[at] ?? '', css: rest[at + 1] ?? '' });
    return parts.map(({ name, css }) => ({ name, css: withoutSpace(css) }));
  });
  return cut;
}

/** What a page needs to be shown, by its HTML. Words that only look like a tag or class call for a part, too. */
export function stylesFor(html: string): string {
  const classes = new Set<string>();
  for (const [, names = ''] of html.matchAll(/ class="([^"]*)"/g))
    for (const name of names.split(' ')) classes.add(name);
  const tags = new Map<string, boolean>();
  const hasTag = (tag: string) => {
    const known = tags.get(tag) ?? new RegExp(`<${tag}[ >]`).test(html);
    tags.set(tag, known);
    return known;
  };
  return join(
    (part) => part.classes?.some((name) => classes.has(name)) === true || part.tags?.some(hasTag) === true,
  );
}

/** What pages load when they are shown. */
export function laterStyles(): string {
  return join(({ isLater }) => isLater === true);
}

function join(isNeeded: (part: StylePart) => boolean): string {
  return cutStyles()
    .flatMap(({ name, css }) => (isNeeded(STYLE_PARTS[name] ?? {}) ? [css] : []))
    .join('');
}

/** The files are formatted: a line break stands for a space, or for nothing, and is in no text. */
function withoutSpace(css: string): string {
  return css
    .replace(/\/\*.*?\*\//gs, '')
    .replace(/\s*\n\s*/g, '\n')
    .replace(/^\n|(?<=[{};,])\n|\n(?=\})|;(?=\n\})/g, '')
    .replaceAll('\n', ' ')
    .replaceAll(': ', ':')
    .replaceAll(' {', '{');
}
