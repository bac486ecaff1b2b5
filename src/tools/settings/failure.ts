import { howToUseServer, localServers, unusedServerSentence } from '../../core/discovery/local-servers.ts';
import { nameHint } from '../../core/environment.ts';
import {
  LogConnectionException,
  LogException,
  LogHTTPException,
  LogOptionsException,
  LogQueryException,
  LogQueryJobCancelledException,
  LogQueryJobExpiredException,
  LogTimeoutException,
} from '../../core/errors.ts';
import { problemList, problemsOf } from '../../core/option-checks.ts';
import { CERTIFICATE_CODE, tlsProblem } from '../../core/tls-problem.ts';
import {
  authenticationFailure,
  CommandFailure,
  existsFailure,
  usageFailure,
} from '../output/command-failure.ts';
import { flagOf } from '../output/flag-names.ts';
import type { Setting } from '../output/setting.ts';
import type { ConnectionSettings } from './connection-settings.ts';

/**
 * Describes an error of the client in terms of the command line: what happened, what to do, and the exit code. Returns
 * any other error unchanged.
 */
export function describeFailure(error: unknown, settings: ConnectionSettings): unknown {
  if (error instanceof CommandFailure || !(error instanceof LogException)) return error;
  if (error instanceof LogOptionsException)
    return usageFailure(problemList(problemsOf(error).map((problem) => withFlags(problem, settings))));
  if (error.code === 'LOG_EXISTS') return existsFailure(error.message);
  const isQuery = error instanceof LogQueryException;
  if (error instanceof LogHTTPException && !isQuery) return httpFailure(error, settings);
  return new CommandFailure(sentenceOf(error, settings));
}

function sentenceOf(error: LogException, settings: ConnectionSettings): string {
  if (error instanceof LogQueryException) return `the service rejected the query. ${error.message}`;
  if (error instanceof LogConnectionException) return connectionSentence(error, settings);
  if (error instanceof LogTimeoutException)
    return `${settings.url.value} did not respond within ${error.timeoutMs / 1000} s. Pass --timeout <seconds> to wait longer.`;
  if (error instanceof LogQueryJobExpiredException)
    return 'the query expired: the service was restarted, or the query was not polled for too long. Run it again.';
  if (error instanceof LogQueryJobCancelledException)
    return `the service canceled the query. ${error.message}`;
  if (error.code !== 'LOG_NOT_SUPPORTED') return error.message;
  const [, alternative = ''] = /Use (.*) instead\.$/.exec(error.message) ?? [];
  return `this command is not available on Next-Gen SIEM. Use ${COMMANDS[alternative] ?? alternative} instead.`;
}

/** Commands that replace a method on Next-Gen SIEM. */
const COMMANDS: Readonly<Record<string, string>> = {
  'parse() of logclient/query-language': '"logclient query", which checks the syntax first,',
  'query() with a short time range': '"logclient auth status"',
  'uploadFile() with the complete content': '"logclient files upload"',
  'getFile()': '"logclient files download"',
};

