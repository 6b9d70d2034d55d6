import { packetLines } from '../packet-lines.ts';

/** A host's response to a push. */
export interface PushResponse {
  /** `unpack …`, and a line for each ref. */
  readonly report: readonly string[];
  /** Its other messages for people, such as the rule that forbids the push; empty for none. */
  readonly messages: string;
}

/**
 * Parses a response: with side bands, the first byte of each line says whether it belongs to the report (1), is for
 * people (2) or about a failure (3); see gitprotocol-pack(5), "side-band-64k".
 */
export function readPushResponse(body: Buffer, isBanded: boolean): PushResponse {
  if (!isBanded) return { report: trimmed(packetLines(body)), messages: '' };
  let report = '';
  let messages = '';
  for (const line of packetLines(body)) {
    if (line.startsWith('\u0001')) report += line.slice(1);
    else messages += line.slice(1);
  }
  return {
    report: trimmed(packetLines(Buffer.from(report))),
    messages: messages
      .split(/[\r\n]+/)
      .map((line) => line.trim())
      .filter((line) => line !== '' && !repeated.test(line))
      .join(' '),
  };
}

/** What git itself adds to the output of a hook, and repeats in the report. */
const repeated = /^error: hook declined to update /;

const trimmed = (lines: Iterable<string>) => Array.from(lines, (line) => line.trimEnd());
