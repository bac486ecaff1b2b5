import { localServers } from '../../core/discovery/local-servers.ts';
import type { LogClient } from '../../index.ts';
import { authenticationFailure } from '../output/command-failure.ts';
import { environmentSetting } from '../output/environment.ts';
import type { ConnectionFlags } from '../settings/connection-flags.ts';
import { type ConnectionSettings, resolveConnection } from '../settings/connection-settings.ts';
import { describeFailure } from '../settings/failure.ts';
import { openClient, requireSettings, sayIfInsecure } from '../settings/service.ts';
import { DEFAULT_START } from './arguments.ts';
import type { LogSource } from './log-source.ts';

const NO_LOGS =
  'there are no logs to read: no local server is running, and no service is set. Start a local server with "npx logclient serve", or run the program with "npx logclient dev <program>", and call the tool again. For a service, set LOGSCALE_URL, LOGSCALE_TOKEN and LOGSCALE_REPOSITORY. For a log file, start this MCP server with --file <path>.';

/**
 * The service set by the flags, the environment or a profile, otherwise the local server. A local server can be started,
 * stopped and replaced at any time, so each call looks for it.
 */
export class ServiceSource implements LogSource {
  readonly secrets = new Set<string>();
  readonly #flags: ConnectionFlags;
  /** The last client, with the settings it was made from. It keeps the access token of Next-Gen SIEM. */
  #last: { readonly key: string; readonly client: LogClient } | undefined;

  constructor(flags: ConnectionFlags) {
    this.#flags = flags;
  }

  readonly use: LogSource['use'] = async (repository, action) => {
    const settings = await resolveConnection({
      ...this.#flags,
      ...(repository !== undefined && { repository }),
    });
    const { token, client, environment } = settings;
    for (const setting of [token, environmentSetting(environment, 'ingestToken'), client?.secret]) {
      if (setting !== undefined) this.secrets.add(setting.value);
    }
    if (token === undefined && client === undefined) throw authenticationFailure(NO_LOGS);
    requireSettings(settings, {});
    try {
      const { url, service } = settings;
      const name = settings.repository!.value;
      return await action({
        client: await this.#client(settings),
        repository: name,
        secrets: this.secrets,
        place: `${url.value}, repository ${name}`,
        isLocal:
          service === 'logscale' && localServers().some((server) => server.url === new URL(url.value).origin),
        defaultStart: DEFAULT_START,
      });
    } catch (error) {
      throw describeFailure(error, settings);
    }
  };

  async [Symbol.asyncDispose](): Promise<void> {}

  async #client(settings: ConnectionSettings): Promise<LogClient> {
    // The flag and the argument of a tool can name the same repository.
    const { url, token, client, caCertificate, insecure, repository } = settings;
    const key = JSON.stringify([url, token, client, caCertificate, insecure, repository?.value]);
    if (this.#last?.key !== key) {
      sayIfInsecure(settings);
      this.#last = { key, client: await openClient(settings) };
    }
    return this.#last.client;
  }
}
