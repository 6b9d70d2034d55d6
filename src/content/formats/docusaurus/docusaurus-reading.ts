import type { Nodes } from 'mdast';
import { createReading, type PageNotes, type PreparedSource } from '../../facts/reading.ts';
import type { Place } from '../../model.ts';
import { CLOSE, docusaurusHeadings, OPEN } from './docusaurus-headings.ts';

const shared = { headings: docusaurusHeadings, prepare, enter: noteImports, tag: noteTag } as const;

/** Pages are MDX, also those that end with `.md`, unless the configuration says otherwise. */
export const mdxReading = createReading({ key: 'docusaurus', syntax: 'mdx', ...shared });
export const markdownPageReading = createReading({ key: 'docusaurus-md', ...shared });

/**
 * Makes MDX of what the builder accepts beside it, one code unit for one: `{#id}` and a comment with an id behind
 * headings, HTML comments, attributes of admonitions.
 */
function prepare(source: string): PreparedSource {
  if (!/\{#|\{\/\*|<!--|^[ \t]*:::/m.test(source)) return { source };
  return {
    source: source
      .replace(/^( {0,3}#{1,6}[ \t].*)\{#([^{}\n]+)\}([ \t]*\r?)$/gm, `$1${OPEN}#$2${CLOSE}$3`)
      .replace(
        /^( {0,3}#{1,6}[ \t].*)(\{\/\*[ \t]*#([\w:.-]+)[ \t]*\*\/\})/gm,
        (_all, before: string, comment: string, id: string) =>
          before + `${OPEN}#${id}${CLOSE}`.padEnd(comment.length),
      )
      .replace(/^([ \t]*:::.*)$/gm, (line) => line.replace(/[{}]/g, ' '))
      .replace(/<!--([\s\S]*?)-->/g, (_all, text: string) => `{/* ${text.replaceAll('*/', '  ')}*/}`),
  };
}

/** `import Part from './_part.mdx'`: pages that are put into this one, and files that must be there. */
function noteImports(node: Nodes, page: PageNotes): void {
  const { type, position } = node as { readonly type: string; readonly position?: Nodes['position'] };
  if (type !== 'mdxjsEsm' || position === undefined) return;
  const { value } = node as unknown as { readonly value: string };
  for (const match of value.matchAll(
    /(?:^|\n)[ \t]*(?:import|export)\s(?:[^'";]{0,2000}?\sfrom\s*)?['"]((?:\.{1,2}|@site)\/[^'"\n]+)['"]/g,
  )) {
    const lines = value.slice(0, match.index + match[0].length).split('\n');
    const line = position.start.line + lines.length - 1;
    const target = match[1] ?? '';
    const column = (lines.at(-1) ?? '').lastIndexOf(target) + 1;
    const place = { line, column, endLine: line, endColumn: column + target.length };
    page.addReference('import', target, place, { carrier: /\.mdx?$/.test(target) ? 'include' : 'import' });
  }
}

/** Elements of HTML whose `href` the page's walk knows, or that are no links. */
const NATIVE = new Set(['a', 'base', 'use', 'area']);
const MEDIA = new Set(['video', 'audio', 'source', 'embed', 'img']);

/** Components that list what they document, each entry with an anchor of its own. */
const DRAWS_ANCHORS = /^(?!table$|doccardlist$|datalist$)[\w.]*(?:table|list|schema|reference|props|api)$/i;

/** Links of components (`<Link to>`, `<Card href>`), and files that expressions name. */
function noteTag(name: string, attributes: ReadonlyMap<string, string>, place: Place, page: PageNotes): void {
  const note = (key: string, value: string | undefined) => {
    if (value === undefined || value === '') return;
    const isPicture = key === 'src' || key === 'poster';
    const [call, argument] = readCall(value);
    if (call !== null && argument !== null) {
      const kind = call === 'require' ? 'import' : isPicture ? 'html-image' : 'attribute';
      page.addReference(kind, argument, place, { carrier: name });
    } else if (!value.startsWith('{') && name !== 'a' && name !== 'img') {
      page.addReference(isPicture ? 'html-image' : 'attribute', value, place, { carrier: name });
    }
  };
  if (!NATIVE.has(name) && !(name === 'link' && attributes.has('rel'))) {
    note('to', attributes.get('to'));
    note('href', attributes.get('href'));
  } else if (attributes.get('href')?.startsWith('{') === true) {
    note('href', attributes.get('href'));
  }
  if (DRAWS_ANCHORS.test(name)) page.openAnchors();
  if (MEDIA.has(name)) note('src', attributes.get('src'));
  if (name === 'video') note('poster', attributes.get('poster'));
}

/** `{useBaseUrl('/x')}` and `{require('./x.png').default}`. */
function readCall(value: string): readonly [string | null, string | null] {
  const match = /^\{\s*(useBaseUrl|require)\(\s*['"`]([^'"`$]+)['"`]\s*\)(?:\.default)?\s*\}$/.exec(value);
  return [match?.[1] ?? null, match?.[2] ?? null];
}
