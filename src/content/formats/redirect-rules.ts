import type { SpaceSettings } from '../model/index.ts';
import { trimSlashes } from '../tree/index.ts';

/** A redirect as a builder or a host reads it: from an address of the site to another one, or to one elsewhere. */
export interface RedirectRule {
  readonly from: string;
  readonly to: string;
}

/** Rules beyond this number are ignored, and so are those with longer addresses. */
const MAX_RULES = 10_000;
const MAX_LENGTH = 500;

/** A last segment that stands for all that follows: `*`, `:splat`, `:path*`, `(.*)`, `[...slug]`. */
const REST = /(^|\/)(?:\*|:\w+(?:\([^()]*\))?[*+?]?|\(\.\*\)|\[(?:\.\.\.)?\w+\]|\$1)\/?$/;

/** Anything that only the builder or host replaces. */
const PATTERN = /[*()[\]{}$^|\\]|(?:^|\/):/;

/**
 * The settings of a space that has redirects only. A rule with a pattern is taken over where it stands for all that
 * follows; rules with others, and those for the whole site, are left out.
 *
 * @param base the site's place on its host, which addresses of rules may have in front, with a slash at each end
 */
export function redirectSettings(rules: Iterable<RedirectRule>, base = '/'): SpaceSettings {
  const redirects = new Map<string, string>();
  for (const { from, to } of rules) {
    if (redirects.size >= MAX_RULES) break;
    if (from.length > MAX_LENGTH || to.length > MAX_LENGTH) continue;
    const source = sourceOf(withoutBase(from, base));
    const target = targetOf(to, base, source?.endsWith('/*') === true);
    if (source === null || target === null || redirects.has(source) || target === `/${source}`) continue;
    redirects.set(source, target);
  }
  return { reusable: [], variables: {}, redirects };
}

function sourceOf(address: string): string | null {
  if (/[?#]/.test(address)) return null;
  const path = plainAddress(address.replace(REST, '$1'));
  if (PATTERN.test(path)) return null;
  if (!REST.test(address)) return path;
  return path === '' ? null : `${path}/*`;
}

function targetOf(address: string, base: string, hasRest: boolean): string | null {
  if (/^https?:\/\//i.test(address)) return PATTERN.test(address) ? null : (URL.parse(address)?.href ?? null);
  if (/^(?:[a-z][a-z\d+.-]*:|\/\/)/i.test(address)) return null;
  const [whole = '', anchor] = withoutBase(address, base).split('#', 2);
  const path = whole.replace(/\?.*$/s, '');
  const isRest = REST.test(path);
  const plain = plainAddress(isRest ? path.replace(REST, '$1') : path);
  if (PATTERN.test(plain) || (isRest && !hasRest)) return null;
  const below = isRest ? [plain, '*'].filter((part) => part !== '').join('/') : plain;
  return `/${below}${anchor === undefined || anchor === '' ? '' : `#${anchor}`}`;
}

/** The path of a page at an address, without the ending that builders and hosts may give it. */
export function plainAddress(address: string): string {
  return decoded(trimSlashes(address)).replace(/(?:(?:^|\/)index)?\.html?$/, '');
}

function withoutBase(address: string, base: string): string {
  if (base === '/' || !address.startsWith('/')) return address;
  if (`${address}/` === base) return '/';
  return address.startsWith(base) ? address.slice(base.length - 1) : address;
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
