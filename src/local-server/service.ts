import type { Hono } from 'hono';
import type { OpenReferenceData } from './reference-data/open-reference-data.ts';
import type { ServerContext } from './server-context.ts';
import type { StateFolder } from './store/state-file.ts';

export interface ServerCore extends Omit<ServerContext, 'authentication'> {
  readonly referenceData: OpenReferenceData;
  readonly folder: StateFolder;
}

export interface Service<Access extends object> {
  readonly app: Hono;
  /** Returns what clients need for access to a server at this URL. */
  access(url: string): Access;
}
