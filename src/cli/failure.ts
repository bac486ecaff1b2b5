import {
  LogConnectionException,
  LogException,
  LogHTTPException,
  LogOptionsException,
  LogQueryException,
  LogQueryJobCancelledException,
  LogQueryJobExpiredException,
  LogTimeoutException,
} from '../errors.ts';
import { authenticationFailure, CommandFailure, usageFailure } from './command-failure.ts';
import type { ConnectionSettings } from './settings/connection-settings.ts';
import { proxyFor } from './settings/proxy.ts';
import type { Setting } from './settings/setting.ts';

/**
 * Tells what the client threw in terms of the command line: what is wrong, what to do, with which exit code. What is no
 * failure of the service comes back as it is.
 */
export function describeFailure(error: unknown, settings: ConnectionSettings): unknown {
  if (error instanceof CommandFailure || !(error instanceof LogException)) return error;
  if (error instanceof LogOptionsException) return optionsFailure(error, settings);
  if (error instanceof LogQueryException)
    return new CommandFailure(`the query can't be run. ${withoutFences(error.message)}`);
  if (error instanceof LogHTTPException) return httpFailure(error, settings);
  if (error instanceof LogConnectionException) return connectionFailure(error, settings);
  if (error instanceof LogTimeoutException) return timeoutFailure(error, settings);
  if (error instanceof LogQueryJobExpiredException) {
    return new CommandFailure(
      'the service no longer knows the query: it was restarted, or nobody asked for too long. Run it again.',
    );
  }
  if (error instanceof LogQueryJobCancelledException) {
    return new CommandFailure(`the service has cancelled the query. ${error.message}`);
  }
  return new CommandFailure(error.message);
}

function optionsFailure({ message }: LogOptionsException, { url }: ConnectionSettings): CommandFailure {
  const address = /^\w+: "?(?:baseUrl)"? (.*)$/s.exec(message);
  if (address !== null) return usageFailure(`the address from ${source(url)} ${address[1]}`);
  const text = message
    .replace(/^\w+: /, '')
    .replace(/^\w+ needs a token.*$/s, 'there is no token.')
    .replaceAll('"start"', '--from')
    .replaceAll('"end"', '--to')
    .replaceAll(/"(userToken|ingestToken)"/g, 'the token')
    .replaceAll(/"(name|email)"/g, 'the $1')
    .replace(
      /"(\w+)"/g,
      (_, name: string) => `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`,
    );
  return usageFailure(text);
}

function httpFailure(error: LogHTTPException, settings: ConnectionSettings): CommandFailure {
  const { statusCode, code, message } = error;
  const { url, token } = settings;
  if (code === 'LOG_WRONG_BASE_URL') {
    const what = statusCode >= 300 && statusCode < 400 ? 'a redirect' : 'a web page';
    return new CommandFailure(
      `${url.value} answered with ${what} where the API would not. Is the address right (${source(url)}), with its path prefix, and is there a proxy or a login page in between?`,
    );
  }
  if (statusCode === 401) {
    return authenticationFailure(
      token === undefined
        ? `${url.value} asks for a token. ${HOW_TO_GIVE_A_TOKEN}`
        : `${url.value} does not accept the token from ${source(token)}. Is it whole, still valid, and one of this service? "logclient auth status" shows what is used.`,
    );
  }
  if (statusCode === 403) {
    const what = token === undefined ? 'The token' : `The token from ${source(token)}`;
    return authenticationFailure(`${what} has not the right to do that. ${reasonOf(message)}`.trim());
  }
  if (statusCode === 404) return notFoundFailure(error, settings);
  if (statusCode === 429 || statusCode === 503) {
    const after =
      error.retryAfterMs === undefined ? 'a little later' : `in ${Math.ceil(error.retryAfterMs / 1000)} s`;
    return new CommandFailure(`${url.value} is too busy (status ${statusCode}). Try again ${after}.`);
  }
  const refusal = statusCode === 400 ? reasonOf(message) : '';
  if (refusal !== '') return new CommandFailure(`the service refuses it. ${refusal}`);
  return new CommandFailure(message.replace(/^The service refused the GraphQL request: /, ''));
}

