import type { CheckedPart } from './check-file.ts';

/** Roughly what V8 takes for verdicts, besides the facts that they share their words with. */
export function estimateVerdictBytes(files: Iterable<Pick<CheckedPart, 'links'>>): number {
  let weight = 0;
  for (const { links } of files) {
    weight += 300 + 200 * links.length;
    for (const { message, suggestion } of links)
      weight += 2 * ((message?.length ?? 0) + (suggestion?.length ?? 0));
  }
  return weight;
}
