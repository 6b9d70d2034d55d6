import type { Api, ApiOperation } from '../api-model.ts';
import type { SpecDocument } from '../bundle-spec.ts';
import { isObject } from '../pointer.ts';
import { readApi } from '../read-api.ts';
import { ChangeList, MAX_CHANGES } from './change-list.ts';
import { compareOperations } from './compare-operations.ts';
import { formatJson } from './format-values.ts';
import type { SpecChange } from './spec-change.ts';

export interface SpecComparison {
  /** Breaking changes first, otherwise in document order; at most `MAX_CHANGES`. */
  readonly changes: readonly SpecChange[];
  readonly total: number;
  readonly breaking: number;
}

/**
 * What changed between two versions of an API for its clients. A change is safe when requests need less than before or
 * responses promise more, and breaking otherwise. Texts for people (descriptions, examples) do not count.
 */
export function compareSpecs(old: SpecDocument, next: SpecDocument): SpecComparison {
  const before = readApi(old);
  const after = readApi(next);
  const list = new ChangeList(before.resolve, after.resolve);
  compareServers(before.api, after.api, list);
  compareSchemes(before.api, after.api, list);
  comparePaths(before.api.operations, after.api.operations, list);
  compareWebhooks(before.api.webhooks, after.api.webhooks, list);
  const ordered = [
    ...list.changes.filter((change) => change.breaking),
    ...list.changes.filter((change) => !change.breaking),
  ];
  return { changes: ordered.slice(0, MAX_CHANGES), ...list.counts };
}

function comparePaths(old: readonly ApiOperation[], next: readonly ApiOperation[], list: ChangeList): void {
  const oldByKey = indexByKey(old);
  const nextByKey = indexByKey(next);
  const nextPaths = new Set(next.map(({ path }) => shapeOfPath(path)));
  const oldPaths = new Set(old.map(({ path }) => shapeOfPath(path)));
  const removedPaths = new Set<string>();
  for (const [key, operation] of oldByKey) {
    const partner = nextByKey.get(key);
    if (partner) {
      list.setOperation(nameOf(partner));
      compareOperations(operation, partner, list);
      continue;
    }
    list.setOperation('');
    const location = { side: 'old', pointer: operation.pointer } as const;
    const path = shapeOfPath(operation.path);
    if (nextPaths.has(path)) {
      list.add('operation-removed', true, location, `The operation ${nameOf(operation)} was removed.`, {
        was: nameOf(operation),
      });
    } else if (!removedPaths.has(path)) {
      removedPaths.add(path);
      const pointer = operation.pointer.replace(/\/[^/]*$/, '');
      list.add('path-removed', true, { side: 'old', pointer }, `The path ${operation.path} was removed.`, {
        was: operation.path,
      });
    }
  }
  list.setOperation('');
  for (const [key, operation] of nextByKey) {
    if (oldByKey.has(key)) continue;
    const kind = oldPaths.has(shapeOfPath(operation.path)) ? 'operation-added' : 'path-added';
    list.add(
      kind,
      false,
      { side: 'new', pointer: operation.pointer },
      `The operation ${nameOf(operation)} is new.`,
      { is: nameOf(operation) },
    );
  }
}

/** In a webhook the API sends the request, so clients receive it. */
function compareWebhooks(
  old: readonly ApiOperation[],
  next: readonly ApiOperation[],
  list: ChangeList,
): void {
  const nextByKey = indexByKey(next);
  const oldByKey = indexByKey(old);
  for (const [key, operation] of oldByKey) {
    const partner = nextByKey.get(key);
    const name = `webhook ${operation.path}`;
    list.setOperation(partner ? name : '');
    if (partner) compareOperations(operation, partner, list, { isWebhook: true });
    else {
      const location = { side: 'old', pointer: operation.pointer } as const;
      list.add('webhook-removed', true, location, `The ${name} was removed.`, { was: name });
    }
  }
  list.setOperation('');
  for (const [key, { path, pointer }] of nextByKey) {
    if (!oldByKey.has(key)) {
      list.add('webhook-added', false, { side: 'new', pointer }, `The webhook ${path} is new.`, {
        is: `webhook ${path}`,
      });
    }
  }
}

function indexByKey(operations: readonly ApiOperation[]): Map<string, ApiOperation> {
  return new Map(
    operations.map((operation) => [`${operation.method} ${shapeOfPath(operation.path)}`, operation]),
  );
}

/** The names of path parameters have no meaning: `/users/{id}` and `/users/{userId}` are the same path. */
function shapeOfPath(path: string): string {
  return path.replace(/\{[^{}]*\}/g, '{}');
}

function nameOf({ method, path }: ApiOperation): string {
  return `${method} ${path}`;
}

function compareServers(old: Api, next: Api, list: ChangeList): void {
  const pointer = next.version === '2.0' ? '' : '/servers';
  if (old.servers.length === 0 && next.servers.length === 0) return;
  for (const url of old.servers) {
    if (next.servers.includes(url)) continue;
    list.add(
      'server-removed',
      true,
      { side: 'old', pointer: old.version === '2.0' ? '' : '/servers' },
      `The server ${url} was removed.`,
      { was: url },
    );
  }
  for (const url of next.servers) {
    if (!old.servers.includes(url)) {
      list.add('server-added', false, { side: 'new', pointer }, `The server ${url} is new.`, { is: url });
    }
  }
}

/** How clients authenticate. A removed scheme is reported by the operations that used it. */
function compareSchemes(old: Api, next: Api, list: ChangeList): void {
  for (const [name, scheme] of old.securitySchemes) {
    const partner = next.securitySchemes.get(name);
    if (!partner) continue;
    const was = wireOf(scheme.value);
    const is = wireOf(partner.value);
    if (was === is) continue;
    list.add(
      'security-scheme-changed',
      true,
      { side: 'new', pointer: partner.pointer },
      `The security scheme ${name} was ${was} and is now ${is}.`,
      { was, is },
    );
  }
}

/** The part of a scheme that clients depend on. */
function wireOf(scheme: unknown): string {
  if (!isObject(scheme)) return 'nothing';
  const { type, name, in: location, scheme: http, openIdConnectUrl } = scheme;
  // `basic` of Swagger 2.0 became the scheme `http basic` in OpenAPI 3.
  if (type === 'basic') return 'http basic';
  const parts = [
    type,
    location,
    name,
    typeof http === 'string' ? http.toLowerCase() : undefined,
    openIdConnectUrl,
  ];
  return parts
    .filter((part) => part !== undefined)
    .map((part) => (typeof part === 'string' ? part : formatJson(part)))
    .join(' ');
}
