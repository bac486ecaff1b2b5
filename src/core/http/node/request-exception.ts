import { unusedServerSentence } from '../../discovery/local-servers.ts';
import { LogConnectionException, LogHTTPException } from '../../errors.ts';
import { NO_SOURCE } from '../address-source.ts';
import { type CodedError, cleanCause, type FailedRequest } from '../connection-error.ts';
import { ProxyError, proxyAuthenticationSentence, proxySentence } from '../proxy-error.ts';

const TLS_CODE = /CERT|^ERR_TLS|^ERR_SSL|^EPROTO$|SELF_SIGNED|UNABLE_TO_|CRL|HOSTNAME_MISMATCH/;

/** The exception for a request without a response from the service. */
export function requestException(
  error: unknown,
  request: FailedRequest,
): LogConnectionException | LogHTTPException {
  const { method, path, redactor } = request;
  const cause = cleanCause(error, redactor);
  if (!(error instanceof ProxyError)) return new LogConnectionException(sentence(request, cause), { cause });
  if (error.statusCode === 407) {
    return new LogHTTPException(proxyAuthenticationSentence(error.proxy), { statusCode: 407, method, path });
  }
  return new LogConnectionException(proxySentence(error, request, cause.code), { code: 'LOG_PROXY', cause });
}

function sentence({ host, source, acceptsCa }: FailedRequest, { code, message }: CodedError): string {
  if (code === undefined) return `${host} could not be reached: ${message}`;
  if (code === 'ECONNREFUSED') {
    const server = source === NO_SOURCE && (unusedServerSentence() || unusedServerSentence('a token is set'));
    return `Nothing is listening at ${host} (${code}). Check that the service is running and that ${source} is correct. ${server || ''}`.trimEnd();
  }
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') {
    return `The host name ${host} could not be resolved (${code}). Check ${source}.`;
  }
  if (code === 'ECONNRESET' || code === 'EPIPE' || code === 'UND_ERR_SOCKET') {
    return `${host} closed the connection before responding (${code}).`;
  }
  if (code === 'ERR_ACCESS_DENIED') {
    return `The permission model of Node.js denied the connection to ${host} (${code}). Add the flag --allow-net to the command.`;
  }
  const why = tlsProblem(code, message, source);
  if (why !== undefined) return `The TLS connection to ${host} failed: ${why} (${code}).`;
  if (TLS_CODE.test(code)) {
    const option = acceptsCa ? 'pass the CA in "ca", or ' : '';
    return `The TLS connection to ${host} failed (${code}). If the certificate is signed by your own CA, ${option}set NODE_EXTRA_CA_CERTS to the CA file.`;
  }
  return `${host} could not be reached (${code}).`;
}

/** What is wrong with a connection that no CA can fix. */
function tlsProblem(code: string, message: string, source: string): string | undefined {
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
