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
import type { Caller } from '../access/caller.ts';

/** What a handler gets: the checked request, the caller, and what controls the answer. */
export interface HandlerInput<Op extends AnyOperation> {
  readonly params: ParamsOf<Op>;
  readonly query: QueryOf<Op>;
  readonly body: BodyOf<Op>;
  readonly caller: Caller;
  /**
   * Names the version that is about to be answered; the requested address is part of its `ETag`. Ends the request with
   * 304 when the caller has this version already; else returns its `ETag`.
   */
  readonly identify: (version: string) => string;
  readonly setHeader: (name: string, value: string) => void;
  /** Another status of success than the operation's own: 206 for a part of it. */
  readonly setStatus: (status: 206) => void;
  /** The method and headers; a `HEAD` is answered as its `GET`, without the bytes. */
  readonly request: { readonly method: string; readonly headers: IncomingHttpHeaders };
}

/** What a handler returns: the body, beside the headers where the operation declares some. */
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

/** Thrown by `identify`: the caller's version is the present one. */
export class NotModified extends Error {
  override readonly name = 'NotModified';
}
