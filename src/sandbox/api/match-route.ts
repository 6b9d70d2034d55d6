import type { Route } from './route.ts';

interface Compiled {
  readonly route: Route;
  readonly pattern: RegExp;
}

export interface RouteMatch {
  readonly route: Route;
  readonly params: Readonly<Record<string, string>>;
}

function compile(path: string): RegExp {
  const source = path
    .split('/')
    .map((part) => {
      if (part.startsWith(':')) return `(?<${part.slice(1)}>[^/]+)`;
      if (part.startsWith('*')) return `(?<${part.slice(1)}>.*)`;
      return part.replace(/[.]/g, '\\$&');
    })
    .join('/');
  // A list's address may end in a slash: `/contents/` is the root folder.
  return new RegExp(`^${source.replace(/\/\(\?<(\w+)>\.\*\)$/, '(?:/(?<$1>.*))?')}$`);
}

/** Returns a function that finds the route of a request: the first of the table that matches. */
export function routeMatcher(routes: readonly Route[]): (method: string, path: string) => RouteMatch | null {
  const compiled: Compiled[] = routes.map((route) => ({ route, pattern: compile(route.path) }));
  return (method, path) => {
    for (const { route, pattern } of compiled) {
      const match = route.method === method ? pattern.exec(path) : null;
      const params = match && decodeParams(match.groups ?? {});
      if (params) return { route, params };
    }
    return null;
  };
}

/** Null for invalid percent-encoding. */
function decodeParams(groups: Record<string, string | undefined>): Record<string, string> | null {
  try {
    return Object.fromEntries(
      Object.entries(groups).map(([name, text]) => [name, decodeURIComponent(text ?? '')]),
    );
  } catch {
    return null;
  }
}
