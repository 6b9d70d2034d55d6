import { isScriptObject, type ScriptValue } from '../script-config/script-value.ts';

/** The compiled `rewrites` of a site's configuration. */
export interface Rewrites {
  /** Whether every rule could be read. */
  readonly isSure: boolean;
  /** Returns the published path of a page, by its path below the source folder; null when no rule matches. */
  apply(path: string): string | null;
}

interface Rewrite {
  readonly from: RegExp;
  readonly keys: readonly string[];
  readonly to: readonly (string | { readonly key: string })[];
}

/** Rules beyond this number are ignored. */
const MAX_RULES = 2_000;

/** Rules with parameters beyond this number are ignored: every page is matched against each of them. */
const MAX_PATTERNS = 500;

/** Longer paths are not matched against patterns. */
const MAX_MATCHED_LENGTH = 500;

/** A parameter, `:name`, with an optional pattern and repetition, or a pattern alone. */
const PARAMETER = /:([A-Za-z_]\w{0,99})(\([^()]{1,50}\))?([*+?])?|(\([^()]{1,50}\))([*+?])?/g;

/** The supported patterns; all are matched in linear time. */
const PATTERNS: Readonly<Record<string, string>> = {
  '(.*)': '(.*)',
  '(.+)': '(.+)',
  '([^/]+)': '([^/]+)',
  '([^/]*)': '([^/]*)',
  '(\\w+)': '(\\w+)',
  '(\\d+)': '(\\d+)',
};

/**
 * Reads the object form of `rewrites`: paths, also with parameters, `packages/:pkg/docs/:slug*` → `:pkg/:slug*`
 * (https://vitepress.dev/guide/routing#route-rewrites). The first rule that matches a page is used. Functions and other
 * regular expressions are not supported.
 */
export function compileRewrites(value: ScriptValue): Rewrites {
  if (value === undefined || value === null) return { isSure: true, apply: () => null };
  if (!isScriptObject(value)) return { isSure: false, apply: () => null };
  const plain = new Map<string, { readonly to: string; readonly at: number }>();
  const rules: { readonly rule: Rewrite; readonly at: number }[] = [];
  let isSure = !value.isOpen && value.entries.size <= MAX_RULES;
  for (const [at, [from, to]] of [...value.entries].slice(0, MAX_RULES).entries()) {
    if (typeof to !== 'string' || from.startsWith('^')) isSure = false;
    else if (!/[:(*{?+\\]/.test(from)) plain.set(trimmed(from), { to: trimmed(to), at });
    else {
      const rule = compile(trimmed(from), trimmed(to));
      if (rule === null || rules.length >= MAX_PATTERNS) isSure = false;
      else rules.push({ rule, at });
    }
  }
  return {
    isSure,
    apply(path) {
      const exact = plain.get(path);
      for (const { rule, at } of rules) {
        if (exact !== undefined && exact.at < at) break;
        const match = path.length > MAX_MATCHED_LENGTH ? null : rule.from.exec(path);
        if (match === null) continue;
        const values = new Map(rule.keys.map((key, index) => [key, match[index + 1] ?? '']));
        return rule.to
          .map((part) => (typeof part === 'string' ? part : (values.get(part.key) ?? '')))
          .join('');
      }
      return exact?.to ?? null;
    },
  };
}

function compile(from: string, to: string): Rewrite | null {
  if (backtracks(from)) return null;
  const keys: string[] = [];
  let source = '';
  let end = 0;
  let unnamed = 0;
  for (const match of from.matchAll(PARAMETER)) {
    const [parameter, name, namedPattern, namedRepetition, barePattern, bareRepetition] = match;
    const before = from.slice(end, match.index);
    const repetition = namedRepetition ?? bareRepetition;
    const pattern = namedPattern ?? barePattern;
    const regex = pattern === undefined ? '([^/]+?)' : PATTERNS[pattern];
    if (regex === undefined) return null;
    keys.push(name ?? String(unnamed++));
    // The slash before an optional parameter is optional, too.
    const slash = repetition === '*' || repetition === '?' ? before.endsWith('/') : false;
    const literal = escaped(slash ? before.slice(0, -1) : before);
    if (repetition === '*' || repetition === '+') {
      if (pattern !== undefined) return null;
      source += repetition === '+' ? `${literal}(.+?)` : `${literal}${slash ? '(?:/(.+?))?' : '(.*?)'}`;
    } else
      source += `${literal}${slash ? `(?:/${regex})?` : regex}${repetition === '?' && !slash ? '?' : ''}`;
    end = match.index + parameter.length;
  }
  const rest = from.slice(end);
  if (/[:(*{?+\\]/.test(rest) || /[({*\\]/.test(from.replace(PARAMETER, ''))) return null;
  const target = template(to, keys);
  return target === null ? null : { from: new RegExp(`^${source}${escaped(rest)}$`), keys, to: target };
}

/** Whether so many parameters share a part of the path that matching them could take long. */
function backtracks(from: string): boolean {
  const repeated = [...from.matchAll(PARAMETER)].filter((match) => /[*+]/.test(match[0])).length;
  const crowded = from.split('/').some((part) => [...part.matchAll(PARAMETER)].length > 2);
  return repeated > 2 || crowded;
}

function template(to: string, keys: readonly string[]): Rewrite['to'] | null {
  const parts: (string | { readonly key: string })[] = [];
  let end = 0;
  let unnamed = 0;
  for (const match of to.matchAll(PARAMETER)) {
    const key = match[1] ?? String(unnamed++);
    if (!keys.includes(key)) return null;
    parts.push(to.slice(end, match.index), { key });
    end = match.index + match[0].length;
  }
  return [...parts, to.slice(end)];
}

function trimmed(path: string): string {
  return path.replace(/^\//, '');
}

function escaped(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
}
