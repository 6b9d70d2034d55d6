import {
  type Anchor,
  MAX_REFERENCES,
  MAX_REGIONS,
  MAX_TEXT_LENGTH,
  type Reference,
  type ReferenceKind,
  type Region,
  type Span,
  type VariableUse,
} from '../model/index.ts';
import { githubHeadings } from '../text/index.ts';
import { AnchorCollector } from './anchor-collector.ts';
import { isJsx, readJsxTag } from './jsx-tag.ts';
import type { PageNode, PageTree } from './page-tree.ts';
import type { PageRecorder, PreparedSource, ReadingOptions } from './reading.ts';
import { scanHtml } from './scan-html.ts';
import type { HtmlRange } from './scan-plain-html.ts';
import { SourceLines } from './source-lines.ts';
import { splitSrcset } from './split-srcset.ts';
import { showSlashes } from './unquoted-values.ts';

/** The text of an open element, to which more is added. */
interface GrowingText {
  text: string;
}

type OpenReference = GrowingText & { -readonly [Key in keyof Reference]: Reference[Key] };

interface OpenHeading extends GrowingText {
  readonly level: number;
  readonly line: number;
  readonly ids: string[];
}

type Hooks = Pick<
  ReadingOptions,
  'headings' | 'headingElements' | 'enter' | 'carrierOfLink' | 'tag' | 'ownsMedia'
> &
  Pick<PreparedSource, 'titleOf'>;

/** The result of a walk over a page, in the order of the text. */
export interface WalkedPage {
  readonly references: readonly Reference[];
  readonly anchors: readonly Anchor[];
  readonly opensAnchors: boolean;
  readonly regions: readonly Region[];
  readonly variables: readonly VariableUse[];
  readonly title: string | null;
  /** True when references were left out because there are too many. */
  readonly isFull: boolean;
}

/**
 * Walks a Markdown tree once, without recursion, so that no nesting can exhaust the stack. Text flows into whatever
 * is open around it: a link, a heading, an HTML `a` or `h1` to `h6` that began in an earlier node.
 */
export function walkPage(
  tree: PageTree,
  source: string,
  hooks: Hooks,
  after: (page: PageRecorder) => void,
): WalkedPage {
  const walk = new PageWalk(source, hooks);
  // A node's id, and its complement for the node's end.
  const stack: number[] = [tree.root];
  for (let id = stack.pop(); id !== undefined; id = stack.pop()) {
    if (id < 0) {
      const type = tree.typeOf(~id);
      walk.exit(type, isJsx(type) ? tree.nameOf(~id) : null);
      continue;
    }
    const type = tree.typeOf(id);
    const node = walk.wants(type) ? tree.node(id) : null;
    if (node !== null) walk.enter(node, () => textAfter(tree, stack));
    if (type === 'link' || type === 'heading' || isJsx(type)) stack.push(~id);
    tree.pushChildren(id, stack);
  }
  after(walk.recorder);
  return walk.finish();
}

/** The text of the next node of the same parent, which is on top of the stack while a node is entered. */
function textAfter(tree: PageTree, stack: readonly number[]): string | null {
  const next = stack.at(-1);
  return next === undefined || next < 0 ? null : tree.textOf(next);
}

