/**
 * The content of an API description, independent of the version it is written in; comparison and display work on this.
 * Schemas are left as written; `viewSchema` reads them.
 */
import type { Located } from './resolve-reference.ts';
import type { SpecVersion } from './spec-version.ts';

export interface Api {
  readonly version: SpecVersion;
  readonly title: string;
  readonly description: string;
  readonly servers: readonly string[];
  /** In document order. */
  readonly operations: readonly ApiOperation[];
  /** Requests that the API sends to its clients. */
  readonly webhooks: readonly ApiOperation[];
  readonly securitySchemes: ReadonlyMap<string, Located>;
  /** Descriptions of tags by name, in document order. */
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
  readonly servers: readonly ApiServer[];
  readonly parameters: readonly ApiParameter[];
  readonly body: ApiBody | null;
  readonly responses: readonly ApiResponse[];
  /** Alternatives: each lists the schemes that are required together, with their scopes. An empty one needs no credentials. */
  readonly security: readonly SecurityRequirement[];
  readonly securityPointer: string;
  /** Those of callbacks are left out. */
  readonly callbacks: readonly ApiCallback[];
}

export interface ApiServer {
  /** As written: its variables in braces. */
  readonly url: string;
  readonly description: string;
  readonly variables: readonly ApiServerVariable[];
}

export interface ApiServerVariable {
  readonly name: string;
  readonly initial: string;
  /** Empty where any value is allowed. */
  readonly values: readonly string[];
  readonly description: string;
}

/** A request that the API sends to an address which the operation was told. */
export interface ApiCallback {
  readonly name: string;
  /** Its path is an expression that says where the address is: `{$request.body#/url}`. */
  readonly operation: ApiOperation;
}

export type SecurityRequirement = ReadonlyMap<string, readonly string[]>;

export interface ApiParameter {
  readonly name: string;
  /** `query`, `header`, `path`, `cookie` or `querystring`. */
  readonly in: string;
  readonly pointer: string;
  readonly isRequired: boolean;
  readonly isDeprecated: boolean;
  readonly description: string;
  readonly schema: Located;
  /** Serialization (`style`, `explode` and their Swagger 2.0 equivalents) as one string for comparison. */
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
  /** Its value is undefined when the description has no schema here. */
  readonly schema: Located;
  readonly examples: readonly ApiExample[];
}

export interface ApiExample {
  /** Empty for one without a name. */
  readonly name: string;
  readonly value: unknown;
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