function notFoundFailure(
  { path, message }: LogHTTPException,
  { url, repository }: ConnectionSettings,
): CommandFailure {
  const [, file] = /\/repositories\/[^/]+\/files\/(.+)$/.exec(path) ?? [];
  if (file !== undefined) return new CommandFailure(`there is no file "${decodeURIComponent(file)}".`);
  if (repository === undefined || !path.includes('/repositories/')) {
    return new CommandFailure(
      `${url.value} does not know ${path}. Is the address right (${source(url)}), with its path prefix? ${firstLine(reasonOf(message))}`.trim(),
    );
  }
  return new CommandFailure(
    `${url.value} has no repository "${repository.value}" (${source(repository)}), or the token may not see it. "logclient repositories list" shows those there are.`,
  );
}

/** The service shows the place in a query between fences, as in Markdown. */
export function withoutFences(message: string): string {
  return message.replace(/^```\n?/gm, '').trimEnd();
}

/** Where a token can come from. */
export const HOW_TO_GIVE_A_TOKEN =
  'Set LOGSCALE_TOKEN, or pass --token-file <path> or a --profile of humioctl.';

function firstLine(text: string): string {
  return text.split('\n', 1)[0]!;
}

function reasonOf(message: string): string {
  return /status \d+: (.*)$/s.exec(message)?.[1] ?? '';
}

function connectionFailure(
  error: LogConnectionException,
  { url, insecure }: ConnectionSettings,
): CommandFailure {
  const { cause, code } = error;
  if (code === 'LOG_CONNECTION_DROPPED') return new CommandFailure(error.message);
  const reason = String((cause as { code?: unknown } | undefined)?.code ?? '');
  const where = `${url.value} (${source(url)})`;
  const proxy = proxyFor(url.value, process.env);
  if (proxy !== undefined && /^(ECONNREFUSED|ENOTFOUND|EAI_AGAIN|ETIMEDOUT|UND_ERR_\w+)$/.test(reason)) {
    return new CommandFailure(
      `${where} could not be reached by way of the proxy from ${proxy.origin} (${reason}). Is the proxy right? NO_PROXY=${new URL(url.value).hostname} goes without it.`,
    );
  }
  if (reason === 'ECONNREFUSED') {
    return new CommandFailure(
      `nothing accepts connections at ${where}. Is the service running, and is the address right? "logclient serve" runs one on this computer.`,
    );
  }
  if (reason === 'ENOTFOUND' || reason === 'EAI_AGAIN') {
    return new CommandFailure(
      `the name of the host in ${where} could not be resolved (${reason}). Is the address right?`,
    );
  }
  if (/SELF_SIGNED|UNABLE_TO_|CERT_UNTRUSTED|ISSUER/.test(reason)) {
    return new CommandFailure(
      `the certificate of ${where} is not trusted (${reason}). Pass --ca-file <path> with the certificate that signed it${insecure.value ? '' : ', or --insecure to go without the check'}.`,
    );
  }
  if (/CERT|ALTNAME/.test(reason)) {
    return new CommandFailure(
      `the certificate of ${where} can't be used (${reason}): it is out of date, or for another name.`,
    );
  }
  if (/SSL|TLS|EPROTO/.test(reason)) {
    return new CommandFailure(
      `no secure connection to ${where} (${reason}). Is it https: where http: is spoken?`,
    );
  }
  const detail = reason === '' ? '' : ` (${reason})`;
  return new CommandFailure(
    `${where} could not be reached${detail}. Is the address right, and the service running?`,
  );
}

function timeoutFailure(error: LogTimeoutException, { url }: ConnectionSettings): CommandFailure {
  return new CommandFailure(
    `${url.value} did not answer within ${error.timeoutMs / 1000} s. --timeout <seconds> waits longer.`,
  );
}

function source({ origin }: Setting<unknown>): string {
  return origin === 'default' ? 'the default' : origin;
}