class PageWalk {
  readonly #hooks: Hooks;
  readonly #source: string;
  readonly #lines: SourceLines;
  readonly #references: (
    | OpenReference
    | { readonly definition: string; readonly reference: OpenReference }
  )[] = [];
  readonly #anchors: AnchorCollector;
  readonly #definitions = new Set<string>();
  readonly #usedLabels = new Set<string>();
  #title: string | null = null;
  #links: OpenReference[] = [];
  #heading: OpenHeading | null = null;
  #htmlLink: OpenReference | null = null;
  #htmlHeading: OpenHeading | null = null;
  #insideComment = false;
  #opensAnchors = false;
  readonly #regions: Region[] = [];
  readonly #variables: VariableUse[] = [];
  #isOutOfOrder = false;

  readonly recorder: PageRecorder = {
    addReference: (kind, target, span, more = {}) => {
      this.#isOutOfOrder = true;
      const { line, column, endLine, endColumn } = span;
      const reference = this.#addReference(kind, target, { line, column, endLine, endColumn }, more.text);
      if (more.carrier !== undefined) reference.carrier = more.carrier;
    },
    addAnchor: (name, line) => this.#anchors.addExplicit(name, line),
    addHeading: (text, level, line) => void this.#anchors.addHeading(text, level, line),
    addRegion: (region) => {
      if (this.#regions.length < MAX_REGIONS) this.#regions.push(region);
    },
    openAnchors: () => {
      this.#opensAnchors = true;
    },
    addVariable: (name, line) => {
      if (this.#variables.length < MAX_REFERENCES) this.#variables.push({ name, line });
    },
  };

  constructor(source: string, hooks: Hooks) {
    this.#source = source;
    this.#lines = new SourceLines(source);
    this.#hooks = hooks;
    this.#anchors = new AnchorCollector((hooks.headings ?? githubHeadings)());
  }

  /** Text is needed only while something collects it. */
  wants(type: string): boolean {
    if (type !== 'text' && type !== 'inlineCode') return true;
    if (this.#hooks.enter !== undefined) return true;
    return (
      this.#heading !== null ||
      this.#htmlHeading !== null ||
      this.#htmlLink !== null ||
      this.#links.length > 0
    );
  }

  enter(node: PageNode, textAfter: () => string | null): void {
    if (this.#insideComment && node.type !== 'html') return;
    const span = spanOf(node);
    if (span === null) return;
    this.#hooks.enter?.(node, this.recorder);
    const jsx = readJsxTag(node);
    if (jsx !== null) this.#tag(jsx.name, jsx.attributes, span);
    switch (node.type) {
      case 'text':
      case 'inlineCode':
        this.#addText(node.value);
        break;
      case 'break':
        this.#addText('\n');
        break;
      case 'heading':
        this.#heading = { level: node.depth, line: span.line, text: '', ids: [] };
        break;
      case 'link':
        this.#enterLink(node, span, textAfter);
        break;
      case 'image':
        this.#addReference('image', node.url, span, node.alt ?? '');
        this.#addLinkText(node.alt ?? '');
        break;
      case 'imageReference':
        this.#usedLabels.add(node.identifier);
        this.#addLinkText(node.alt ?? '');
        break;
      case 'linkReference':
        this.#usedLabels.add(node.identifier);
        break;
      case 'definition':
        this.#addDefinition(node.identifier, node.url, span, node.label ?? node.identifier);
        break;
      case 'footnoteReference':
        this.#addText(node.label ?? node.identifier);
        this.#anchors.addExplicit(`fnref-${node.identifier}`, span.line);
        break;
      case 'footnoteDefinition':
        this.#anchors.addExplicit(`fn-${node.identifier}`, span.line);
        break;
      case 'html':
        this.#enterHtml(node.value, span);
        break;
    }
  }

  /** `name` is the name of a component; null for other nodes. */
  exit(type: string, name: string | null): void {
    if (type === 'link') this.#links.pop();
    if (name !== null) this.#endTag(name);
    if (type !== 'heading' || this.#heading === null) return;
    this.#closeHeading(this.#heading);
    this.#heading = null;
  }

  finish(): WalkedPage {
    const references: Reference[] = [];
    for (const entry of this.#references) {
      if (!('definition' in entry)) references.push(entry);
      else if (this.#usedLabels.has(entry.definition)) references.push(entry.reference);
    }
    const isFull = this.#references.length >= MAX_REFERENCES || this.#anchors.isFull;
    if (this.#isOutOfOrder) references.sort((a, b) => a.line - b.line || a.column - b.column);
    return {
      references,
      anchors: this.#anchors.anchors,
      title: this.#title,
      isFull,
      opensAnchors: this.#opensAnchors,
      regions: this.#regions,
      variables: this.#variables,
    };
  }

  #enterLink(node: PageNode & { readonly type: 'link' }, span: Span, textAfter: () => string | null): void {
    const carrier = this.#hooks.carrierOfLink?.(textAfter() ?? '') ?? null;
    if (carrier === null) {
      this.#links.push(this.#addReference(this.#linkKind(node), node.url, span));
    } else {
      const reference = this.#addReference('link', node.url, span);
      reference.carrier = carrier;
      this.#links.push({ ...reference });
    }
  }

  #linkKind(node: PageNode): ReferenceKind {
    const offset = node.position?.start.offset;
    return offset !== undefined && this.#source[offset] !== '[' ? 'autolink' : 'link';
  }

  #addReference(kind: ReferenceKind, target: string, span: Span, text = ''): OpenReference {
    const reference = { kind, target, text: text.slice(0, MAX_TEXT_LENGTH), ...span };
    if (this.#references.length < MAX_REFERENCES) this.#references.push(reference);
    return reference;
  }

  /** Only the first definition of a label counts, and only when something uses it: others are never rendered. */
  #addDefinition(label: string, target: string, span: Span, text: string): void {
    if (this.#definitions.has(label) || this.#references.length >= MAX_REFERENCES) return;
    this.#definitions.add(label);
    const reference: OpenReference = {
      kind: 'definition',
      target,
      text: text.slice(0, MAX_TEXT_LENGTH),
      ...span,
    };
    this.#references.push({ definition: label, reference });
  }

  #addText(value: string): void {
    if (this.#heading !== null) this.#heading.text += value;
    if (this.#htmlHeading !== null) append(this.#htmlHeading, value);
    this.#addLinkText(value);
  }

  #addLinkText(value: string): void {
    const link = this.#links.at(-1);
    if (link !== undefined) append(link, value);
    if (this.#htmlLink !== null) append(this.#htmlLink, value);
  }

  #closeHeading({ text, level, line, ids }: OpenHeading): void {
    this.#setTitle(this.#anchors.addHeading(text, level, line, ids), level, line);
  }

  #setTitle(text: string, level: number, line: number): void {
    if (level !== 1 || this.#title !== null) return;
    const title = this.#hooks.titleOf?.(text, line) ?? text;
    if (title !== '') this.#title = title;
  }

  #enterHtml(value: string, node: Span): void {
    let html = showSlashes(value);
    if (this.#insideComment) {
      const end = html.indexOf('-->');
      if (end === -1) return;
      // As many characters as before, so that positions stay correct.
      html = html.slice(0, end + 3).replace(/[^\n]/g, ' ') + html.slice(end + 3);
    }
    // A comment that an HTML block leaves open continues in the page until the next HTML that closes it.
    this.#insideComment = html.lastIndexOf('<!--') > html.lastIndexOf('-->');
    const spansIn = this.#lines.spansIn(html, node);
    scanHtml(html, {
      startTag: (name, attributes, span) => this.#startTag(name, attributes, spansIn, span),
      endTag: (name) => this.#endTag(name),
      text: (text) => this.#addText(text),
    });
  }

  #startTag(
    name: string,
    attributes: ReadonlyMap<string, string>,
    spansIn: (span: HtmlRange) => Span,
    inner: HtmlRange,
  ): void {
    if (
      this.#hooks.tag === undefined &&
      !this.#isHeading(name) &&
      !CARRIERS.has(name) &&
      !attributes.has('id') &&
      !attributes.has('name')
    )
      return;
    this.#tag(name, attributes, spansIn(inner));
  }

  /** An HTML start tag or a component. */
  #tag(name: string, attributes: ReadonlyMap<string, string>, span: Span): void {
    const id = attributes.get('id');
    const anchorName = attributes.get('name');
    if (this.#isHeading(name)) {
      this.#htmlHeading = { level: levelOf(name), line: span.line, text: '', ids: [] };
    }
    if (id !== undefined) this.#addId(id, span.line);
    // A component may use `name` for anything.
    if (anchorName !== undefined && anchorName !== id && !/^[A-Z]/.test(name))
      this.#addId(anchorName, span.line);
    if (name === 'a') {
      const href = plainValue(attributes.get('href'));
      if (href !== undefined) this.#htmlLink = this.#addReference('html-link', href.trim(), span);
    }
    if (name === 'img') {
      const alt = attributes.get('alt') ?? '';
      this.#addLinkText(alt);
      const src = plainValue(attributes.get('src'));
      if (src !== undefined) this.#addReference('html-image', src.trim(), span, alt);
    }
    if (name === 'img' || name === 'source') {
      const srcset = plainValue(attributes.get('srcset') ?? attributes.get('srcSet'));
      if (srcset !== undefined)
        for (const address of splitSrcset(srcset)) this.#addReference('html-image', address, span);
    }
    if (this.#hooks.ownsMedia !== true) this.#addMedia(name, attributes, span);
    this.#hooks.tag?.(name, attributes, span, this.recorder);
  }

  #addMedia(name: string, attributes: ReadonlyMap<string, string>, span: Span): void {
    for (const key of MEDIA_ATTRIBUTES.get(name) ?? []) {
      const file = plainValue(attributes.get(key));
      if (file !== undefined) this.#addReference('html-image', file.trim(), span);
    }
  }

  #addId(id: string, line: number): void {
    const heading = this.#heading ?? this.#htmlHeading;
    heading?.ids.push(id);
    if (heading === null || !this.#anchors.ownsIds) this.#anchors.addExplicit(id, line);
  }

  #isHeading(name: string): boolean {
    return levelOf(name) > 0 || this.#hooks.headingElements?.includes(name) === true;
  }

  #endTag(name: string): void {
    if (name === 'a') this.#htmlLink = null;
    if (this.#htmlHeading === null || !this.#isHeading(name)) return;
    const { text, level, line, ids } = this.#htmlHeading;
    this.#setTitle(this.#anchors.addHtmlHeading(text, level, line, ids), level, line);
    this.#htmlHeading = null;
  }
}

