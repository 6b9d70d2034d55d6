import type { FileFacts, FileProblem, Span } from '../../model/index.ts';
import type { PageRecorder } from '../../parse/index.ts';
import type { FileValues } from '../../yaml/index.ts';
import { isRecord } from '../untyped-values.ts';
import { validYaml } from './gitbook-config.ts';

/** Longest text of an expression, in UTF-16 code units; the rest is not read. */
const MAX_LENGTH = 500;

const expressionSpans = new WeakMap<PageRecorder, Span[]>();

/** Records where `<code class="expression">` ends; its text names variables. */
export function recordExpression(
  name: string,
  attributes: ReadonlyMap<string, string>,
  span: Span,
  page: PageRecorder,
): void {
  if (name !== 'code' || attributes.get('class') !== 'expression') return;
  const spans = expressionSpans.get(page);
  if (spans === undefined) expressionSpans.set(page, [span]);
  else spans.push(span);
}

/** Records the variables that a page's expressions name; null when it has no expressions. */
export function variablesIn(source: string): ((page: PageRecorder) => void) | null {
  if (!source.includes('"expression"')) return null;
  return (page) => {
    const lines = (expressionSpans.get(page)?.length ?? 0) === 0 ? [] : source.split('\n');
    for (const { endLine, endColumn } of expressionSpans.get(page) ?? []) {
      const text = lines[endLine - 1]?.slice(endColumn - 1, endColumn - 1 + MAX_LENGTH) ?? '';
      for (const [name] of (text.split('<', 1)[0] ?? '').matchAll(/\b(?:space|page)\.vars\.[\w-]+/g)) {
        page.addVariable(name, endLine);
      }
    }
  };
}

/** The names that `.gitbook/vars.yaml` defines; null when there is no such file or it is not a valid mapping. */
export function readVariables(file: FileValues | null): ReadonlySet<string> | null {
  const values = validYaml(file);
  return isRecord(values) ? new Set(Object.keys(values).map((key) => key.trim())) : null;
}

/**
 * Returns a problem for each variable of a page that is not defined. An include may use the variables of the pages that
 * show it, so only the space's variables are checked there.
 */
export function unknownVariables(
  { variables = [], frontMatter }: FileFacts,
  {
    known,
    file,
    isInclude,
  }: { readonly known: ReadonlySet<string> | null; readonly file: string; readonly isInclude: boolean },
): readonly Omit<FileProblem, 'file'>[] {
  const own = isRecord(frontMatter['vars']) ? frontMatter['vars'] : {};
  return variables.flatMap(({ name, line }): Omit<FileProblem, 'file'>[] => {
    const [scope, , key = ''] = name.split('.');
    const isKnown =
      scope === 'space' ? known === null || known.has(key) : isInclude || Object.hasOwn(own, key);
    if (isKnown) return [];
    const where = scope === 'space' ? file : 'the page’s front matter (vars)';
    return [
      {
        rule: 'unknown-variable',
        line,
        message: `${name} is not defined in ${where}. Define it there, or correct its name.`,
      },
    ];
  });
}
