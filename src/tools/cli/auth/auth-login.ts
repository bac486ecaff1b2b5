import { DEFAULT_CLOUD } from '../../../core/http/falcon/clouds.ts';
import { usageFailure } from '../../output/command-failure.ts';
import { interruptSignal } from '../../output/interruption.ts';
import type { Setting } from '../../output/setting.ts';
import { writeNote } from '../../output/standard-output.ts';
import type { Source } from '../../settings/config-file.ts';
import type { ConnectionFlags } from '../../settings/connection-flags.ts';
import { connectionFrom, DEFAULT_FALCON_REPOSITORY, flagSource } from '../../settings/connection-settings.ts';
import { DEFAULT_PROFILE, logclientConfigFile, saveProfile } from '../../settings/logclient-config.ts';
import { ask, askSecret, isInteractive } from './prompt.ts';
import { proveService, serviceName } from './service-proof.ts';

/**
 * Asks for what the flags don't set, proves the credentials with one query, and saves them as a profile.
 *
 * @throws CommandFailure if a value is missing or the query fails. Nothing is saved then.
 */
export async function authLogin({ profile = DEFAULT_PROFILE, ...flags }: ConnectionFlags): Promise<void> {
  if (flags.config !== undefined) {
    throw usageFailure("--config is the file of humioctl, which logclient doesn't write. Omit it.");
  }
  const signal = interruptSignal();
  const known = await flagSource(flags);
  if (known.token !== undefined && (known.url === undefined || known.repository === undefined))
    throw usageFailure('a profile for LogScale needs --url <address> and --repository <name>.');
  const source = known.token === undefined ? await askClient(known, signal) : known;
  const settings = connectionFrom([source], flags);
  const { url } = await proveService(settings, signal);
  const file = logclientConfigFile();
  await saveProfile(file, profile, source);
  writeNote(
    `logclient: ${serviceName(settings)} at ${url} is ready. Saved the profile "${profile}" in ${file}.`,
  );
}

/** Removes a profile. @throws CommandFailure if there is none. */
export async function authLogout({
  profile = DEFAULT_PROFILE,
}: Pick<ConnectionFlags, 'profile'>): Promise<void> {
  const file = logclientConfigFile();
  if (!(await saveProfile(file, profile))) {
    throw usageFailure(`there is no profile "${profile}" in ${file}.`);
  }
  writeNote(`logclient: removed the profile "${profile}" from ${file}.`);
}

/** @throws CommandFailure */
async function askClient(known: Source, signal: AbortSignal): Promise<Source> {
  const optional = async (question: string, fallback?: string): Promise<Setting | undefined> =>
    isInteractive() ? answered(question, await ask(question, signal, fallback)) : undefined;
  const hasAddress = known.cloud !== undefined || known.url !== undefined;
  const cloud = hasAddress ? known.cloud : await optional('Cloud', DEFAULT_CLOUD);
  const clientId = known.clientId ?? (await optional('Client ID'));
  if (clientId === undefined)
    throw usageFailure('no API client ID is set. Pass --client-id <id>, or a token with --token-file -.');
  const clientSecret =
    known.clientSecret ?? answered('client secret', await askSecret('Client secret', signal));
  if (clientSecret === undefined) {
    throw usageFailure('the client secret is empty. Pass it on stdin, or pass --client-secret-file <path>.');
  }
  const repository = known.repository ?? (await optional('Repository', DEFAULT_FALCON_REPOSITORY.value));
  return { ...known, cloud, clientId, clientSecret, repository };
}

function answered(question: string, value: string): Setting | undefined {
  return value === '' ? undefined : { value, origin: `the ${question}` };
}
