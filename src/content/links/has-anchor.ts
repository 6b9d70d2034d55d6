import type { FileFacts } from '../model/index.ts';

/** Fragments that every page of the host has. */
const ALWAYS_THERE = new Set([
  '',
  'top',
  'readme',
  'start-of-content',
  'repo-content-pjax-container',
  'repo-content-turbo-frame',
]);

/** Lines of the source view, such as `#L10` and `#L10C2-L12C5`. */
const SOURCE_LINES = /^L\d+(?:C\d+)?(?:-L?\d+(?:C\d+)?)?$/i;

/** Returns the distinct names of a page's anchors. */
export function anchorNames(facts: FileFacts): ReadonlySet<string> {
  return new Set(facts.anchors.map((anchor) => anchor.name));
}

const namesOf = new WeakMap<FileFacts, ReadonlySet<string>>();

/**
 * Whether a page has an anchor by GitHub's rules: its script ignores case and the prefix `user-content-`, which GitHub
 * adds to every id.
 */
export function hasAnchor(facts: FileFacts, anchor: string): boolean {
  const name = anchor.toLowerCase();
  if (ALWAYS_THERE.has(name) || SOURCE_LINES.test(anchor)) return true;
  const names = lowerCaseNames(facts);
  return names.has(name) || names.has(name.replace(/^user-content-/, ''));
}

function lowerCaseNames(facts: FileFacts): ReadonlySet<string> {
  let names = namesOf.get(facts);
  if (names === undefined) {
    names = new Set(facts.anchors.map((anchor) => anchor.name.toLowerCase()));
    namesOf.set(facts, names);
  }
  return names;
}
