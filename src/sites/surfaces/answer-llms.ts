import { type ListedSpace, listPagesOf } from '../content/listed-pages.ts';
import { readMarkdown } from '../content/read-markdown.ts';
import { textOutcomes } from '../content/text-outcomes.ts';
import { markdownPath } from '../make-page.ts';
import type { SiteRequest } from '../site-request.ts';
import { sendCached } from './cached-answer.ts';

/** Pages in one part of the full text. */
const PAGES_PER_PART = 100;

/** Of one part, in UTF-16 code units; pages that exceed it are named with their address only. */
const MAX_PART = 4_000_000;

const PLAIN = 'text/plain; charset=utf-8';

/** `llms.txt`: every page by its title, with the address of its Markdown (https://llmstxt.org). */
export async function answerLlms(site: SiteRequest): Promise<boolean> {
  return await sendCached(site, ['llms'], async () => {
    const spaces = await listPagesOf(site);
    const sections = spaces.map(
      (space) =>
        `## ${nameOf(space)}\n\n${space.pages.map(({ row }) => lineOf(site, space, row)).join('\n')}\n`,
    );
    const parts = Math.ceil(countPages(spaces) / PAGES_PER_PART);
    const full = Array.from(
      { length: parts },
      (_part, at) => `- [${partName(at)}](${partAddress(site, at)})`,
    );
    const text = [`# ${site.served.site.title}\n`, ...sections, `## The full text\n\n${full.join('\n')}\n`];
    return { text: text.join('\n'), contentType: PLAIN };
  });
}

/** `llms-full.txt`: the texts of the pages, in parts of {@link PAGES_PER_PART}, each of which names the next one. */
export async function answerLlmsFull(site: SiteRequest, part: number): Promise<boolean> {
  const spaces = await listPagesOf(site);
  const count = countPages(spaces);
  if (part > 0 && part * PAGES_PER_PART >= count) return false;
  const pages = spaces
    .flatMap((space) => space.pages.map((page) => ({ ...space, page })))
    .slice(part * PAGES_PER_PART, (part + 1) * PAGES_PER_PART);
  const outcomes = await textOutcomes(site, pages);
  return await sendCached(site, ['llms-full', part, outcomes], async () => {
    const texts: string[] = [];
    let size = 0;
    for (const shown of pages) {
      const { row } = shown.page;
      const found = size > MAX_PART ? null : await readMarkdown(site, shown);
      const address = site.addresses.canonical(shown.location.siteSpace.path, row.path);
      const text = found ?? `# ${row.title}\n`;
      size += text.length;
      texts.push(`Source: ${address}\n\n${size > MAX_PART ? `# ${row.title}\n` : text}`);
    }
    const hasMore = (part + 1) * PAGES_PER_PART < count;
    if (hasMore) texts.push(`The next part: ${partAddress(site, part + 1)}\n`);
    return { text: texts.join('\n---\n\n'), contentType: PLAIN };
  });
}

/** The part that a path names; null when it names none. */
export function partOfFullText(path: string): number | null {
  if (path === 'llms-full.txt') return 0;
  const nth = /^llms-full-([1-9]\d{0,5})\.txt$/.exec(path)?.[1];
  return nth === undefined || nth === '1' ? null : Number(nth) - 1;
}

function partName(at: number): string {
  return at === 0 ? 'llms-full.txt' : `llms-full-${at + 1}.txt`;
}

function partAddress({ addresses }: SiteRequest, at: number): string {
  return addresses.canonical(partName(at));
}

function nameOf({ location: { section, siteSpace } }: ListedSpace): string {
  const { title } = siteSpace.row.space;
  return section === null || section.row.title === title ? title : `${section.row.title}: ${title}`;
}

function lineOf(
  { addresses }: SiteRequest,
  { location }: ListedSpace,
  row: ListedSpace['pages'][number]['row'],
): string {
  const address = addresses.canonical(location.siteSpace.path, markdownPath(row.path));
  const title = row.title.replace(/[[\]\\]/g, '\\$&');
  return `- [${title}](${address})${row.description === null ? '' : `: ${row.description.replace(/\s+/g, ' ')}`}`;
}

function countPages(spaces: readonly ListedSpace[]): number {
  return spaces.reduce((count, { pages }) => count + pages.length, 0);
}
