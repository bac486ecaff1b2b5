import { once } from 'node:events';
import type { Writable } from 'node:stream';
import { CommandFailure } from './command-failure.ts';
import { EXIT_NOT_EXECUTABLE, EXIT_NOT_FOUND } from './exit-code.ts';

export interface Pager {
  readonly input: Writable;
  /** Resolves when the user has quit. @throws CommandFailure if the pager can't be run. */
  readonly close: () => Promise<void>;
}

/** The command in LOGCLIENT_PAGER or PAGER, as in gh. An empty one and `cat` mean none. */
export function pagerCommand({ LOGCLIENT_PAGER, PAGER }: NodeJS.ProcessEnv): string | undefined {
  const command = (LOGCLIENT_PAGER ?? PAGER ?? '').trim();
  return command === '' || command === 'cat' ? undefined : command;
}

/** @param opensAtEnd `less` then shows the last screen first. */
export function startPager(command: string, opensAtEnd: boolean): Pager {
  // The defaults of git and gh: short output is not paged, and stays on the screen.
  const env = { LESS: opensAtEnd ? 'FRX+G' : 'FRX', LV: '-c', ...process.env };
  const { spawn } = process.getBuiltinModule('node:child_process');
  const child = spawn(command, { shell: true, stdio: ['pipe', 'inherit', 'inherit'], env });
  const closed = once(child, 'close');
  // The pager handles Ctrl-C; otherwise it would be orphaned on the terminal.
  process.removeAllListeners('SIGINT');
  process.on('SIGINT', ignore);
  return {
    input: child.stdin,
    close: async () => {
      child.stdin.end();
      const [code] = await closed;
      process.removeListener('SIGINT', ignore);
      if (code === EXIT_NOT_FOUND || code === EXIT_NOT_EXECUTABLE) {
        throw new CommandFailure(
          `can't run the pager "${command}". Set LOGCLIENT_PAGER to another command, or pass --no-pager.`,
        );
      }
    },
  };
}

function ignore(): void {}
