import { X509Certificate } from 'node:crypto';

/** Why a text is no certificate for signatures: it completes a sentence about the field. */
export class CertificateProblem extends Error {
  override readonly name = 'CertificateProblem';
}

/**
 * A certificate in PEM from what people paste: PEM, or the bare base64 of a metadata document. When it ends is not looked
 * at: it is trusted because an administrator entered it, and providers sign on with expired ones.
 *
 * @throws CertificateProblem
 */
export function readCertificate(text: string): string {
  const blocks = text.match(/-----BEGIN CERTIFICATE-----/g)?.length ?? 0;
  if (blocks > 1) throw new CertificateProblem('must be one certificate');
  const base64 = text.replace(/-----(BEGIN|END) CERTIFICATE-----/g, '').replace(/\s+/g, '');
  if (base64 === '' || text.length > 16 * 1024 || !/^[A-Za-z0-9+/]+={0,2}$/.test(base64))
    throw new CertificateProblem('must be a certificate in PEM');
  let certificate: X509Certificate;
  try {
    certificate = new X509Certificate(Buffer.from(base64, 'base64'));
  } catch (cause) {
    throw new CertificateProblem('must be a certificate in PEM', { cause });
  }
  const { asymmetricKeyType: type, asymmetricKeyDetails: details } = certificate.publicKey;
  if (type !== 'rsa' || (details?.modulusLength ?? 0) < 2048)
    throw new CertificateProblem('must have an RSA key of at least 2048 bits');
  return certificate.toString();
}
