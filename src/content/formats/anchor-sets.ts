import type { FileFacts } from '../model/index.ts';

const namesOf = new WeakMap<FileFacts, ReadonlySet<string>>();

/** Whether one of the files has an anchor of exactly this name. Each file's names are collected once. */
export function haveAnchor(files: readonly FileFacts[], name: string): boolean {
  return files.some((facts) => namesIn(facts).has(name));
}

/** The names of the anchors of some files. */
export function* anchorsOf(files: readonly FileFacts[]): Iterable<string> {
  for (const facts of files) yield* namesIn(facts);
}

function namesIn(facts: FileFacts): ReadonlySet<string> {
  let names = namesOf.get(facts);
  if (names === undefined) {
    names = new Set(facts.anchors.map((anchor) => anchor.name));
    namesOf.set(facts, names);
  }
  return names;
}
