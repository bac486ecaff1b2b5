import { ACTIVITY_VIEW } from '../../../core/wire/activity-view.ts';
import type { AnsweredRequest, Rejection } from '../../../server/index.ts';
import { withFlagNames } from '../../output/flag-names.ts';
import { visibleLine } from '../../output/terminal-text.ts';

/** From least to most verbose. */
export const LOG_LEVELS = ['error', 'warn', 'info', 'debug'] as const;

export type LogLevel = (typeof LOG_LEVELS)[number];

/** Polls and health checks, logged only at the level debug. */
const REPEATED =
  /^(GET \S*\/queryjobs\/|(GET|HEAD) \S*\/(instance|status|is-node-up|health\S*|_cluster\/health)$)/;
/** Of several causes, those with the most rejections are logged at the end. */
const MAX_SUMMARY_LINES = 10;

const writeError = (text: string): unknown => process.stderr.write(text);

/**
 * The server hooks that log requests, rejections and warnings up to a level, one line each. Lines never contain tokens.
 *
 * @param page returns the address of the web page, which the first rejection links to.
 */
export function requestLog(level: LogLevel, page: () => string | undefined, write = writeError) {
  let isLinked = false;
  const log = (of: LogLevel, text: string): void => {
    if (LOG_LEVELS.indexOf(of) > LOG_LEVELS.indexOf(level)) return;
    write(`${new Date().toISOString()} ${of.padEnd(5)} ${text}\n`);
  };
  return {
    onWarning: (message: string) => log('warn', message),
    onRejection: (rejection: Rejection) => {
      const { status, fix, excerpt } = rejection;
      const record = excerpt === undefined ? '' : `The record: ${excerpt}`;
      const sentences = [summaryOf(rejection), withFlagNames(fix), record].filter(Boolean);
      log(status >= 500 ? 'error' : 'warn', visibleLine(sentences.join(' ')));
      const address = page();
      if (isLinked || address === undefined) return;
      log('warn', `All rejected requests are at ${address}/#repo=${ACTIVITY_VIEW}`);
      isLinked = true;
    },
    onRequest: ({ method, path, status, durationMs }: AnsweredRequest) => {
      const level = REPEATED.test(`${method} ${path}`) ? 'debug' : 'info';
      const outcome = status === 0 ? 'aborted' : String(status);
      log(status === 0 ? 'error' : level, `${method} ${path} ${outcome} ${durationMs.toFixed(1)} ms`);
    },
  };
}

/** The causes that were logged once and occurred more often, most frequent first. */
export function repeatedRejections(rejections: readonly Rejection[]): string[] {
  return rejections
    .filter(({ count }) => count > 1)
    .toSorted((left, right) => right.count - left.count)
    .slice(0, MAX_SUMMARY_LINES)
    .map((rejection) => visibleLine(`${rejection.count.toLocaleString('en')} × ${summaryOf(rejection)}`));
}

function summaryOf({ method, path, status, client, token, reason }: Rejection): string {
  return `${method} ${path} ${status} from ${client} (${token}): ${reason.replace(/[^.!?…]$/, '$&.')}`;
}
