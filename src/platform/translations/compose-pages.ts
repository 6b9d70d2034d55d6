import type { Link, Page, SpaceAnalysis, TreeEntry } from '../../content/index.ts';
import { anchorsIn } from '../../content/index.ts';
import {
  fillSegment,
  idNotations,
  type Segment,
  selectStructurePreserving,
  writePage,
} from '../../content/translation/index.ts';
import { hashOf, objectOid } from '../../git/index.ts';
import type { TranslationProblem } from '../../store/index.ts';
import type { PlatformDeps } from '../deps.ts';
import { createStoredReader } from '../revisions/read-stored.ts';
import type { SourcePage, TranslationSource } from './read-source.ts';

/** The answer for a text: its translation, bytes that a person wrote, or the reason why there is none. */
export type Answer =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'raw'; readonly raw: string }
  | { readonly kind: 'none'; readonly reason: string };

export interface Composed {
  readonly tree: readonly TreeEntry[];
  /** Bytes of pages that differ from the source, by oid. */
  readonly fresh: ReadonlyMap<string, Uint8Array>;
  readonly problems: readonly TranslationProblem[];
  /** Texts (see `Segment.text`) whose answers would change the structure of their page. */
  readonly unfit: ReadonlySet<string>;
}

/** Rounds in which texts that break links are restored; after them, all pages stay in the source language. */
const MAX_ROUNDS = 6;

/**
 * Writes every page with its answers. Headings keep the anchors that links use, and the content engine checks the result:
 * while a link is broken that is not broken in the source, texts are restored to the source language.
 */
export async function composePages(
  deps: PlatformDeps,
  source: TranslationSource,
  answerOf: (segment: Segment, page: SourcePage) => Answer,
): Promise<Composed> {
  const problems: TranslationProblem[] = [];
  const unfit = new Set<string>();
  const drafts = source.pages.map((page) => draftPage(page, answerOf, problems, unfit));
  const byPath = new Map(drafts.map((draft) => [draft.page.path, draft]));
  const linked = linkedAnchors(source.analysis);
  for (let round = 0; ; round += 1) {
    const { tree, fresh } = writeTree(source, drafts);
    const analysis = await source.analyse(
      tree,
      createStoredReader(deps, source.content.revision.spaceId, { fresh }),
    );
    let isValid = true;
    for (const draft of drafts) {
      if (!restoreAnchors(draft, source.analysis, analysis, linked, problems)) isValid = false;
    }
    if (isValid) {
      for (const link of newlyBroken(source.analysis, analysis)) {
        isValid = false;
        for (const path of new Set([link.file, link.resolved?.path ?? link.file])) {
          const draft = byPath.get(path);
          if (draft !== undefined)
            restoreSource(draft, `${link.file} would have a broken link to ${link.target}`, problems);
        }
      }
    }
    if (isValid) return { tree, fresh, problems, unfit };
    if (round >= MAX_ROUNDS) {
      const reason = 'translated pages would have broken links, and which texts break them was not found';
      for (const draft of drafts) restoreSource(draft, reason, problems);
    }
    if (round > MAX_ROUNDS + 1) return { tree: source.tree, fresh: new Map(), problems, unfit };
  }
}

/** Headings of a table of contents name groups, and no links lead to them, unless the file is a page as well. */
const CONTENTS = /(?:^|\/)SUMMARY\.md$/i;

function isContents(path: string, pages: readonly Page[]): boolean {
  const isShown = ({ file, pages }: Page): boolean => file === path || pages.some(isShown);
  return CONTENTS.test(path) && !pages.some(isShown);
}

interface Draft {
  readonly page: SourcePage;
  readonly replacements: Map<number, string>;
  /** The index of the format's id notation that a heading gets, by the number of its segment. */
  readonly notations: Map<number, number>;
  readonly suffixes: Map<number, string>;
}

function draftPage(
  page: SourcePage,
  answerOf: (segment: Segment, page: SourcePage) => Answer,
  problems: TranslationProblem[],
  unfit: Set<string>,
): Draft {
  const replacements = new Map<number, string>();
  const personTexts = new Map<number, string>();
  page.segments.forEach((segment, index) => {
    const answer = answerOf(segment, page);
    if (answer.kind === 'raw') personTexts.set(index, answer.raw);
    else if (answer.kind === 'none') addProblem(problems, page, segment, answer.reason);
    else {
      const filled = fillSegment(segment, answer.text);
      if ('refused' in filled) addProblem(problems, page, segment, filled.refused);
      // Without a text, the bytes of the source stay.
      else if (filled.text !== '') replacements.set(index, filled.text);
    }
  });
  const fitting = new Map(
    selectStructurePreserving(page.text, page.path, page.segments, { replacements, fixed: personTexts }),
  );
  for (const index of replacements.keys()) {
    const segment = page.segments[index];
    if (fitting.has(index) || !segment) continue;
    unfit.add(segment.text);
    addProblem(problems, page, segment, 'the page would no longer have the structure of its source');
  }
  for (const [index, raw] of personTexts) fitting.set(index, raw);
  return { page, replacements: fitting, notations: new Map(), suffixes: new Map() };
}

