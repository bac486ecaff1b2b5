import { LogOptionsException } from '../errors.ts';
import { environmentNames, fromEnvironment } from '../internal/environment.ts';
import { refuseUnknownOptions, requireText, requireToken } from '../internal/option-checks.ts';
import {
  CONNECTION_OPTION_NAMES,
  type ConnectionOptions,
  type ResolvedConnectionOptions,
  resolveConnectionOptions,
} from '../web/connection-options.ts';

/** Options of {@link LogClient}. */
export interface LogClientOptions extends ConnectionOptions {
  /** Repository or view to work with. @default LOGSCALE_REPOSITORY from the environment */
  repository?: string | undefined;
  /** User API token. @default LOGSCALE_TOKEN or HUMIO_TOKEN from the environment */
  userToken?: string | undefined;
}

/** Options of {@link LogIngestClient}. */
export interface LogIngestClientOptions extends ConnectionOptions {
  /** Ingest token, which also determines the repository. @default LOGSCALE_INGEST_TOKEN from the environment */
  ingestToken?: string | undefined;
}

/** @throws LogOptionsException */
export function resolveLogClientOptions(options: LogClientOptions): {
  repository: string;
  token: string;
  connection: ResolvedConnectionOptions;
} {
  const owner = 'LogClient';
  refuseUnknownOptions(owner, options, ['repository', 'userToken', ...CONNECTION_OPTION_NAMES]);
  return {
    repository: requireText(owner, 'repository', settingOf(owner, 'repository', options.repository)),
    token: requireToken(owner, 'userToken', settingOf(owner, 'userToken', options.userToken)),
    connection: resolveConnectionOptions(owner, options),
  };
}

/** @throws LogOptionsException */
export function resolveLogIngestClientOptions(options: LogIngestClientOptions): {
  token: string;
  connection: ResolvedConnectionOptions;
} {
  const owner = 'LogIngestClient';
  refuseUnknownOptions(owner, options, ['ingestToken', ...CONNECTION_OPTION_NAMES]);
  return {
    token: requireToken(owner, 'ingestToken', settingOf(owner, 'ingestToken', options.ingestToken)),
    connection: resolveConnectionOptions(owner, options),
  };
}

function settingOf(
  owner: string,
  name: 'repository' | 'userToken' | 'ingestToken',
  option: string | undefined,
): string {
  const value = option ?? fromEnvironment(name);
  if (value !== undefined) return value;
  throw new LogOptionsException(
    `${owner}: "${name}" is missing. Pass it as an option or set ${environmentNames(name)} in the environment.`,
  );
}
