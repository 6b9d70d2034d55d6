import { scanHtml } from '../../content/parse/index.ts';
import type { HttpResponse } from '../../net/index.ts';

/** Pages above this are not searched, in bytes. */
const MAX_PAGE = 5 * 1024 * 1024;

/**
 * Fragments that name no element: text fragments (https://wicg.github.io/scroll-to-text-fragment/), routes of scripts,
 * and lines, which code hosts add by script.
 */
const HANDLED_BY_SCRIPTS = /^(?:[!/?:]|L\d|.*[=&]|.*:~:)/;

/** Whether an HTML page has the elements that fragments name; empty when that cannot be determined. */
export function findFragments(
  response: HttpResponse,
  fragments: readonly string[],
): Readonly<Record<string, boolean>> {
  const type = response.headers.get('content-type') ?? '';
  const bytes = response.bytes();
  if (!/^text\/html\b/i.test(type) || bytes.length > MAX_PAGE) return {};
  const ids = new Set<string>();
  let scripts = 0;
  scanHtml(response.text(), {
    startTag(name, attributes) {
      if (name === 'script') scripts += 1;
      for (const id of [attributes.get('id'), name === 'a' ? attributes.get('name') : undefined]) {
        if (id) ids.add(id);
      }
    },
    endTag() {},
    text() {},
  });
  // A page that scripts build has its elements only in a browser.
  if (ids.size < 3 && scripts > 0) return {};
  return Object.fromEntries(
    fragments
      .filter((fragment) => !HANDLED_BY_SCRIPTS.test(fragment))
      .map((fragment) => [fragment, has(ids, fragment)]),
  );
}

/** https://html.spec.whatwg.org/multipage/browsing-the-web.html#find-a-potential-indicated-element */
function has(ids: ReadonlySet<string>, fragment: string): boolean {
  if (ids.has(fragment) || fragment.toLowerCase() === 'top') return true;
  try {
    const decoded = decodeURIComponent(fragment);
    // The prefix that some hosts add to ids in user content.
    return ids.has(decoded) || ids.has(`user-content-${decoded}`);
  } catch {
    return false;
  }
}
