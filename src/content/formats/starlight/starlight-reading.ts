import GithubSlugger, { slug } from 'github-slugger';
import { createReading } from '../../facts/index.ts';
import type { FileFacts, RepoPath, Span } from '../../model/index.ts';
import type { FrontMatterLink, PageNode, PageRecorder, PreparedSource, Reading } from '../../parse/index.ts';
import type { HeadingNamer } from '../../text/index.ts';
import { asList, asRecord } from '../untyped-values.ts';

const options = { headings: astroHeadings, enter: enterNode, frontMatterLinks, ownsMedia: true };
const markdown = createReading({ ...options, key: 'starlight', tag: (...tag) => recordTag(false, ...tag) });
const mdx = createReading({
  ...options,
  key: 'starlight:mdx',
  syntax: 'mdx',
  prepare: findExpressions,
  tag: (...tag) => recordTag(true, ...tag),
});
const markdoc = createReading({ ...options, key: 'starlight:markdoc' });

export function starlightReading(path: RepoPath): Reading {
  if (path.endsWith('.mdx')) return mdx;
  return path.endsWith('.mdoc') ? markdoc : markdown;
}

/**
 * Names headings as Astro does: like GitHub, with the space before a component or picture (`Title <Badge />` is `title-`).
 * Releases before 6 remove one dash at the end. Two or three hyphens may become a typographic dash first, which names do
 * not contain. All these names lead to the heading.
 */
function astroHeadings(): HeadingNamer {
  const slugger = new GithubSlugger();
  return {
    leavesHtml: true,
    name(text) {
      const raw = text.replace(/\{%[^%]*%\}\s*$/, '');
      const plain = raw.trim();
      const own = slugger.slug(typographic(raw));
      const names = new Set([own, own.replace(/-$/, '')]);
      if (raw !== plain) names.add(slug(typographic(plain)));
      if (typographic(plain) !== plain) names.add(slug(plain));
      return { names: [...names].filter((name) => name !== ''), text: plain };
    },
  };
}

function typographic(text: string): string {
  return text.replace(/-{2,3}/g, '—');
}

function enterNode(node: PageNode, page: PageRecorder): void {
  const type: string = node.type;
  if (type === 'mdxjsEsm') recordImports((node as unknown as { value: string }).value, node, page);
  else if (node.type === 'text' && node.value.includes('{%')) {
    for (const [tag] of node.value.matchAll(/\{%[^%]*%\}/g)) {
      const id = /\s#([\w-]+)/.exec(tag)?.[1];
      if (id !== undefined) page.addAnchor(id, node.position?.start.line ?? 1);
    }
  }
}

/** A component on a line of its own, without content of the page's. */
const DRAWN = /^[ \t]{0,20}<([A-Z]\w{0,100})(?:[ \t][^<>]{0,1000})?\/>[ \t\r]*$/;

const COMPONENT =
  /^[ \t]*import\s+([A-Z]\w{0,100})\s+from\s*['"](?!@astrojs\/|astro[:/])[^'"\n]{1,300}\.(?:astro|jsx|tsx|vue|svelte)['"]/gm;

/** The components of the site's own that a page imports; they may draw headings. */
function importedComponents(source: string): ReadonlySet<string> {
  return new Set([...source.matchAll(COMPONENT)].map(([, name = '']) => name));
}

/**
 * The value of an expression in a heading is part of its name, and is known only by running it. So are the headings that a
 * component of the site's own draws.
 */
function findExpressions(source: string): PreparedSource {
  const components = importedComponents(source);
  if (components.size === 0 && !/^ {0,3}#{1,6}[ \t][^\n]{0,1000}\{/m.test(source)) return { source };
  return {
    source,
    after(page) {
      let fence: string | null = null;
      for (const line of source.split('\n')) {
        const fenceMarker = /^\s*(`{3,}|~{3,})/.exec(line)?.[1];
        if (fenceMarker !== undefined && (fence === null || fenceMarker.startsWith(fence))) {
          fence = fence === null ? fenceMarker : null;
        } else if (fence === null && /^ {0,3}#{1,6}[ \t]/.test(line)) {
          if (/(?<!\\)\{(?!\/\*)/.test(line.replace(/`[^`\n]{1,1000}`/g, ''))) page.openAnchors();
        } else if (fence === null && components.has(DRAWN.exec(line)?.[1] ?? '')) {
          page.openAnchors();
        }
      }
    },
  };
}

/** Records the modules that a page imports, except those that are certainly of packages. */
function recordImports(code: string, node: PageNode, page: PageRecorder): void {
  const start = node.position?.start;
  if (start === undefined) return;
  for (const match of code.matchAll(
    /(?:^|\n)\s*import\b[^'"\n;]*(?:\n[^'"\n;]*){0,30}?['"]([^'"\n]+)['"]/g,
  )) {
    const target = match[1] ?? '';
    // A path that begins with a name belongs to a package or to an alias of the project: see `isOfPackage`.
    if (!/^(?:\.{0,2}|[~@#$]?[\w-]*)\//.test(target) || /^(?:@astrojs|astro)\//.test(target)) continue;
    const at = match.index + match[0].length - target.length - 1;
    const before = code.slice(0, at).split('\n');
    const line = start.line + before.length - 1;
    const column = (before.at(-1)?.length ?? 0) + (before.length === 1 ? start.column : 1);
    const span = { line, column, endLine: line, endColumn: column + target.length };
    page.addReference('import', target, span, { carrier: isPagePart(target) ? 'include' : 'import' });
  }
}

function isPagePart(target: string): boolean {
  return /\.(?:md|mdx|mdoc)$/.test(target);
}

/** Attributes of components whose values are addresses. */
const LINK_ATTRIBUTES = ['href', 'to'];
const MEDIA = new Set(['video', 'audio', 'source', 'iframe', 'embed', 'track', 'input']);

function recordTag(
  isMdx: boolean,
  name: string,
  attributes: ReadonlyMap<string, string>,
  span: Span,
  page: PageRecorder,
): void {
  const isComponent = isMdx && /^[A-Z]/.test(name);
  if (isComponent) {
    for (const key of LINK_ATTRIBUTES) {
      const value = attributes.get(key);
      if (value !== undefined && isAddress(value, key))
        page.addReference('attribute', value, span, { carrier: key });
    }
  }
  const source = attributes.get('src');
  if (source !== undefined && (isComponent || MEDIA.has(name)) && /^[/.]/.test(source)) {
    page.addReference(
      isComponent ? 'attribute' : 'html-image',
      source,
      span,
      isComponent ? { carrier: 'src' } : {},
    );
  }
}

function isAddress(value: string, key: string): boolean {
  if (value.startsWith('{') || value === '') return false;
  return key === 'href' || /^(?:[/#]|\.{1,2}\/|https?:)/.test(value);
}

/** The links in Starlight's front matter (its reference, frontmatter). */
function frontMatterLinks(values: FileFacts['frontMatter']): readonly FrontMatterLink[] {
  const links: FrontMatterLink[] = [];
  const add = (key: string, target: unknown) => {
    if (typeof target === 'string' && target.trim() !== '') links.push({ key, target });
  };
  for (const key of ['prev', 'next']) add(`${key}.link`, asRecord(values[key])['link']);
  const hero = asRecord(values['hero']);
  for (const action of asList(hero['actions'])) add('hero.actions.link', asRecord(action)['link']);
  for (const key of ['file', 'dark', 'light']) add(`hero.image.${key}`, asRecord(hero['image'])[key]);
  return links;
}