/**
 * Attributes of media elements that name a file, besides those of pictures
 * (https://html.spec.whatwg.org/multipage/media.html).
 */
const MEDIA_ATTRIBUTES: ReadonlyMap<string, readonly string[]> = new Map([
  ['video', ['src', 'poster']],
  ['audio', ['src']],
  ['source', ['src']],
  ['track', ['src']],
  ['embed', ['src']],
]);

const CARRIERS: ReadonlySet<string> = new Set(['a', 'img', ...MEDIA_ATTRIBUTES.keys()]);

/** Undefined for an expression, which only the builder can read. */
function plainValue(value: string | undefined): string | undefined {
  return value?.startsWith('{') ? undefined : value;
}

/** 1 to 6 for `h1` to `h6`, 0 for other elements. */
function levelOf(name: string): number {
  return /^h[1-6]$/.test(name) ? Number(name[1]) : 0;
}

function append(open: GrowingText, value: string): void {
  if (open.text.length < MAX_TEXT_LENGTH) open.text = (open.text + value).slice(0, MAX_TEXT_LENGTH);
}

function spanOf(node: PageNode): Span | null {
  const { position } = node;
  if (position === undefined) return null;
  return {
    line: position.start.line,
    column: position.start.column,
    endLine: position.end.line,
    endColumn: position.end.column,
  };
}