function addProblem(
  problems: TranslationProblem[],
  page: SourcePage,
  segment: Segment,
  message: string,
): void {
  const line = segment.heading?.line ?? page.text.slice(0, segment.start).split('\n').length;
  problems.push({ path: page.path, line, message: `The text stayed as it is: ${message}.` });
}

function writeTree(
  source: TranslationSource,
  drafts: readonly Draft[],
): { readonly tree: readonly TreeEntry[]; readonly fresh: ReadonlyMap<string, Uint8Array> } {
  const hash = hashOf(source.tree[0]?.oid ?? '');
  const fresh = new Map<string, Uint8Array>();
  const written = new Map<string, TreeEntry>();
  for (const { page, replacements, suffixes } of drafts) {
    if (replacements.size === 0) continue;
    const bytes = Buffer.from(writePage(page.text, page.segments, replacements, suffixes));
    const oid = objectOid('blob', bytes, hash);
    fresh.set(oid, bytes);
    written.set(page.path, { path: page.path, oid, mode: 'file', size: bytes.length });
  }
  const tree = source.tree.map((entry) => {
    const page = written.get(entry.path);
    return page === undefined ? entry : { ...page, mode: entry.mode };
  });
  return { tree, fresh };
}

/** Adds explicit ids to headings that lost their anchors. Returns whether all anchors were there already. */
function restoreAnchors(
  draft: Draft,
  before: SpaceAnalysis,
  after: SpaceAnalysis,
  linked: ReadonlySet<string>,
  problems: TranslationProblem[],
): boolean {
  const { page, replacements, notations, suffixes } = draft;
  if (replacements.size === 0) return true;
  const names = new Set((anchorsIn(after, page.path) ?? []).map((anchor) => anchor.name));
  const own = anchorsIn(before, page.path) ?? [];
  const lost = own.filter(({ name }) => !names.has(name));
  let isValid = true;
  for (const { name, line, level } of lost) {
    // A heading needs no second anchor, unless links lead to it.
    const isLinked = linked.has(`${page.path}#${name}`);
    const hasOtherAnchor = own.some((anchor) => anchor.line === line && names.has(anchor.name));
    if (!isLinked && (hasOtherAnchor || isContents(page.path, before.pages))) continue;
    const index = page.segments.findLastIndex((segment) => segment.heading?.line === line);
    const segment = page.segments[index];
    if (segment === undefined || !replacements.has(index)) continue;
    const notation = notations.get(index) ?? 0;
    const write = idNotations(before.format)[notation];
    if (write !== undefined) {
      suffixes.set(index, write(name));
      notations.set(index, notation + 1);
    } else if (level === 1 && !isLinked) {
      // Not every format shows an anchor in the title of a page; a translated title is worth more.
      if (!suffixes.delete(index)) continue;
    } else {
      replacements.delete(index);
      suffixes.delete(index);
      addProblem(problems, page, segment, `links to #${name} would lead nowhere`);
    }
    isValid = false;
  }
  return isValid;
}

function restoreSource(
  { page, replacements, suffixes }: Draft,
  reason: string,
  problems: TranslationProblem[],
): void {
  for (const index of replacements.keys()) {
    const segment = page.segments[index];
    if (segment) addProblem(problems, page, segment, reason);
  }
  replacements.clear();
  suffixes.clear();
}

/** All anchors that links lead to, as `path#anchor`. */
function linkedAnchors({ links }: SpaceAnalysis): ReadonlySet<string> {
  return new Set(
    links.flatMap(({ resolved, anchor }) => (resolved && anchor ? [`${resolved.path}#${anchor}`] : [])),
  );
}

/** Broken links of which there are more than in the source, by file and destination. */
function newlyBroken(before: SpaceAnalysis, after: SpaceAnalysis): readonly Link[] {
  const name = (link: Link) => `${link.file}\0${link.target}`;
  const known = new Map<string, number>();
  for (const link of before.links) {
    if (link.status === 'broken') known.set(name(link), (known.get(name(link)) ?? 0) + 1);
  }
  return after.links.filter((link) => {
    if (link.status !== 'broken') return false;
    const remaining = known.get(name(link)) ?? 0;
    known.set(name(link), remaining - 1);
    return remaining <= 0;
  });
}
