import type {
  ApiBody,
  ApiContent,
  ApiHeader,
  ApiOperation,
  ApiParameter,
  ApiResponse,
} from '../api-model.ts';
import type { ChangeList, Direction } from './change-list.ts';
import { compareSchemas } from './compare-schemas.ts';
import { compareSecurity } from './compare-security.ts';
import { requiredValues } from './format-values.ts';

export interface OperationOptions {
  /** The API sends this request to its clients, so sender and receiver are swapped. */
  readonly isWebhook?: boolean;
}

/** Compares an operation with its old version. */
export function compareOperations(
  old: ApiOperation,
  next: ApiOperation,
  list: ChangeList,
  { isWebhook = false }: OperationOptions = {},
): void {
  const sent: Direction = isWebhook ? 'response' : 'request';
  const received: Direction = isWebhook ? 'request' : 'response';
  const here = { side: 'new', pointer: next.pointer } as const;
  if (!old.isDeprecated && next.isDeprecated) {
    list.add('operation-deprecated', false, here, 'The operation is now deprecated.', { is: 'deprecated' });
  } else if (old.isDeprecated && !next.isDeprecated) {
    list.add('operation-restored', false, here, 'The operation is no longer deprecated.', {
      was: 'deprecated',
    });
  }
  if (old.id !== null && old.id !== next.id) {
    const now = next.id === null ? 'no longer has an operationId' : `is now called ${next.id}`;
    list.add(
      'operation-id-changed',
      false,
      here,
      `The operation was called ${old.id} and ${now}; generated clients name their functions after it.`,
      { was: old.id, ...(next.id === null ? {} : { is: next.id }) },
    );
  }
  if (!isWebhook) compareSecurity(old, next, list);
  compareParameters(old, next, sent, list);
  compareBodies(old.body, next, sent, list);
  compareResponses(old, next, received, list);
}

function compareParameters(
  old: ApiOperation,
  next: ApiOperation,
  direction: Direction,
  list: ChangeList,
): void {
  const added = new Set(next.parameters);
  const oldNames = namesInPath(old.path);
  const newNames = namesInPath(next.path);
  for (const was of old.parameters) {
    // A path parameter is identified by its position in the path.
    const name = was.in === 'path' ? (newNames[oldNames.indexOf(was.name)] ?? was.name) : was.name;
    const is = next.parameters.find((parameter) => parameter.in === was.in && isSameName(parameter, name));
    if (!is) {
      if (was.in === 'path') continue;
      list.add(
        'parameter-removed',
        true,
        { side: 'old', pointer: was.pointer },
        `The ${describeParameter(was)} was removed.`,
        { was: describeParameter(was) },
      );
      continue;
    }
    added.delete(is);
    const here = { side: 'new', pointer: is.pointer } as const;
    if (was.in !== 'path' && was.isRequired !== is.isRequired) {
      const kind = is.isRequired ? 'parameter-required' : 'parameter-optional';
      const now = is.isRequired ? 'required' : 'optional';
      list.add(
        kind,
        is.isRequired,
        here,
        `The ${describeParameter(is)} is now ${now}.`,
        requiredValues(is.isRequired),
      );
    }
    if (was.style !== is.style) {
      list.add(
        'parameter-style-changed',
        true,
        here,
        `The ${describeParameter(is)} is now serialized differently (style or explode).`,
        { was: was.style, is: is.style },
      );
    }
    if (!was.isDeprecated && is.isDeprecated) {
      list.add('parameter-deprecated', false, here, `The ${describeParameter(is)} is now deprecated.`, {
        is: 'deprecated',
      });
    }
    compareSchemas(was.schema, is.schema, { direction, subject: `the ${describeParameter(is)}` }, list);
  }
  for (const is of added) {
    if (is.in === 'path') continue;
    const how = is.isRequired ? 'new and required' : 'new';
    list.add(
      'parameter-added',
      is.isRequired,
      { side: 'new', pointer: is.pointer },
      `The ${describeParameter(is)} is ${how}.`,
      { is: describeParameter(is) },
    );
  }
}

function isSameName(parameter: ApiParameter, name: string): boolean {
  return parameter.in === 'header'
    ? parameter.name.toLowerCase() === name.toLowerCase()
    : parameter.name === name;
}

function namesInPath(path: string): string[] {
  return [...path.matchAll(/\{([^{}]*)\}/g)].map((match) => match[1] ?? '');
}

function describeParameter({ in: location, name }: ApiParameter): string {
  return `${location} parameter ${name}`;
}

