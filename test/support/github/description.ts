/** GitHub's own description of its API, as it is published. Read once for each test worker, since it is large. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

export interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly required?: boolean;
  readonly schema: object;
}

export interface Content {
  readonly content?: Record<string, { readonly schema: object }>;
}

export interface Operation {
  readonly parameters?: readonly (Parameter | { readonly $ref: string })[];
  readonly requestBody?: Content & { readonly required?: boolean };
  readonly responses: Record<string, Content & { readonly $ref?: string }>;
}

export interface Description {
  readonly paths: Record<string, Record<string, Operation>>;
  readonly components: {
    readonly schemas: Record<string, object>;
    readonly responses: Record<string, Content>;
    readonly parameters: Record<string, Parameter>;
  };
}

let description: Description | undefined;

export function gitHubDescription(): Description {
  const file = createRequire(import.meta.url).resolve('@octokit/openapi/generated/api.github.com.json');
  description ??= JSON.parse(readFileSync(file, 'utf8')) as Description;
  return description;
}

/** What `{ $ref: '#/components/<kind>/<name>' }` stands for. */
export function resolveRef(ref: string): object {
  const [, , kind = '', name = ''] = ref.split('/');
  const { components } = gitHubDescription();
  const found = (components as unknown as Record<string, Record<string, object>>)[kind]?.[name];
  if (found === undefined) throw new Error(`GitHub’s description has no ${ref}.`);
  return found;
}

export interface FoundOperation {
  readonly method: string;
  /** Such as `/repos/{owner}/{repo}`. */
  readonly template: string;
  readonly operation: Operation;
  /** By the names in the template, as they stand in the path. */
  readonly pathParameters: Readonly<Record<string, string>>;
}

interface Row extends Omit<FoundOperation, 'pathParameters'> {
  readonly pattern: RegExp;
  readonly names: readonly string[];
  readonly specific: number;
}

let rows: ReadonlyMap<string, readonly Row[]> | undefined;

/** Rows by method and the first folder of the path, the most specific first. */
function allOperations(): ReadonlyMap<string, readonly Row[]> {
  rows ??= Map.groupBy(listOperations(), ({ method, template }) => groupOf(method, template));
  return rows;
}

function groupOf(method: string, path: string): string {
  return `${method} ${path.split('/')[1]}`;
}

function listOperations(): readonly Row[] {
  return Object.entries(gitHubDescription().paths)
    .flatMap(([template, methods]) =>
      Object.entries(methods).map(([method, operation]) => ({
        method: method.toUpperCase(),
        template,
        operation,
        names: [...template.matchAll(/\{([^}]+)\}/g)].map(([, name = '']) => name),
        pattern: patternOf(template),
        specific: template.replace(/\{[^}]+\}/g, '').length,
      })),
    )
    .sort((a, b) => b.specific - a.specific);
}

/** Refs, paths and comparisons hold slashes; the root folder's contents have no path. */
function patternOf(template: string): RegExp {
  const source = template
    .replace(/[.]/g, '\\.')
    .replace('/{path}', '(?:/(.*))?')
    .replace(/\{(ref|branch|basehead)\}/g, '(.+)')
    .replace(/\{[^}]+\}/g, '([^/]+)');
  return new RegExp(`^${source}$`);
}

/** The operation that a request calls; `path` is without query. Null for none. */
export function findOperation(method: string, path: string): FoundOperation | null {
  for (const row of allOperations().get(groupOf(method, path)) ?? []) {
    const match = row.pattern.exec(path);
    if (match === null) continue;
    const pathParameters = Object.fromEntries(row.names.map((name, at) => [name, match[at + 1] ?? '']));
    return { method, template: row.template, operation: row.operation, pathParameters };
  }
  return null;
}
