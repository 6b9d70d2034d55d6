import type { ChangeKind } from './spec-change.ts';

/** Explains in one sentence, for the author of a change, why changes of a kind break clients; null for kinds that never do. */
export function explainBreakingChange(kind: ChangeKind): string | null {
  return EXPLANATIONS[kind] ?? null;
}

const NOT_ACCEPTED = 'Requests that were accepted may be refused.';
const NOT_EXPECTED = 'Clients may receive values that they cannot handle.';

/** A kind that breaks only requests, or only responses, has a sentence about that direction. */
const EXPLANATIONS: Partial<Record<ChangeKind, string>> = {
  'path-removed': 'Clients that call it get an error.',
  'operation-removed': 'Clients that call it get an error.',
  'webhook-removed': 'Clients that wait for it are no longer called.',
  'server-removed': 'Clients that use this address get no response.',
  'security-tightened': 'Clients with the old credentials are refused.',
  'security-scheme-changed': 'Clients authenticate in a way that is no longer accepted.',
  'parameter-removed': 'What clients send there has no effect, or is refused.',
  'parameter-added': 'Clients do not send it, and it is required.',
  'parameter-required': 'Clients that leave it out are refused.',
  'parameter-style-changed': 'The values that clients send are read differently.',
  'body-removed': 'What clients send has no effect, or is refused.',
  'body-added': 'Clients do not send it, and it is required.',
  'body-required': 'Clients that leave it out are refused.',
  'body-optional': 'Clients that need it may not receive it.',
  'media-type-removed': 'Clients that send or request it are refused.',
  'response-removed': 'Clients wait for a response that does not come.',
  'header-removed': 'Clients that read it find nothing.',
  'header-optional': 'Clients that read it may find nothing.',
  'property-removed': 'Clients that read it find nothing; what they send has no effect, or is refused.',
  'property-added': 'Clients do not send it, and it is required.',
  'property-required': 'Clients that leave it out are refused.',
  'property-optional': 'Clients that read it may find nothing.',
  'type-changed': 'Clients send or expect a value of another type.',
  'null-allowed': 'Clients may receive null instead of a value.',
  'null-forbidden': NOT_ACCEPTED,
  'enum-value-removed': NOT_ACCEPTED,
  'enum-value-added': 'Clients may receive a value that they do not know.',
  'limit-narrowed': NOT_ACCEPTED,
  'limit-widened': 'Clients may receive a value outside of the range that they can handle.',
  'pattern-changed': NOT_ACCEPTED,
  'format-changed': 'Clients send or expect a value of another format.',
  'default-changed': 'Clients that leave it out get another value than before.',
  'additional-properties-forbidden': NOT_ACCEPTED,
  'alternative-removed': NOT_ACCEPTED,
  'alternative-added': NOT_EXPECTED,
  'discriminator-changed': 'Clients use the old property to distinguish the alternatives.',
  'condition-changed': 'Requests may be refused, or clients may receive values that they do not know.',
};
