import { unusedServerSentence } from '../../discovery/local-servers.ts';
import { LogConnectionException, LogHTTPException } from '../../errors.ts';
import { CERTIFICATE_CODE, tlsProblem } from '../../tls-problem.ts';
import { NO_SOURCE } from '../address-source.ts';
import { RESET_CODES } from '../connection-code.ts';
import { type CodedError, cleanCause, type FailedRequest } from '../connection-error.ts';
import { ProxyError, proxyAuthenticationSentence, proxySentence } from '../proxy-error.ts';

const TLS_CODE = /^ERR_TLS|^ERR_SSL|^EPROTO$/;

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
  if (RESET_CODES.includes(code)) return `${host} closed the connection before responding (${code}).`;
  if (code === 'ERR_INVALID_PROTOCOL') {
    return `The option "agent" does not fit ${source}: for http:// it must be an http.Agent, for https:// an https.Agent (${code}).`;
  }
  if (code === 'ERR_ACCESS_DENIED') {
    return `The permission model of Node.js denied the connection to ${host} (${code}). Add the flag --allow-net to the command.`;
  }
  const why = tlsProblem(code, message, source);
  if (why !== undefined) return `The TLS connection to ${host} failed: ${why} (${code}).`;
  if (TLS_CODE.test(code) || CERTIFICATE_CODE.test(code)) {
    const option = acceptsCa ? 'pass the CA in "ca", or ' : '';
    return `The TLS connection to ${host} failed (${code}). If the certificate is signed by your own CA, ${option}set NODE_EXTRA_CA_CERTS to the CA file.`;
  }
  return `${host} could not be reached (${code}).`;
}
