import { basename } from 'node:path';
import pc from 'picocolors';
import { FILE_LIMITS, repositoryNameOf } from '../../../core/file-repository.ts';
import type { LocalServer } from '../../../server/index.ts';
import { startLineServer } from '../../../server/node/local-server.ts';
import { CommandFailure } from '../../output/command-failure.ts';
import { interruptSignal, throwUnlessCtrlC, untilInterrupted } from '../../output/interruption.ts';
import { writeNote } from '../../output/standard-output.ts';
import { namesOf, sourcesOf } from '../../query/file-arguments.ts';
import { GROWING_YOUNG_GENERATION, SMALL_YOUNG_GENERATION, setV8Flags } from '../../settings/v8-flags.ts';
import { announcePage } from '../serve/open-page.ts';
import { PAGE_PORTS, type PageFlags } from '../serve/page-flags.ts';
import { startOnPort } from '../serve/port.ts';
import { startFailure } from '../serve/start-server.ts';
import { LineReader } from './line-reader.ts';

export interface ViewFlags extends PageFlags {
  readonly follow?: boolean;
  readonly timezone?: string;
}

/** Reports after this time what the command waits for. */
const NOTE_DELAY_MS = 1000;

/** Shows lines on the web page until a signal. */
export async function view(files: readonly string[], flags: ViewFlags): Promise<void> {
  setV8Flags(SMALL_YOUNG_GENERATION);
  const sources = await sourcesOf(files, 'node app.js | logclient view', flags.follow);
  const [first = '-', ...more] = sources;
  const own = first === '-' ? 'stdin' : repositoryNameOf(basename(first));
  // The page shows the name of the repository.
  const repository = more.length > 0 ? 'files' : own;
  const hosts = flags.allowHost && { allowedHosts: flags.allowHost };
  const startAt = (port: number) => startLineServer({ ...FILE_LIMITS, repository, ...hosts, port });
  const server = await startOnPort(flags.port, startAt, PAGE_PORTS).catch((error) => {
    throw new CommandFailure(startFailure(error));
  });
  try {
    await show(server, sources, flags);
  } finally {
    await server.close();
  }
}

async function show(server: LocalServer, sources: readonly string[], flags: ViewFlags): Promise<void> {
  const { follow = false } = flags;
  const signal = interruptSignal();
  const reader = new LineReader(server, { follow, signal, timeZone: flags.timezone });
  const isGrowing = follow || sources.includes('-');
  const reading = reader.read(sources);
  const waiting = `${isGrowing ? 'waiting for the first line of' : 'reading'} ${namesOf(sources)}`;
  const timer = setTimeout(() => writeNote(`logclient: ${waiting}…`), NOTE_DELAY_MS);
  // A pipe may never end, so its first lines are enough; of large files, the newest.
  const isRead = await Promise.race([reader.started.then(() => false), reading.then(() => true)]).finally(
    () => clearTimeout(timer),
  );
  signal.throwIfAborted();
  if (reader.lines === 0) throw new CommandFailure(`${namesOf(sources)} has no lines.`);
  const link = linkTo(server, sources, isRead ? 'live' : isGrowing ? '' : 'stream');
  await announcePage(`web page on ${pc.bold(namesOf(sources))}`, link, flags);
  await reading;
  setV8Flags(GROWING_YOUNG_GENERATION);
  reader.report();
  await untilInterrupted();
  throwUnlessCtrlC(signal);
}

/** Lines can have any age, so the page searches all of them. @param off `live` or `stream`, which the page then does not do */
function linkTo({ url, userToken, repository }: LocalServer, files: readonly string[], off = ''): string {
  const state = new URLSearchParams({ token: userToken, repo: repository, start: 'all' });
  for (const file of files) state.append('file', file);
  if (off !== '') state.set(off, 'off');
  return `${url}/#${state}`;
}
