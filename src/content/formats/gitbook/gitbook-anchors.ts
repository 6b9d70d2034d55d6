import GithubSlugger from 'github-slugger';
import type { AnchorQuery, AnchorVerdict } from '../../format-port/index.ts';
import type { FileFacts, RepoPath } from '../../model/index.ts';
import { type CouldName, namesOfForeign } from './foreign-names.ts';
import { isForeignHeading, spelledSlug } from './gitbook-headings.ts';

/** Returns the facts of a page and of the includes that it shows, the page's first. */
export type FactsOfPage = (page: RepoPath, facts: FileFacts) => readonly FileFacts[];

/**
 * Whether a page has an anchor on GitBook. A name that the heading has on GitHub only, or that differs in case alone, is a
 * warning with the right name; a name that only GitBook can generate is unchecked.
 */
export function checkGitbookAnchor(
  { anchor, page, facts }: AnchorQuery,
  factsOfPage: FactsOfPage,
  isCertain: boolean,
): AnchorVerdict {
  const known = anchorsOf(facts, page, factsOfPage);
  if (anchor === '' || anchor === 'top' || known.names.has(anchor)) return { status: 'ok' };
  if (known.names.has(anchor.replace(/^user-content-/, ''))) return { status: 'ok' };
  if (known.isOpen && !/^user-content-fn(?:ref)?-/.test(anchor)) {
    return {
      status: 'unchecked',
      message: `${page} shows an API whose anchors are made when it is published.`,
      knownNames: known.names,
    };
  }
  const onGithub = known.github.get(anchor.toLowerCase());
  if (onGithub !== undefined && onGithub !== '') {
    const message = `“#${anchor}” works on GitHub only; GitBook names this heading “#${onGithub}”.`;
    return { status: 'ok', warning: { rule: 'works-on-github-only', message }, better: onGithub };
  }
  if (known.spelled().has(anchor)) return { status: 'ok' };
  const otherCase = known.lowerCase.get(anchor.toLowerCase());
  if (otherCase !== undefined) {
    const message = `The anchor is “#${otherCase}”; case counts.`;
    return { status: 'ok', warning: { rule: 'case-only', message }, better: otherCase };
  }
  if (onGithub !== undefined || known.isPossible(anchor)) {
    const message = `${page} has headings that GitBook spells in Latin letters in its own way, and “#${anchor}” may be one of them.`;
    return { status: 'unchecked', message };
  }
  if (known.dashed().has(anchor)) {
    const message = `GitBook may keep a dash of the heading “${anchor}” of ${page}.`;
    return { status: 'unchecked', message, knownNames: known.names };
  }
  if (!isCertain && known.plain().has(plainName(anchor))) {
    const message = `“#${anchor}” is how older programs name a heading of ${page}, and no file of GitBook’s own shows which one publishes it.`;
    return { status: 'unchecked', message, knownNames: known.names };
  }
  return { status: 'broken', names: known.names };
}

/** Words that stand for signs in the names that GitBook’s older program gives: `HTTP/3` is `http-slash-3`. */
const SIGNS =
  /^sect(?=-)|(?<![a-z])(?:slash|dot|less-than|greater-than|percent|plus|dollar|star|equals|and)(?![a-z])/g;

/** The letters and digits of a name or heading, without signs and the words for them. */
function plainName(text: string): string {
  return text
    .toLowerCase()
    .replace(SIGNS, '')
    .replace(/[^\p{L}\p{N}]/gu, '');
}

interface PageAnchors {
  readonly names: ReadonlySet<string>;
  /** Name in lower case → name. */
  readonly lowerCase: ReadonlyMap<string, string>;
  /** GitHub's name of a heading → GitBook's; empty when only GitBook knows it. */
  readonly github: ReadonlyMap<string, string>;
  /** Names by `spelledSlug`. */
  readonly spelled: () => ReadonlySet<string>;
  /**
   * Names of headings that begin with dashes (`--parallel`), with one dash: links that GitBook's editor writes have it, and
   * links that people write do not.
   */
  readonly dashed: () => ReadonlySet<string>;
  /** The headings by `plainName`. */
  readonly plain: () => ReadonlySet<string>;
  readonly isOpen: boolean;
  /** Whether a heading in a script that only GitBook can transliterate may have this name. */
  readonly isPossible: CouldName;
}

/** By a page's facts, its anchors and the facts (with those of its includes) from which they were collected. */
const cache = new WeakMap<FileFacts, { readonly all: readonly FileFacts[]; readonly anchors: PageAnchors }>();

function anchorsOf(facts: FileFacts, page: RepoPath, factsOfPage: FactsOfPage): PageAnchors {
  const all = factsOfPage(page, facts);
  const known = cache.get(facts);
  if (known?.all.length === all.length && known.all.every((candidate, at) => candidate === all[at]))
    return known.anchors;
  const anchors = collectAnchors(all);
  cache.set(facts, { all, anchors });
  return anchors;
}

function collectAnchors(all: readonly FileFacts[]): PageAnchors {
  const names = new Set<string>();
  const github = new Map<string, string>();
  const slugger = new GithubSlugger();
  const foreign: string[] = [];
  for (const { anchors } of all) {
    let previous = '';
    for (const { name, heading, level, line } of anchors) {
      const isUncertain = heading !== null && isForeignHeading(heading) && isForeignHeading(name);
      if (isUncertain) foreign.push(heading);
      else names.add(name);
      // A heading with several names is listed once for each.
      const key = `${line} ${heading}`;
      if (heading === null || level === 0 || key === previous) continue;
      previous = key;
      github.set(slugger.slug(heading), isUncertain ? '' : name);
    }
  }
  const lowerCase = new Map([...names].map((name) => [name.toLowerCase(), name]));
  for (const name of names) github.delete(name);
  let spelled: ReadonlySet<string> | null = null;
  let plain: ReadonlySet<string> | null = null;
  let dashed: ReadonlySet<string> | null = null;
  return {
    names,
    lowerCase,
    github,
    spelled: () => {
      spelled ??= spelledNames(all);
      return spelled;
    },
    dashed: () => {
      dashed ??= new Set(
        all.flatMap(({ anchors }) =>
          anchors.flatMap(({ name, heading }) => (heading?.startsWith('-') === true ? [`-${name}`] : [])),
        ),
      );
      return dashed;
    },
    plain: () => {
      plain ??= new Set(
        all.flatMap(({ anchors }) => anchors.map((anchor) => plainName(anchor.heading ?? ''))),
      );
      return plain;
    },
    isPossible: foreign.length === 0 ? () => false : namesOfForeign(foreign),
    isOpen: all.some((candidate) => candidate.opensAnchors === true),
  };
}

function spelledNames(all: readonly FileFacts[]): ReadonlySet<string> {
  const names = new Set<string>();
  for (const { heading } of all.flatMap((candidate) => candidate.anchors)) {
    if (heading !== null) names.add(spelledSlug(heading));
  }
  return names;
}
