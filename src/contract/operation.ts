import Type, { type Static, type TSchema } from 'typebox';
import { type ErrorReason, errorsOfInput } from './errors.ts';

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** The names of the `:name` segments of a path. */
export type ParamNames<Path extends string> = Path extends `${string}:${infer Name}/${infer Rest}`
  ? Name | ParamNames<`/${Rest}`>
  : Path extends `${string}:${infer Name}`
    ? Name
    : never;

/** One operation of the platform's API. Server, client, OpenAPI document, docs and tests all read this. */
export interface Operation<
  Path extends string = string,
  Query extends TSchema = TSchema,
  Body extends TSchema = TSchema,
  Status extends number = number,
  Answer extends TSchema = TSchema,
  Headers extends TSchema = TSchema,
> {
  /** The `operationId`; persisted nowhere, but part of the public interface. */
  readonly id: string;
  readonly method: Method;
  /** Below `/v1`, with `:name` for each parameter. */
  readonly path: Path;
  /** The group in the documentation. */
  readonly tag: string;
  /** One sentence for people. */
  readonly summary: string;
  /** What a reader should know beyond the summary; Markdown. */
  readonly description?: string;
  readonly query: Query;
  /** `Type.Void()` for operations without a body. */
  readonly body: Body;
  /** The only status of success, and the body of its response; `Type.Void()` for an empty one. */
  readonly status: Status;
  readonly answer: Answer;
  /** Headers of the response that callers rely on: an object of strings by name. */
  readonly headers: Headers;
  /** Every error that the operation may answer. */
  readonly errors: readonly ErrorReason[];
  /** Those of `errors` that do not follow from the operation's input. */
  readonly ownErrors: readonly ErrorReason[];
  /** Not part of the platform's published description, and marked `x-extension: true`. */
  readonly extension: boolean;
  /** Answers to callers without a token. */
  readonly open: boolean;
  /** Sends an `ETag` and honours `If-None-Match`. */
  readonly conditional: boolean;
  /** Whether the body may be left out, which is the same as one without fields. */
  readonly optionalBody: boolean;
  /** The largest body in bytes, where it differs from that of the API. */
  readonly bodyLimit: number | null;
}

// biome-ignore lint/suspicious/noExplicitAny: stands for every operation, whatever its schemas
export type AnyOperation = Operation<any, any, any, any, any, any>;

export type ParamsOf<Op extends AnyOperation> = { readonly [Name in ParamNames<Op['path']>]: string };
export type QueryOf<Op extends AnyOperation> = Static<Op['query']>;
export type BodyOf<Op extends AnyOperation> = Static<Op['body']>;
export type AnswerOf<Op extends AnyOperation> = Static<Op['answer']>;
export type HeadersOf<Op extends AnyOperation> = Static<Op['headers']>;

const nothing = Type.Void();
export const noQuery = Type.Object({}, { additionalProperties: false });
const noHeaders = Type.Object({});
export type NoHeaders = typeof noHeaders;

interface Declaration<Path, Query, Body, Responses, Headers> {
  readonly id: string;
  readonly method: Method;
  readonly path: Path;
  readonly tag: string;
  readonly summary: string;
  readonly description?: string;
  readonly query?: Query;
  readonly body?: Body;
  /** Exactly one status of success. */
  readonly responses: Responses;
  readonly headers?: Headers;
  /** Its own errors; those of `errorsOfInput` are added. */
  readonly errors?: readonly ErrorReason[];
  readonly extension?: true;
  readonly open?: true;
  readonly conditional?: true;
  readonly optionalBody?: true;
  readonly bodyLimit?: number;
}

/** Declares an operation; what is left out gets its default here and nowhere else. */
export function defineOperation<
  const Path extends string,
  const Responses extends Readonly<Record<number, TSchema>>,
  Query extends TSchema = typeof noQuery,
  Body extends TSchema = typeof nothing,
  Headers extends TSchema = typeof noHeaders,
>(
  declaration: Declaration<Path, Query, Body, Responses, Headers>,
): Operation<Path, Query, Body, keyof Responses & number, Responses[keyof Responses & number], Headers> {
  const { responses, ...rest } = declaration;
  const [status, ...furtherStatuses] = Object.keys(responses).map(Number);
  if (status === undefined || furtherStatuses.length > 0) {
    throw new Error(`Operation ${declaration.id} must declare exactly one status of success.`);
  }
  const { open: isOpen = false, errors: ownErrors = [] } = declaration;
  const hasParams = paramNames(declaration.path).length > 0;
  const hasBody = declaration.body !== undefined && !isNothing(declaration.body);
  return Object.freeze({
    ...rest,
    query: declaration.query ?? (noQuery as unknown as Query),
    body: declaration.body ?? (nothing as unknown as Body),
    status: status as keyof Responses & number,
    answer: responses[status as keyof Responses & number] as Responses[keyof Responses & number],
    headers: declaration.headers ?? (noHeaders as unknown as Headers),
    errors: [...errorsOfInput({ isOpen, hasParams, hasBody }), ...ownErrors],
    ownErrors,
    extension: declaration.extension ?? false,
    open: isOpen,
    conditional: declaration.conditional ?? false,
    optionalBody: declaration.optionalBody ?? false,
    bodyLimit: declaration.bodyLimit ?? null,
  });
}

/** The names of a path's parameters, in order. */
export function paramNames(path: string): string[] {
  return [...path.matchAll(/:([A-Za-z]+)/g)].map((match) => match[1] ?? '');
}

/** The declared headers of an operation's response, by name. */
export function listHeaders(operation: AnyOperation): readonly [name: string, schema: TSchema][] {
  return Object.entries((operation.headers as { properties: Record<string, TSchema> }).properties);
}

/** A response that is not JSON but the bytes of a file, in its own content type. */
export const Bytes = Type.Unsafe<Uint8Array>({
  type: 'string',
  contentMediaType: 'application/octet-stream',
});

export function isBytes(schema: TSchema): boolean {
  return (schema as unknown) === Bytes;
}

/** A response of server-sent events (`text/event-stream`), each with one of these as its data, in JSON. */
export function EventsOf<Event extends TSchema>(event: Event) {
  const events = Type.Unsafe<AsyncIterable<Static<Event>>>({
    type: 'string',
    contentMediaType: 'text/event-stream',
  });
  eventSchemas.set(events, event);
  return events;
}

const eventSchemas = new WeakMap<object, TSchema>();

/** The schema of the events of a response; null for one that is none of events. */
export function eventOf(schema: TSchema): TSchema | null {
  return eventSchemas.get(schema) ?? null;
}

/** Whether a schema stands for an absent body. */
export function isNothing(schema: TSchema): boolean {
  return (schema as { type?: unknown }).type === 'void';
}
