import type { ServerClock } from '../clock.ts';
import type { StateFolder } from '../store/state-file.ts';

/** What every registry (files, users, saved queries, tokens) is made with: `new Users({ clock, folder })`. */
export interface RegistryOptions {
  readonly clock: ServerClock;
  /** Where the registry keeps its state; each takes file names of its own. */
  readonly folder: StateFolder;
}
