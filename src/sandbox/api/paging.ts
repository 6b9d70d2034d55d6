import { ForgeApiError } from './api-error.ts';
import type { Call, RouteResult } from './route.ts';

const DEFAULT_PER_PAGE = 30;
const MAX_PER_PAGE = 100;

export interface RequestedPage {
  /** From 1. */
  readonly number: number;
  readonly perPage: number;
  readonly skip: number;
}

/** The requested page. As on GitHub, more than 100 a page means 100. */
export function readRequestedPage(call: Call): RequestedPage {
  const number = readCount(call, 'page', 1);
  const perPage = Math.min(readCount(call, 'per_page', DEFAULT_PER_PAGE), MAX_PER_PAGE);
  return { number, perPage, skip: (number - 1) * perPage };
}

function readCount(call: Call, name: string, fallback: number): number {
  const text = call.query.get(name);
  if (text === null || text === '') return fallback;
  if (!/^\d{1,9}$/.test(text)) throw new ForgeApiError(422, `Invalid request.\n\n${name} must be a number.`);
  return Math.max(1, Number(text));
}

/** The requested page of a list; `wrap` puts it into an object, where the response is not a plain list. */
export function paginate<T>(
  call: Call,
  all: readonly T[],
  present: (item: T) => unknown,
  wrap: (items: unknown[], total: number) => unknown = (items) => items,
): RouteResult {
  const page = readRequestedPage(call);
  const items = all.slice(page.skip, page.skip + page.perPage).map(present);
  return { status: 200, body: wrap(items, all.length), headers: linkHeader(call, page, all.length) };
}

/** The `Link` header to the pages around this one; none when there is only one. */
export function linkHeader(call: Call, page: RequestedPage, total: number): Record<string, string> {
  const last = Math.max(1, Math.ceil(total / page.perPage));
  const targets: [rel: string, number: number][] = [];
  if (page.number > 1) targets.push(['prev', Math.min(page.number - 1, last)]);
  if (page.number < last) targets.push(['next', page.number + 1], ['last', last]);
  if (page.number > 1) targets.push(['first', 1]);
  if (targets.length === 0) return {};
  return {
    link: targets
      .map(([rel, number]) => {
        const url = new URL(call.url);
        url.searchParams.set('page', String(number));
        return `<${url.href}>; rel="${rel}"`;
      })
      .join(', '),
  };
}
