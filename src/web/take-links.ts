import type { Link } from '../client/index.ts';

/** Links of one page that are looked up; its body is rendered without knowing the others. */
const linksRead = 20_000;

/** The links of a page, up to a number that no page of people's reaches. */
export async function takeLinks(listed: AsyncIterable<Link>): Promise<readonly Link[]> {
  const links: Link[] = [];
  for await (const link of listed) if (links.push(link) >= linksRead) break;
  return links;
}
