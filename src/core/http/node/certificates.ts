import { X509Certificate } from 'node:crypto';
import { LogOptionsException } from '../../errors.ts';
import { describe } from '../../option-checks.ts';
import { tryOr } from '../../try-or.ts';

const CERTIFICATE = /-----BEGIN ([A-Z0-9 ]*CERTIFICATE)-----[\s\S]*?-----END \1-----/g;

/** Checks the option `ca`: certificates in PEM format, one or several per string. @throws LogOptionsException */
export function resolveCa(owner: string, ca: unknown): readonly string[] | undefined {
  if (ca === undefined) return undefined;
  const texts: readonly unknown[] = Array.isArray(ca) ? Array.from(ca) : [ca];
  if (texts.length === 0) throw new LogOptionsException(`${owner}: "ca" is an empty array.`);
  return texts.map((text, index) => {
    if (isPem(text)) return text;
    const name = Array.isArray(ca) ? `"ca[${index}]"` : '"ca"';
    // A string may be a private key.
    const got = typeof text === 'string' ? '' : ` (got ${describe(text)})`;
    throw new LogOptionsException(
      `${owner}: ${name} must be a certificate in PEM format, from -----BEGIN CERTIFICATE----- to -----END CERTIFICATE-----${got}. Pass the content of the file, not its name.`,
    );
  });
}

function isPem(text: unknown): text is string {
  const certificates = typeof text === 'string' ? (text.match(CERTIFICATE) ?? []) : [];
  const isValid = (pem: string) => tryOr(false, () => new X509Certificate(pem).raw.length > 0);
  return certificates.length > 0 && certificates.every(isValid);
}
