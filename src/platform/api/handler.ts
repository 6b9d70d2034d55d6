import type { IncomingHttpHeaders } from 'node:http';
import type { Readable } from 'node:stream';
import type {
  AnswerOf,
  AnyOperation,
  Area,
  BodyOf,
  HeadersOf,
  OperationsByArea,
  ParamsOf,
  QueryOf,
} from '../../contract/index.ts';
import type { RequestOrigin } from '../../store/index.ts';
import type { Caller } from '../access/caller.ts';

/** The input of a handler: the checked request, the caller, and the functions that control the answer. */
export interface HandlerInput<Op extends AnyOperation> {
  readonly params: ParamsOf<Op>;
  readonly query: QueryOf<Op>;
  readonly body: BodyOf<Op>;
  readonly caller: Caller;
  /**
   * Names the version that is about to be sent; the requested URL is part of its `ETag`. Completes the request with a
   * 304 if the caller already has this version; otherwise returns the `ETag`.
   */
  readonly identify: (version: string) => string;
  readonly setHeader: (name: string, value: string) => void;
  /** Replaces the operation's own status of success: 206 for partial content. */
  readonly setStatus: (status: 206) => void;
  /** The method and headers; a `HEAD` is handled like its `GET`, without the bytes. */
  readonly request: {
    readonly method: string;
    readonly headers: IncomingHttpHeaders;
    readonly origin: RequestOrigin;
  };
}

/** What a handler returns: the body, together with the headers if the operation declares any. */
type ResultOf<Op extends AnyOperation> = keyof HeadersOf<Op> extends never
  ? BodyResultOf<Op>
  : { readonly headers: HeadersOf<Op>; readonly answer: BodyResultOf<Op> };
type BodyResultOf<Op extends AnyOperation> = AnswerOf<Op> extends Uint8Array ? Readable : AnswerOf<Op>;

export type Handler<Op extends AnyOperation> = (input: HandlerInput<Op>) => Promise<ResultOf<Op>>;

/** A handler for each operation of an area. */
export type HandlersOf<Name extends Area> = {
  readonly [Key in keyof OperationsByArea[Name]]: OperationsByArea[Name][Key] extends AnyOperation
    ? Handler<OperationsByArea[Name][Key]>
    : never;
};

/**
 * An answer that is JSON already, in the form that its operation declares: for answers so large that serializing them
 * would block other requests.
 */
export class SerializedAnswer {
  readonly json: string;

  constructor(json: string) {
    this.json = json;
  }
}

/** Thrown by `identify` if the caller has the current version. */
export class NotModified extends Error {
  override readonly name = 'NotModified';
}
