/** What was there and what is, as short texts; absent for nothing. */
export interface ChangedValues {
  readonly was?: string;
  readonly is?: string;
}

/** One difference in what two versions of an API promise. */
export interface SpecChange extends ChangedValues {
  readonly kind: ChangeKind;
  /** Whether a client that worked with the old version may fail with the new one. */
  readonly breaking: boolean;
  /** The operation that it was met in first, as `GET /pets`; empty for what is not of one. */
  readonly operation: string;
  /** A JSON pointer to what changed: into the new document, or into the old one for what is gone. */
  readonly pointer: string;
  readonly side: 'old' | 'new';
  /** One sentence that names the operation and the thing. */
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
