import type { ChangeKind } from './spec-change.ts';

/** Why a change of a kind breaks clients, in a sentence for who makes it; null for a kind that breaks none. */
export function whyItBreaks(kind: ChangeKind): string | null {
  return WHY[kind] ?? null;
}

const NOT_ACCEPTED = 'A request that was accepted is refused.';
const NOT_EXPECTED = 'Clients get what they are not made for.';

/** Where a kind breaks only what clients send, or only what they get, its sentence says which. */
const WHY: Partial<Record<ChangeKind, string>> = {
  'path-removed': 'Who calls it gets an error.',
  'operation-removed': 'Who calls it gets an error.',
  'webhook-removed': 'Who waits for it is not called any more.',
  'server-removed': 'Who calls this address reaches nothing.',
  'security-tightened': 'Who calls it with the old credentials is turned away.',
  'security-scheme-changed': 'Clients prove who they are in a way that is not taken any more.',
  'parameter-removed': 'What clients send there has no effect, or is refused.',
  'parameter-added': 'Clients do not send it, and it is required.',
  'parameter-required': 'Clients that leave it out are refused.',
  'parameter-style-changed': 'What clients write is read another way.',
  'body-removed': 'What clients send has no effect, or is refused.',
  'body-added': 'Clients do not send it, and it is required.',
  'body-required': 'Clients that leave it out are refused.',
  'body-optional': 'Clients that need it may get none.',
  'media-type-removed': 'Clients that send or ask for it are refused.',
  'response-removed': 'Clients wait for an answer that does not come.',
  'header-removed': 'Clients that read it find nothing.',
  'header-optional': 'Clients that read it may find nothing.',
  'property-removed': 'Clients that read it find nothing; what they send has no effect, or is refused.',
  'property-added': 'Clients do not send it, and it is required.',
  'property-required': 'Clients that leave it out are refused.',
  'property-optional': 'Clients that read it may find nothing.',
  'type-changed': 'Clients send or expect a value of another type.',
  'null-allowed': 'Clients may get null where they got a value.',
  'null-forbidden': NOT_ACCEPTED,
  'enum-value-removed': NOT_ACCEPTED,
  'enum-value-added': 'Clients may get a value that they do not know.',
  'limit-narrowed': NOT_ACCEPTED,
  'limit-widened': 'Clients may get a value beyond what they are made for.',
  'pattern-changed': NOT_ACCEPTED,
  'format-changed': 'Clients send or expect a value of another format.',
  'default-changed': 'Who leaves it out gets something else than before.',
  'additional-properties-forbidden': NOT_ACCEPTED,
  'alternative-removed': NOT_ACCEPTED,
  'alternative-added': NOT_EXPECTED,
  'discriminator-changed': 'Clients tell the alternatives apart by the old property.',
  'condition-changed': 'What clients send may be refused, or what they get be new to them.',
};
