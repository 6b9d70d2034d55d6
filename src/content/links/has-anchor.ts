import type { FileFacts } from '../model/index.ts';

/** Fragments that every page of the host has. */
const ALWAYS_THERE = new Set(['', 'top', 'readme']);

/** Lines of the source view, such as `#L10` and `#L10C2-L12C5`. */
const SOURCE_LINES = /^L\d+(?:C\d+)?(?:-L?\d+(?:C\d+)?)?$/i;

/** The names of a page's anchors, each once. */
export function anchorNames(facts: FileFacts): ReadonlySet<string> {
  return new Set(facts.anchors.map((one) => one.name));
}

const namesOf = new WeakMap<FileFacts, ReadonlySet<string>>();

/**
 * Whether a page has an anchor, as GitHub finds it: its script compares without regard to case and takes the prefix
 * `user-content-`, which it puts before every id, as given or not.
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
    names = new Set(facts.anchors.map((one) => one.name.toLowerCase()));
    namesOf.set(facts, names);
  }
  return names;
}
