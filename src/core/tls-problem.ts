/** The codes of a certificate that is wrong, which repeating the request doesn't change. */
export const CERTIFICATE_CODE = /CERT|SELF_SIGNED|UNABLE_TO_|CRL|HOSTNAME_MISMATCH/;

/** What is wrong with a connection that no CA can fix. @param source the setting with the address */
export function tlsProblem(code: string, message: string, source: string): string | undefined {
  if (code === 'CERT_HAS_EXPIRED')
    return 'its certificate has expired. Renew it, or check the clock of this computer';
  if (code === 'CERT_NOT_YET_VALID')
    return 'its certificate is not valid yet. Check the clock of this computer';
  if (code === 'ERR_TLS_CERT_ALTNAME_INVALID' || code === 'HOSTNAME_MISMATCH') {
    return `its certificate is for another host name. Use a name in ${source} that the certificate contains`;
  }
  // In releases of Node, the code is `EPROTO` for all problems of the protocol.
  const isPlain = /wrong.version.number|packet.length.too.long/i.test(`${code} ${message}`);
  return isPlain ? `this port does not speak TLS. Check the port, or use http:// in ${source}` : undefined;
}
