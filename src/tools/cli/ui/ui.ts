import pc from 'picocolors';
import type { ConnectionFlags } from '../../settings/connection-flags.ts';
import { withService } from '../../settings/service.ts';
import { proveService } from '../auth/service-proof.ts';
import { row } from '../serve/banner.ts';
import { servePage } from '../serve/open-page.ts';
import { PAGE_PORTS, type PageFlags } from '../serve/page-flags.ts';
import { startOnPort } from '../serve/port.ts';
import { startUiServer, type UiServer } from './ui-server.ts';

export interface UiFlags extends PageFlags, ConnectionFlags {}

/** Serves the web page in front of a service until a signal. @throws CommandFailure if the service rejects a query */
export async function ui({ port, allowHost = [], ...flags }: UiFlags): Promise<void> {
  await withService(flags, {}, async ({ client, settings, signal }) => {
    const { url } = await proveService(settings, signal);
    const options = { client, settings, allowedHosts: allowHost };
    const start = (free: number): Promise<UiServer> => startUiServer({ ...options, port: free });
    const server = await startOnPort(port, start, PAGE_PORTS);
    // Without live results at first: a service can store more events per second than a page can show.
    const state = new URLSearchParams({ token: server.token, live: 'off' });
    if (settings.repository !== undefined) state.set('repo', settings.repository.value);
    const link = `${server.url}/#${state}`;
    const access = 'only this command has the credentials; the link gives access to its page until it stops';
    await servePage(server, `web page for ${pc.bold(url)}`, link, flags, row('access', access));
  });
}
