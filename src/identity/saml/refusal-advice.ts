import type { SamlRefusalReason } from './refusal.ts';

const UNUSUAL =
  'No provider that is set up as usual sends this: choose the plain SAML 2.0 application there, and look for a program in between that changes what it sends.';

/** What to change when a provider's answer is refused, for the administrator who tries it out. */
export const refusalAdvice: Readonly<Record<SamlRefusalReason, string>> = {
  'too-large': 'Send fewer attributes: lists of hundreds of groups are the usual reason.',
  'not-base64': 'Set the binding of the answer to HTTP-POST at the provider.',
  'not-utf8': 'Set the binding of the answer to HTTP-POST at the provider, without compression.',
  'not-xml': 'Set the binding of the answer to HTTP-POST at the provider.',
  doctype: UNUSUAL,
  'processing-instruction': UNUSUAL,
  comment: UNUSUAL,
  'too-complex': 'Send fewer attributes and groups.',
  namespace: UNUSUAL,
  attribute: UNUSUAL,
  'not-a-response': 'Choose SAML 2.0, not SAML 1.1 or WS-Federation, and HTTP-POST at the provider.',
  status:
    'Look into the provider’s own log. Usually the user is not assigned to the application there, or the entity ID or ACS URL that it has on file is not the one that the provider’s page here shows.',
  encrypted: 'Switch the encryption of assertions off at the provider; https encrypts the answer already.',
  'no-assertion': 'Let the provider answer with an assertion, without encryption.',
  'several-assertions': 'Let the provider answer with one assertion.',
  'no-id': UNUSUAL,
  'duplicate-id': UNUSUAL,
  unsigned: 'Let the provider sign the assertion, the response, or both.',
  'several-signatures': UNUSUAL,
  'signature-misplaced': UNUSUAL,
  'signature-shape': UNUSUAL,
  'signature-reference': UNUSUAL,
  algorithm: 'Choose RSA with SHA-256 for the signature, and SHA-256 for the digest, at the provider.',
  transform: 'Choose exclusive canonicalization without comments at the provider.',
  'signature-invalid':
    'Enter the certificate with which the provider signs now; while it changes its certificate, enter both.',
  destination: 'Enter the ACS URL at the provider, exactly as the provider’s page here shows it.',
  issuer: 'Enter the issuer that the provider sent as its entity ID here, if it is the right provider.',
  audience: 'Enter the entity ID as audience at the provider, exactly as the provider’s page here shows it.',
  recipient: 'Enter the ACS URL as recipient at the provider, exactly as the provider’s page here shows it.',
  'in-response-to':
    'Begin each sign-in here, at the start URL. A page of the provider that was open for long, or was reloaded, answers an older request.',
  early: 'Set the clocks of both servers by a time server.',
  expired: 'Set the clocks of both servers by a time server, and answer within 10 minutes.',
  conditions:
    'Let the assertion have conditions with an end and an audience, and say when the user signed in.',
  confirmation: 'Let the assertion have a bearer confirmation with a recipient and an end.',
  'name-id': 'Let the provider send one NameID for the user, of at most 512 characters.',
  'transient-name-id': 'Choose the NameID format “persistent” or “emailAddress” at the provider.',
  'not-requested':
    'Let the provider return RelayState as it was sent, and begin at the start URL here: sign-ins that begin at the provider are off.',
  'request-used': 'Begin the test again, and do not send the provider’s form twice.',
  'other-browser': 'Begin and end the test in the same browser, with cookies on.',
  'other-provider':
    'Enter the ACS URL of this provider there; another one of this server has got the answer.',
  replay: 'Begin the test again, and do not send the provider’s form twice.',
};
