import { escapeMarkdown } from '../../content/text/index.ts';
import { MAX_QUESTION } from '../../platform/index.ts';
import { bytesIn } from '../finished-answer.ts';
import { askSite, type SiteAnswer } from '../search/ask-site.ts';
import { recordMissedSearch } from '../search/record-missed-search.ts';
import { searchSite } from '../search/search-site.ts';
import { TooManySearches } from '../search/search-turns.ts';
import { loadWholeSite } from '../search/searched-spaces.ts';
import type { SiteRequest } from '../site-request.ts';
import { findMarkdown } from '../surfaces/answer-markdown.ts';
import type { SiteSearchResult } from '../views/site-page.ts';
import { type McpServer, ToolProblem } from './protocol.ts';

/** Pages that a search names: models read all of them, so more would cost more than they help. */
const MAX_RESULTS = 10;

/** Of one part of a page, in UTF-16 code units. */
const MAX_PART = 50_000;

/** What a site offers to language models, as far as this visitor may read it. */
export function siteTools(site: SiteRequest): McpServer {
  const { title } = site.served.site;
  return {
    title,
    instructions: `This is the documentation “${title}”. Search it first, then read the pages that match.`,
    tools: {
      search: {
        title: 'Search',
        description: `Searches the documentation “${title}”, and returns the best section of each page that matches, with its address.`,
        properties: {
          query: { type: 'string', description: 'Words that the section has; all of them must match.' },
        },
        required: ['query'],
        call: async ({ query }) => await search(site, textOf('query', query)),
      },
      ask: {
        title: 'Ask',
        description: `Answers a question from the documentation “${title}”: with the sections that say most of it, word for word and with their addresses, and, where the site has a language model, with sentences that it composed of them, each with the sections that say it. Says so where it is not in these docs.`,
        properties: {
          question: {
            type: 'string',
            maxLength: MAX_QUESTION,
            description: 'The question, in whole words.',
          },
        },
        required: ['question'],
        call: async ({ question }) => await answer(site, textOf('question', question)),
      },
      getPage: {
        title: 'Read a page',
        description: `Returns a page of the documentation “${title}” as Markdown.`,
        properties: {
          address: { type: 'string', description: 'The address of the page, as the search returns it.' },
          part: { type: 'integer', minimum: 1, description: 'Which part of a long page; 1 where absent.' },
        },
        required: ['address'],
        call: async ({ address, part = 1 }) => await readPart(site, textOf('address', address), part),
      },
    },
  };
}

async function answer(site: SiteRequest, question: string): Promise<string> {
  if (question.length > MAX_QUESTION)
    throw new ToolProblem(`A question has at most ${MAX_QUESTION} characters: ask a shorter one.`);
  const { madeBy, sentences, results } = await asTool(askToEnd(site, question));
  if (madeBy === 'nothing') {
    await recordMissedSearch(site, question);
    return `This is not in these docs: no section answers “${question}”.`;
  }
  if (madeBy === 'sections') return results.map(describeResult).join('\n\n');
  const answer = sentences.map(
    ({ text, cites }) => `${escapeMarkdown(text)} ${cites.map((at) => `[${at + 1}]`).join('')}`,
  );
  const sources = results.map((result, at) =>
    describeResult({ ...result, title: `${result.title} [${at + 1}]` }),
  );
  return [
    answer.join(' '),
    'A language model composed this answer from the sections that follow, word for word.',
    ...sources,
  ].join('\n\n');
}

/** The complete answer: a tool has one result. */
async function askToEnd(site: SiteRequest, question: string): Promise<SiteAnswer> {
  const { reply, addresses } = site;
  const gone = new AbortController();
  reply.raw.once('close', () => gone.abort());
  const spaces = await loadWholeSite(site);
  let last: SiteAnswer = {
    madeBy: 'nothing',
    isComposing: false,
    isLimited: false,
    sentences: [],
    results: [],
  };
  for await (const answer of askSite(site, spaces, question, addresses.canonical, gone.signal)) last = answer;
  return last;
}

async function asTool<T>(found: Promise<T>): Promise<T> {
  return await found.catch((error: unknown) => {
    throw error instanceof TooManySearches ? new ToolProblem(error.message) : error;
  });
}

async function search(site: SiteRequest, query: string): Promise<string> {
  const found = await asTool(searchSite(site, query, site.addresses.canonical));
  const pages = new Map<string, SiteSearchResult>();
  for (const result of found.results) {
    const page = result.href.replace(/#.*$/s, '');
    if (!pages.has(page)) pages.set(page, result);
  }
  if (pages.size === 0) {
    await recordMissedSearch(site, query);
    return `Nothing was found for “${query}”. Try fewer or other words.`;
  }
  const described = [...pages.values()].slice(0, MAX_RESULTS).map(describeResult);
  const { corrected, isAnswer } = found;
  if (isAnswer) described.unshift(`No page has all words of “${query}”; these sections say most of it.`);
  if (corrected !== null) described.unshift(`Nothing was found for “${query}”; these match “${corrected}”.`);
  return described.join('\n\n');
}

function describeResult({ title, href, trail, excerpt }: SiteSearchResult): string {
  return `## ${[...trail, title].join(' › ')}\n${href}\n\n${excerpt.map(({ text }) => text).join('')}`;
}

async function readPart(site: SiteRequest, address: string, part: unknown): Promise<string> {
  const path = pathOf(site, address);
  const found = path === null ? null : await findMarkdown(site, path);
  if (found === null)
    throw new ToolProblem('There is no page at this address. Use an address that the search returned.');
  const text = bytesIn(await found.load(), 'identity').toString();
  const parts = Math.max(1, Math.ceil(text.length / MAX_PART));
  if (typeof part !== 'number' || !Number.isInteger(part) || part < 1 || part > parts)
    throw new ToolProblem(`The page has ${parts} parts: the argument “part” must be from 1 to ${parts}.`);
  const shown = text.slice((part - 1) * MAX_PART, part * MAX_PART);
  return parts === 1 ? shown : `${shown}\n\n(Part ${part} of ${parts} of this page.)\n`;
}

/** The path of a page below the site, from its whole address or from the path alone; null for another site's. */
function pathOf({ addresses }: SiteRequest, address: string): string | null {
  const root = addresses.canonical().replace(/\/$/, '');
  const url = URL.parse(address, `${root}/`);
  if (url === null || !`${url.origin}${url.pathname}/`.startsWith(`${root}/`)) return null;
  try {
    const path = decodeURIComponent(`${url.origin}${url.pathname}`.slice(root.length));
    return path.includes('\0') ? null : path.replace(/^\/+|\/+$/g, '');
  } catch {
    return null;
  }
}

function textOf(name: string, value: unknown): string {
  if (typeof value !== 'string' || value.trim() === '')
    throw new ToolProblem(`The argument “${name}” must be a text that is not empty.`);
  return value.trim();
}