/** A problem of an option, in terms of flags. */
function withFlags(problem: string, { url, caCertificate, client }: ConnectionSettings): string {
  const address = /^\w+: "?(?:baseUrl|ingestUrl)"? (.*)$/s.exec(problem);
  if (address !== null) return `the address from ${source(url)} ${address[1]}`;
  return problem
    .replace(/^\w+: (?:"auth": )?/, '')
    .replace(/^\w+ needs a token.*$/s, 'no token is set.')
    .replace('"ca"', caCertificate?.origin ?? 'the CA certificate')
    .replace('"clientId"', client?.id.origin ?? '--client-id')
    .replace('"clientSecret"', client?.secret.origin ?? '--client-secret-file')
    .replaceAll(/"(userToken|ingestToken)"/g, 'the token')
    .replace(
      // Rejected values are quoted, too: (got "soon"). So are words, such as "Bearer".
      /(?<!\(got )"([a-z]\w*)"/g,
      (_, name: string) => flagOf(name),
    );
}

function httpFailure(error: LogHTTPException, settings: ConnectionSettings): CommandFailure {
  const { statusCode, code, message } = error;
  const { url, token, service } = settings;
  if (code === 'LOG_AUTHENTICATION' || (statusCode === 429 && service === 'ngsiem')) {
    return authenticationFailure(withOrigins(message, settings));
  }
  if (code === 'LOG_WRONG_BASE_URL')
    return new CommandFailure(message.replaceAll(/\bbaseUrl\b/g, `the address (${source(url)})`));
  if (statusCode === 401) {
    const [kind] = /(?<=: )an? \w+ token, from .*$/.exec(message) ?? [];
    const needs = kind === undefined ? '' : ` This needs ${kind}`;
    return authenticationFailure(
      token === undefined
        ? `${url.value} requires a token. ${HOW_TO_GIVE_A_TOKEN}`
        : `${url.value} rejected the token from ${source(token)}.${needs} Check that it is complete, still valid and belongs to this service. "logclient auth status" shows the settings in use.`,
    );
  }
  if (statusCode === 403) {
    const what = token === undefined ? 'the token' : `the token from ${source(token)}`;
    const why = reasonOf(message).replace(/(?=: user t)/, ', or set it as LOGSCALE_TOKEN with a repository');
    return authenticationFailure(`${what} doesn't have permission. ${why}`.trim());
  }
  if (statusCode === 404) return new CommandFailure(notFoundSentence(error, settings));
  if (statusCode === 429 || statusCode === 503) {
    const after = error.retryAfterMs === undefined ? 'later' : `in ${Math.ceil(error.retryAfterMs / 1000)} s`;
    const reason = statusCode === 503 ? reasonOf(message).replace(/\.$/, '') : '';
    if (reason !== '')
      return new CommandFailure(`${url.value} is unavailable: ${reason} (status 503). Try again ${after}.`);
    return new CommandFailure(`${url.value} is too busy (status ${statusCode}). Try again ${after}.`);
  }
  const reason = statusCode === 400 ? reasonOf(message) : '';
  if (reason !== '') return new CommandFailure(`the service rejected the request. ${reason}`);
  const [, noun = ''] = (code === 'LOG_NOT_FOUND' && NOUN.exec(message)) || [];
  const hint = noun === '' ? '' : ` "logclient ${LISTS[noun] ?? `${noun}s`} list" shows what exists.`;
  return new CommandFailure(`${message}${hint}`);
}

/** What the service can miss, and the commands that list it unless they are named the same. */
const NOUN = /\b(repository|view|file|saved query|user)\b/;
const LISTS: Readonly<Record<string, string>> = {
  repository: 'repositories',
  'saved query': 'saved-queries',
};

/** A sentence about client credentials that names where they come from instead of options. */
function withOrigins(message: string, { client, url }: ConnectionSettings): string {
  const text = message
    .replaceAll(/\bclientId\b/g, client?.id.origin ?? '--client-id')
    .replaceAll(/\bclientSecret\b/g, client?.secret.origin ?? '--client-secret-file')
    .replaceAll(/\bmemberCid\b/g, client?.memberCid?.origin ?? '--member-cid')
    .replaceAll(/\bbaseUrl\b/g, source(url));
  return text.charAt(0).toLowerCase() + text.slice(1);
}

function notFoundSentence(
  { path }: LogHTTPException,
  { url, repository, service }: ConnectionSettings,
): string {
  const [, file] = /\/repositories\/[^/]+\/files\/(.+)$/.exec(path) ?? [];
  if (file !== undefined) return `there is no file "${decodeURIComponent(file)}".`;
  if (repository === undefined || !path.includes('/repositories/')) {
    return `${url.value} has no path ${path}. Check the address (${source(url)}) and its path prefix.`;
  }
  const hint =
    service === 'ngsiem'
      ? 'search-all, investigate_view and third-party exist on Next-Gen SIEM.'
      : '"logclient repositories list" shows the repositories it can access.';
  const prefix = new URL(url.value).pathname;
  const wrongPath = prefix === '/' ? '' : `, or the path ${prefix} of the address (${source(url)}) is wrong`;
  return `${url.value} has no repository "${repository.value}" (${source(repository)}), or the token can't access it${wrongPath}. ${hint}`;
}

/** How to pass a token. */
export const HOW_TO_GIVE_A_TOKEN = 'Set LOGSCALE_TOKEN, or pass --token-file <path> or --profile <name>.';

/** Advice about variables and local servers: how to start one only if no address is set, or if nothing is listening there. */
export function serverAdvice(
  { url, token }: Pick<ConnectionSettings, 'url' | 'token'>,
  canStart = url.origin === 'default',
): string {
  const [what, { origin }] = url.origin === 'default' && token ? ['token', token] : ['address', url];
  // Without a flag or profile, the environment says why.
  const isOther = origin === 'default' || origin === 'local server' || origin in process.env;
  const obstacle = isOther ? undefined : `the ${what} is from ${origin}`;
  // A server that was killed may still be listed.
  const isSame = localServers()[0]?.url === url.value;
  const server = canStart ? howToUseServer(obstacle) : unusedServerSentence(obstacle);
  return `${nameHint()} ${isSame ? '' : server}`.trim();
}

function reasonOf(message: string): string {
  return /(?:status|responded) \d+: (.*)$/s.exec(message)?.[1] ?? '';
}

function connectionSentence(error: LogConnectionException, settings: ConnectionSettings): string {
  const { url, insecure } = settings;
  const { cause, code } = error;
  if (code === 'LOG_CONNECTION_DROPPED' || code === 'LOG_PROXY') return error.message;
  const reason = String((cause as { code?: unknown } | undefined)?.code ?? '');
  const where = `${url.value} (${source(url)})`;
  if (reason === 'ECONNREFUSED') {
    const isSet = url.origin !== 'default';
    const advice = isSet ? 'Check the address and that the service is running.' : 'Set LOGSCALE_URL.';
    return `nothing is listening at ${where}. ${advice} ${serverAdvice(settings, true)}`.trimEnd();
  }
  if (reason === 'ENOTFOUND' || reason === 'EAI_AGAIN') {
    return `can't resolve the host name in ${where}: ${reason}. Check the address.`;
  }
  if (/SELF_SIGNED|UNABLE_TO_|CERT_UNTRUSTED|ISSUER/.test(reason)) {
    return `the certificate of ${where} is not trusted (${reason}). Pass --ca-file <path> with the CA certificate${insecure.value ? '' : ', or --insecure to skip the check'}.`;
  }
  const problem = tlsProblem(reason, String((cause as Error | undefined)?.message), source(url));
  if (problem !== undefined) return `can't open a secure connection to ${where} (${reason}): ${problem}.`;
  if (/SSL|TLS|EPROTO/.test(reason) || CERTIFICATE_CODE.test(reason)) {
    return `can't open a secure connection to ${where} (${reason}). If the service uses plain HTTP, change https: to http:.`;
  }
  const detail = reason === '' ? '' : `: ${reason}`;
  return `can't reach ${where}${detail}. Check the address and that the service is running.`;
}

function source({ origin }: Setting<unknown>): string {
  return origin === 'default' ? 'the default' : origin;
}
