/** The old and the new value as short texts; absent when there is none. */
export interface ChangedValues {
  readonly was?: string;
  readonly is?: string;
}

/** One difference in what two versions of an API promise. */
export interface SpecChange extends ChangedValues {
  readonly kind: ChangeKind;
  /** Whether a client that worked with the old version may fail with the new one. */
  readonly breaking: boolean;
  /** The first operation that the change was found in, such as `GET /pets`; empty when it belongs to none. */
  readonly operation: string;
  /** A JSON pointer to what changed: into the new document, or into the old one when it was removed. */
  readonly pointer: string;
  readonly side: 'old' | 'new';
  /** One sentence that names the operation and what changed. */
  readonly message: string;
}

export type ChangeKind =
  | 'path-removed'
  | 'path-added'
  | 'operation-removed'
  | 'operation-added'
  | 'operation-deprecated'
  | 'operation-restored'
  | 'operation-id-changed'
  | 'webhook-removed'
  | 'webhook-added'
  | 'server-removed'
  | 'server-added'
  | 'security-tightened'
  | 'security-relaxed'
  | 'security-scheme-changed'
  | 'parameter-removed'
  | 'parameter-added'
  | 'parameter-required'
  | 'parameter-optional'
  | 'parameter-style-changed'
  | 'parameter-deprecated'
  | 'body-removed'
  | 'body-added'
  | 'body-required'
  | 'body-optional'
  | 'media-type-removed'
  | 'media-type-added'
  | 'response-removed'
  | 'response-added'
  | 'header-removed'
  | 'header-added'
  | 'header-optional'
  | 'header-required'
  | 'property-removed'
  | 'property-added'
  | 'property-required'
  | 'property-optional'
  | 'property-deprecated'
  | 'type-changed'
  | 'null-allowed'
  | 'null-forbidden'
  | 'enum-value-removed'
  | 'enum-value-added'
  | 'limit-narrowed'
  | 'limit-widened'
  | 'pattern-changed'
  | 'format-changed'
  | 'default-changed'
  | 'additional-properties-forbidden'
  | 'additional-properties-allowed'
  | 'alternative-removed'
  | 'alternative-added'
  | 'discriminator-changed'
  | 'condition-changed';
