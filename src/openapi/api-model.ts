/**
 * What a description says, whatever version it is written in: comparing and showing work on this. Schemas stay as they
 * are written; `schemaView` reads them.
 */
import type { Located } from './resolve-reference.ts';
import type { SpecVersion } from './spec-version.ts';

export interface Api {
  readonly version: SpecVersion;
  readonly title: string;
  readonly description: string;
  readonly servers: readonly string[];
  /** In the order of the document. */
  readonly operations: readonly ApiOperation[];
  /** What the API calls at its clients. */
  readonly webhooks: readonly ApiOperation[];
  readonly securitySchemes: ReadonlyMap<string, Located>;
  /** Descriptions of tags, in the order that the document gives them. */
  readonly tags: ReadonlyMap<string, string>;
}

export interface ApiOperation {
  /** In upper case. */
  readonly method: string;
  /** A path, or the name of a webhook. */
  readonly path: string;
  readonly pointer: string;
  readonly id: string | null;
  readonly summary: string;
  readonly description: string;
  readonly isDeprecated: boolean;
  readonly tags: readonly string[];
  readonly servers: readonly string[];
  readonly parameters: readonly ApiParameter[];
  readonly body: ApiBody | null;
  readonly responses: readonly ApiResponse[];
  /** Alternatives, each the schemes that it takes together with their scopes. One without schemes is for everybody. */
  readonly security: readonly SecurityNeed[];
  readonly securityPointer: string;
}

export type SecurityNeed = ReadonlyMap<string, readonly string[]>;

export interface ApiParameter {
  readonly name: string;
  /** `query`, `header`, `path`, `cookie` or `querystring`. */
  readonly in: string;
  readonly pointer: string;
  readonly isRequired: boolean;
  readonly isDeprecated: boolean;
  readonly description: string;
  readonly schema: Located;
  /** How it is written: style, explode and their older kin, as one text to compare. */
  readonly style: string;
}

export interface ApiBody {
  readonly pointer: string;
  readonly isRequired: boolean;
  readonly description: string;
  readonly contents: readonly ApiContent[];
}

export interface ApiContent {
  readonly mediaType: string;
  readonly pointer: string;
  /** A place without a value where nothing is said. */
  readonly schema: Located;
}

export interface ApiResponse {
  /** `200`, `4XX` or `default`. */
  readonly status: string;
  readonly pointer: string;
  readonly description: string;
  readonly contents: readonly ApiContent[];
  readonly headers: readonly ApiHeader[];
}

export interface ApiHeader {
  readonly name: string;
  readonly pointer: string;
  readonly isRequired: boolean;
  readonly description: string;
  readonly schema: Located;
}
