import type { Link } from '../../../content/index.ts';
import { namesSchemeOrHost } from '../../../content/links/index.ts';
import type { CheckedLink, CheckResult } from '../check-result.ts';

/** Options of every report format. */
export interface PrintOptions {
  /** Report all links, not only those with findings. */
  readonly all: boolean;
  /** With a base, also report what was broken before. */
  readonly existing: boolean;
  /** Whether this run wrote suggestions into files. */
  readonly fix?: boolean;
  /** Whether the text may contain terminal colours. */
  readonly colours: boolean;
  /** The revision that was passed as the base; null without one. */
  readonly baseName: string | null;
}

/** Turns a result into the whole text of a report. */
export type Print = (result: CheckResult, options: PrintOptions) => string;

/** Broken links that concern the reader: with a base those that the change introduced, unless old ones count too. */
export function brokenLinks(
  { links, base }: CheckResult,
  { existing }: Pick<PrintOptions, 'existing'>,
): readonly CheckedLink[] {
  return links.filter(
    ({ status, change }) => status === 'broken' && (base === null || existing || change === 'introduced'),
  );
}

/** Links that are not broken but have a warning. */
export function warnedLinks({
  links,
}: CheckResult): readonly (CheckedLink & { readonly warning: NonNullable<CheckedLink['warning']> })[] {
  return links.flatMap((link) =>
    link.warning === null || link.status === 'broken' ? [] : [{ ...link, warning: link.warning }],
  );
}

/** Whether a link leads to another site, so that it is no link of the repository that could not be checked. */
export function leadsOutside({ status, target, destination }: CheckedLink): boolean {
  return status === 'unchecked' && destination === null && namesSchemeOrHost(target);
}

/** How many links and redirects `--fix` writes. */
export function countFixable({ links, redirects, base }: CheckResult): number {
  const fixable = links.filter(
    ({ suggestion, change }) => suggestion !== null && (base === null || change === 'introduced'),
  );
  return redirects.reduce((count, { entries }) => count + entries.length, fixable.length);
}

/** The totals, whatever the format. */
export function tallyLinks({ links, fixed, well }: CheckResult) {
  const count = (test: (link: CheckedLink) => boolean) => links.filter(test).length;
  return {
    links: links.length + well,
    ok: count(({ status }) => status === 'ok') + well,
    broken: count(({ status }) => status === 'broken'),
    inApp: count(({ status }) => status === 'in-app'),
    unchecked: count(({ status }) => status === 'unchecked'),
    /** Those of the unchecked that lead to other sites. */
    outside: count(leadsOutside),
    introduced: count(({ change }) => change === 'introduced'),
    existing: count(({ change }) => change === 'existing'),
    fixed: fixed.length,
  };
}

/** The message with its hint, in one line. */
export function explain({ message, suggestion }: Pick<Link, 'message' | 'suggestion'>): string {
  return `${message ?? ''}${suggestion === null ? '' : ` Did you mean ${suggestion}?`}`;
}

/** Control characters of hostile names and links would control the terminal. */
export function printable(text: string): string {
  return text.replace(/[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/gu, '\u{fffd}');
}

/** A count with its noun in singular or plural and separated thousands; `toLocaleString` would load the data of all languages. */
export function number(count: number, word: string): string {
  return `${String(count).replace(/\B(?=(?:\d{3})+$)/g, ',')} ${word}${count === 1 ? '' : 's'}`;
}
