import { describe, expect, test } from 'vitest';
import { CertificateProblem, readCertificate } from '../../../src/identity/saml/certificate.ts';
import { createSigningKey } from '../../support/saml/certificate.ts';

const { certificate, privateKey } = createSigningKey();
const bare = certificate.replace(/-----[A-Z ]+-----|\s/g, '');

describe('a certificate that somebody pastes', () => {
  test.each([
    ['PEM', certificate],
    ['PEM with Windows line ends', certificate.replaceAll('\n', '\r\n')],
    ['the base64 of a metadata document', bare],
    ['base64 in lines', bare.replace(/.{40}/g, '$&\n  ')],
  ])('is read as %s', (_, text) => {
    expect(readCertificate(text)).toBe(certificate);
  });

  test.each([
    ['nothing', '', 'must be a certificate in PEM'],
    ['another text', 'hello', 'must be a certificate in PEM'],
    ['a private key', privateKey, 'must be a certificate in PEM'],
    ['two certificates', certificate + certificate, 'must be one certificate'],
    ['a weak key', createSigningKey('weak', 1024).certificate, 'must have an RSA key of at least 2048 bits'],
    ['too much', bare.repeat(20), 'must be a certificate in PEM'],
  ])('is refused as %s', (_, text, problem) => {
    expect(() => readCertificate(text)).toThrow(new CertificateProblem(problem));
  });
});
