import type { Api, ApiOperation } from '../api-model.ts';
import type { SpecDocument } from '../bundle-spec.ts';
import { isObject } from '../pointer.ts';
import { readApi } from '../read-api.ts';
import { ChangeList, MAX_CHANGES } from './change-list.ts';
import { compareOperations } from './compare-operations.ts';
import type { SpecChange } from './spec-change.ts';
import { writePlain } from './write-plain.ts';

export interface SpecComparison {
  /** Breaking ones first, else in the order of the documents; at most `MAX_CHANGES`. */
  readonly changes: readonly SpecChange[];
  readonly total: number;
  readonly breaking: number;
}

/**
 * What changed between two versions of an API for those who call it: a request may be asked for less and never for more, a
 * response may promise more and never less. Texts for people (descriptions, examples) are no changes.
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
    ...list.changes.filter((one) => one.breaking),
    ...list.changes.filter((one) => !one.breaking),
  ];
  return { changes: ordered.slice(0, MAX_CHANGES), ...list.counts };
}

function comparePaths(old: readonly ApiOperation[], next: readonly ApiOperation[], list: ChangeList): void {
  const oldByKey = byKey(old);
  const nextByKey = byKey(next);
  const nextPaths = new Set(next.map(({ path }) => shapeOfPath(path)));
  const oldPaths = new Set(old.map(({ path }) => shapeOfPath(path)));
  const toldPaths = new Set<string>();
  for (const [key, operation] of oldByKey) {
    const partner = nextByKey.get(key);
    if (partner) {
      list.within(nameOf(partner));
      compareOperations(operation, partner, list);
      continue;
    }
    list.within('');
    const place = { side: 'old', pointer: operation.pointer } as const;
    const path = shapeOfPath(operation.path);
    if (nextPaths.has(path)) {
      list.add('operation-removed', true, place, `The operation ${nameOf(operation)} is gone.`, {
        was: nameOf(operation),
      });
    } else if (!toldPaths.has(path)) {
      toldPaths.add(path);
      const pointer = operation.pointer.replace(/\/[^/]*$/, '');
      list.add('path-removed', true, { side: 'old', pointer }, `The path ${operation.path} is gone.`, {
        was: operation.path,
      });
    }
  }
  list.within('');
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

/** What the API sends to its clients: there a request is what they get. */
function compareWebhooks(
  old: readonly ApiOperation[],
  next: readonly ApiOperation[],
  list: ChangeList,
): void {
  const nextByKey = byKey(next);
  const oldByKey = byKey(old);
  for (const [key, operation] of oldByKey) {
    const partner = nextByKey.get(key);
    const name = `webhook ${operation.path}`;
    list.within(partner ? name : '');
    if (partner) compareOperations(operation, partner, list, { isWebhook: true });
    else {
      const place = { side: 'old', pointer: operation.pointer } as const;
      list.add('webhook-removed', true, place, `The ${name} is gone.`, { was: name });
    }
  }
  list.within('');
  for (const [key, { path, pointer }] of nextByKey) {
    if (!oldByKey.has(key)) {
      list.add('webhook-added', false, { side: 'new', pointer }, `The webhook ${path} is new.`, {
        is: `webhook ${path}`,
      });
    }
  }
}

function byKey(operations: readonly ApiOperation[]): Map<string, ApiOperation> {
  return new Map(operations.map((one) => [`${one.method} ${shapeOfPath(one.path)}`, one]));
}

/** The names of parameters in a path are for people: `/users/{id}` and `/users/{userId}` are one. */
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
      `The server ${url} is gone.`,
      { was: url },
    );
  }
  for (const url of next.servers) {
    if (!old.servers.includes(url)) {
      list.add('server-added', false, { side: 'new', pointer }, `The server ${url} is new.`, { is: url });
    }
  }
}

/** How a client proves who it is; that a scheme is gone shows in the operations that took it. */
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
      `The security scheme ${name} was ${was}, and is ${is} now.`,
      { was, is },
    );
  }
}

/** What of a scheme a client has to do. */
function wireOf(scheme: unknown): string {
  if (!isObject(scheme)) return 'nothing';
  const { type, name, in: place, scheme: http, openIdConnectUrl } = scheme;
  // `basic` of Swagger 2.0 is a scheme of HTTP since.
  if (type === 'basic') return 'http basic';
  const said = [
    type,
    place,
    name,
    typeof http === 'string' ? http.toLowerCase() : undefined,
    openIdConnectUrl,
  ];
  return said
    .filter((one) => one !== undefined)
    .map((one) => (typeof one === 'string' ? one : writePlain(one)))
    .join(' ');
}
