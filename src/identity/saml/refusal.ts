import { SignInRefusal } from '../providers/sign-in-refusal.ts';

/** Why an answer of an identity provider is refused, each in one sentence for the audit log and for administrators. */
const reasons = {
  'too-large': 'The answer is larger than 256 KB.',
  'not-base64': 'The answer is not in base64.',
  'not-utf8': 'The answer is not in UTF-8, or has control characters.',
  'not-xml': 'The answer is not well-formed XML.',
  doctype: 'The answer has a document type declaration, which could define entities.',
  'processing-instruction': 'The answer has a processing instruction.',
  comment: 'The answer has a comment or a CDATA section, which could split a value.',
  'too-complex': 'The answer nests too deeply, or has too many elements or attributes.',
  namespace: 'The answer declares a namespace in a way that programs read differently.',
  attribute: 'An element has two attributes that programs could take for each other.',
  'not-a-response': 'The answer is not one response of SAML 2.0.',
  status: 'The identity provider did not sign the user in.',
  encrypted: 'The assertion is encrypted; switch encryption off at the identity provider.',
  'no-assertion': 'The answer has no assertion.',
  'several-assertions': 'The answer has more than one assertion, or one in another place than the response.',
  'no-id': 'The response or the assertion has no id.',
  'duplicate-id': 'Two elements have the same id.',
  unsigned: 'Neither the response nor the assertion is signed.',
  'several-signatures': 'An element has more than one signature.',
  'signature-misplaced': 'A signature is not a direct child of the response or the assertion.',
  'signature-shape': 'A signature has other parts than those that SAML allows.',
  'signature-reference': 'A signature does not sign the element that it is in.',
  algorithm:
    'A signature uses an algorithm other than RSA with SHA-256 or SHA-512, or a digest other than SHA-256 or SHA-512.',
  transform:
    'A signature uses another transform than “enveloped signature” and exclusive canonicalization without comments.',
  'signature-invalid': 'A signature does not match the certificates of this identity provider.',
  destination: 'The response is addressed to another URL than this provider’s ACS URL.',
  issuer: 'The issuer is not the entity ID of this identity provider.',
  audience: 'The assertion is meant for another service than this provider’s entity ID here.',
  recipient: 'The assertion may not be delivered to this provider’s ACS URL.',
  'in-response-to': 'The answer does not name the request that this browser began.',
  early: 'The assertion is not valid yet; compare the clocks of both servers.',
  expired: 'The assertion has expired; compare the clocks of both servers.',
  conditions: 'The assertion does not say for how long and for whom it is valid.',
  confirmation: 'The assertion has no bearer confirmation with a recipient and an end.',
  'name-id': 'The assertion names no user (NameID), or more than one.',
  'transient-name-id':
    'The NameID changes with each sign-in (transient); send a persistent one or the e-mail address.',
  'not-requested': 'Nobody began this sign-in here: sign-ins that begin at the identity provider are off.',
  'request-used': 'The request was answered before, or more than 10 minutes ago.',
  'other-browser': 'The answer comes from another browser than the one that began to sign in.',
  'other-provider': 'The request was sent to another identity provider.',
  replay: 'The assertion signed somebody in before.',
} as const;

export type SamlRefusalReason = keyof typeof reasons;

/** The answer of an identity provider signs nobody in. The message is for administrators; people are shown less. */
export class SamlRefusal extends SignInRefusal<SamlRefusalReason> {
  override readonly name = 'SamlRefusal';

  constructor(reason: SamlRefusalReason, options?: ErrorOptions & { readonly detail?: string | undefined }) {
    super(reasons, reason, options);
  }
}
