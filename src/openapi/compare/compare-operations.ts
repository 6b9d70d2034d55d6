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
import { needs } from './write-plain.ts';

export interface OperationOptions {
  /** The API calls its clients here, so who sends and who gets are exchanged. */
  readonly isWebhook?: boolean;
}

/** Compares an operation with what it was. */
export function compareOperations(
  old: ApiOperation,
  next: ApiOperation,
  list: ChangeList,
  { isWebhook = false }: OperationOptions = {},
): void {
  const sent: Direction = isWebhook ? 'response' : 'request';
  const got: Direction = isWebhook ? 'request' : 'response';
  const here = { side: 'new', pointer: next.pointer } as const;
  if (!old.isDeprecated && next.isDeprecated) {
    list.add('operation-deprecated', false, here, 'The operation is deprecated now.', { is: 'deprecated' });
  } else if (old.isDeprecated && !next.isDeprecated) {
    list.add('operation-restored', false, here, 'The operation is no longer deprecated.', {
      was: 'deprecated',
    });
  }
  if (old.id !== null && old.id !== next.id) {
    const now = next.id === null ? 'has no operationId any more' : `is called ${next.id} now`;
    list.add(
      'operation-id-changed',
      false,
      here,
      `The operation was called ${old.id} and ${now}; generated clients name their functions so.`,
      { was: old.id, ...(next.id === null ? {} : { is: next.id }) },
    );
  }
  if (!isWebhook) compareSecurity(old, next, list);
  compareParameters(old, next, sent, list);
  compareBodies(old.body, next, sent, list);
  compareResponses(old, next, got, list);
}

function compareParameters(
  old: ApiOperation,
  next: ApiOperation,
  direction: Direction,
  list: ChangeList,
): void {
  const left = new Set(next.parameters);
  const oldNames = namesInPath(old.path);
  const newNames = namesInPath(next.path);
  for (const was of old.parameters) {
    // A parameter of the path is known by its place in it.
    const name = was.in === 'path' ? (newNames[oldNames.indexOf(was.name)] ?? was.name) : was.name;
    const is = next.parameters.find((one) => one.in === was.in && isSameName(one, name));
    if (!is) {
      if (was.in === 'path') continue;
      list.add(
        'parameter-removed',
        true,
        { side: 'old', pointer: was.pointer },
        `The ${sayParameter(was)} is gone.`,
        { was: sayParameter(was) },
      );
      continue;
    }
    left.delete(is);
    const here = { side: 'new', pointer: is.pointer } as const;
    if (was.in !== 'path' && was.isRequired !== is.isRequired) {
      const kind = is.isRequired ? 'parameter-required' : 'parameter-optional';
      const now = is.isRequired ? 'required' : 'optional';
      list.add(kind, is.isRequired, here, `The ${sayParameter(is)} is ${now} now.`, needs(is.isRequired));
    }
    if (was.style !== is.style) {
      list.add(
        'parameter-style-changed',
        true,
        here,
        `The ${sayParameter(is)} is written another way now (style or explode).`,
        { was: was.style, is: is.style },
      );
    }
    if (!was.isDeprecated && is.isDeprecated) {
      list.add('parameter-deprecated', false, here, `The ${sayParameter(is)} is deprecated now.`, {
        is: 'deprecated',
      });
    }
    compareSchemas(was.schema, is.schema, { direction, subject: `the ${sayParameter(is)}` }, list);
  }
  for (const is of left) {
    if (is.in === 'path') continue;
    const how = is.isRequired ? 'a new required one' : 'new';
    list.add(
      'parameter-added',
      is.isRequired,
      { side: 'new', pointer: is.pointer },
      `The ${sayParameter(is)} is ${how}.`,
      { is: sayParameter(is) },
    );
  }
}

function isSameName(one: ApiParameter, name: string): boolean {
  return one.in === 'header' ? one.name.toLowerCase() === name.toLowerCase() : one.name === name;
}

function namesInPath(path: string): string[] {
  return [...path.matchAll(/\{([^{}]*)\}/g)].map((match) => match[1] ?? '');
}

function sayParameter({ in: place, name }: ApiParameter): string {
  return `${place} parameter ${name}`;
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
      ? 'It takes a request body now, which is required.'
      : 'It takes a request body now.';
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
      'It takes no request body any more.',
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
      `The request body is ${now} now.`,
      needs(is.isRequired),
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
      // Clients are ready for errors that do not come.
      const breaks = /^(?:[123]|default)/i.test(was.status);
      list.add(
        'response-removed',
        breaks,
        { side: 'old', pointer: was.pointer },
        `The response ${was.status} is gone.`,
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

function isSameStatus(one: string, other: string): boolean {
  return one.toUpperCase() === other.toUpperCase();
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
        `The header ${header.name} of ${subject} is gone.`,
        { was: header.name },
      );
    }
  }
  for (const { name, pointer } of is.headers) {
    if (was.headers.some((one) => one.name.toLowerCase() === name.toLowerCase())) continue;
    list.add('header-added', false, { side: 'new', pointer }, `The header ${name} of ${subject} is new.`, {
      is: name,
    });
  }
}

interface Subject {
  readonly direction: Direction;
  /** What is compared, as a sentence names it: `the request body`. */
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
    const now = is.isRequired ? 'is always there now' : 'may be missing now';
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
        `The media type ${was.mediaType} of ${subject} is gone.`,
        { was: was.mediaType },
      );
    }
  }
  for (const { mediaType, pointer } of next) {
    if (old.some((one) => isSameType(one.mediaType, mediaType))) continue;
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
function isSameType(one: string, other: string): boolean {
  return plainType(one) === plainType(other);
}

function plainType(mediaType: string): string {
  return mediaType
    .toLowerCase()
    .replace(/;\s*charset=[^;]*/, '')
    .replaceAll(' ', '');
}