function compareBodies(
  was: ApiBody | null,
  next: ApiOperation,
  direction: Direction,
  list: ChangeList,
): void {
  const is = next.body;
  if (was === null && is === null) return;
  if (was === null && is !== null) {
    const how = is.isRequired
      ? 'It now accepts a request body, which is required.'
      : 'It now accepts a request body.';
    list.add(
      'body-added',
      is.isRequired && direction === 'request',
      { side: 'new', pointer: is.pointer },
      how,
      { is: is.isRequired ? 'a required body' : 'an optional body' },
    );
    return;
  }
  if (was === null) return;
  if (is === null) {
    list.add(
      'body-removed',
      true,
      { side: 'old', pointer: was.pointer },
      'It no longer accepts a request body.',
      { was: 'a body' },
    );
    return;
  }
  if (was.isRequired !== is.isRequired) {
    const kind = is.isRequired ? 'body-required' : 'body-optional';
    const now = is.isRequired ? 'required' : 'optional';
    const breaks = is.isRequired === (direction === 'request');
    list.add(
      kind,
      breaks,
      { side: 'new', pointer: is.pointer },
      `The request body is now ${now}.`,
      requiredValues(is.isRequired),
    );
  }
  compareContents(was.contents, is.contents, { direction, subject: 'the request body' }, list);
}

function compareResponses(
  old: ApiOperation,
  next: ApiOperation,
  direction: Direction,
  list: ChangeList,
): void {
  for (const was of old.responses) {
    const is = next.responses.find(({ status }) => isSameStatus(status, was.status));
    if (is) compareResponse(was, is, direction, list);
    else {
      // Clients that handle an error are not affected when it no longer occurs.
      const breaks = /^(?:[123]|default)/i.test(was.status);
      list.add(
        'response-removed',
        breaks,
        { side: 'old', pointer: was.pointer },
        `The response ${was.status} was removed.`,
        { was: was.status },
      );
    }
  }
  for (const is of next.responses) {
    if (old.responses.some(({ status }) => isSameStatus(status, is.status))) continue;
    list.add(
      'response-added',
      false,
      { side: 'new', pointer: is.pointer },
      `The response ${is.status} is new.`,
      { is: is.status },
    );
  }
}

function isSameStatus(a: string, b: string): boolean {
  return a.toUpperCase() === b.toUpperCase();
}

function compareResponse(was: ApiResponse, is: ApiResponse, direction: Direction, list: ChangeList): void {
  const subject = `the response ${is.status}`;
  compareContents(was.contents, is.contents, { direction, subject }, list);
  for (const header of was.headers) {
    const partner = is.headers.find(({ name }) => name.toLowerCase() === header.name.toLowerCase());
    if (partner) compareHeader(header, partner, { direction, subject }, list);
    else {
      list.add(
        'header-removed',
        true,
        { side: 'old', pointer: header.pointer },
        `The header ${header.name} of ${subject} was removed.`,
        { was: header.name },
      );
    }
  }
  for (const { name, pointer } of is.headers) {
    if (was.headers.some((header) => header.name.toLowerCase() === name.toLowerCase())) continue;
    list.add('header-added', false, { side: 'new', pointer }, `The header ${name} of ${subject} is new.`, {
      is: name,
    });
  }
}

interface Subject {
  readonly direction: Direction;
  /** What is compared, as messages name it: `the request body`. */
  readonly subject: string;
}

function compareHeader(
  was: ApiHeader,
  is: ApiHeader,
  { direction, subject }: Subject,
  list: ChangeList,
): void {
  const name = `the header ${is.name} of ${subject}`;
  if (was.isRequired !== is.isRequired) {
    const kind = is.isRequired ? 'header-required' : 'header-optional';
    const now = is.isRequired ? 'is now always present' : 'may now be missing';
    list.add(
      kind,
      !is.isRequired,
      { side: 'new', pointer: is.pointer },
      `The ${name.slice(4)} ${now}.`,
      is.isRequired ? { was: 'at times', is: 'always' } : { was: 'always', is: 'at times' },
    );
  }
  compareSchemas(was.schema, is.schema, { direction, subject: name }, list);
}

function compareContents(
  old: readonly ApiContent[],
  next: readonly ApiContent[],
  { direction, subject }: Subject,
  list: ChangeList,
): void {
  for (const was of old) {
    const is = next.find(({ mediaType }) => isSameType(mediaType, was.mediaType));
    if (is) compareSchemas(was.schema, is.schema, { direction, subject }, list);
    else {
      list.add(
        'media-type-removed',
        true,
        { side: 'old', pointer: was.pointer },
        `The media type ${was.mediaType} of ${subject} was removed.`,
        { was: was.mediaType },
      );
    }
  }
  for (const { mediaType, pointer } of next) {
    if (old.some((content) => isSameType(content.mediaType, mediaType))) continue;
    list.add(
      'media-type-added',
      false,
      { side: 'new', pointer },
      `The media type ${mediaType} of ${subject} is new.`,
      { is: mediaType },
    );
  }
}

/** `application/json; charset=utf-8` is JSON too. */
function isSameType(a: string, b: string): boolean {
  return plainType(a) === plainType(b);
}

function plainType(mediaType: string): string {
  return mediaType
    .toLowerCase()
    .replace(/;\s*charset=[^;]*/, '')
    .replaceAll(' ', '');
}
