/** Finds the files that references point to: by URL where the description has one, otherwise by path. */

/** Resolves a reference against a URL, without its fragment; null for schemes other than `http` and `https`. */
export function locateByAddress(from: string, reference: string): string | null {
  const url = URL.parse(reference, from);
  if (!url || !/^https?:$/.test(url.protocol)) return null;
  url.hash = '';
  return url.href;
}

/** Resolves a reference against a path below a root; null when it leaves the root. URLs are resolved as URLs. */
export function locateByPath(from: string, reference: string): string | null {
  if (/^https?:\/\//i.test(reference)) return locateByAddress(reference, reference);
  if (/^https?:\/\//i.test(from)) return locateByAddress(from, reference);
  if (/^[a-z][a-z\d+.-]*:/i.test(reference) || reference.includes('\\')) return null;
  const parts = reference.startsWith('/') ? [] : from.split('/').slice(0, -1);
  for (const part of unescapePath(reference).split('/')) {
    if (part === '' || part === '.') continue;
    if (part !== '..') parts.push(part);
    else if (parts.pop() === undefined) return null;
  }
  return parts.length === 0 ? null : parts.join('/');
}

function unescapePath(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}
