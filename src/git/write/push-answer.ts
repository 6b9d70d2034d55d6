import { packetLines } from '../packet-lines.ts';

/** What a host answers to a push. */
export interface PushAnswer {
  /** `unpack …`, and a line for each ref. */
  readonly report: readonly string[];
  /** What it says to people besides, such as the rule that stands in the way; empty when it says nothing. */
  readonly words: string;
}

/**
 * Takes an answer apart: banded, each of its lines says in its first byte whether it is of the report (1), for people
 * (2) or about a failure (3); see gitprotocol-pack(5), "side-band-64k".
 */
export function readPushAnswer(body: Buffer, isBanded: boolean): PushAnswer {
  if (!isBanded) return { report: trimmed(packetLines(body)), words: '' };
  let report = '';
  let words = '';
  for (const line of packetLines(body)) {
    if (line.startsWith('\u0001')) report += line.slice(1);
    else words += line.slice(1);
  }
  return {
    report: trimmed(packetLines(Buffer.from(report))),
    words: words
      .split(/[\r\n]+/)
      .map((line) => line.trim())
      .filter((line) => line !== '' && !repeated.test(line))
      .join(' '),
  };
}

/** What git itself adds to a hook's words; the report says it too. */
const repeated = /^error: hook declined to update /;

const trimmed = (lines: Iterable<string>) => Array.from(lines, (line) => line.trimEnd());
