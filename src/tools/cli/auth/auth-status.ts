import { interruptSignal } from '../../output/interruption.ts';
import type { OutputFlags } from '../../output/output-flags.ts';
import { type Row, Worded } from '../../output/row-format.ts';
import { writeList } from '../../output/row-writer.ts';
import type { Setting } from '../../output/setting.ts';
import type { ConnectionFlags } from '../../settings/connection-flags.ts';
import { type ConnectionSettings, resolveConnection } from '../../settings/connection-settings.ts';
import { proveService, serviceName } from './service-proof.ts';

/**
 * Shows each setting with its origin, and the result of one query.
 *
 * @throws CommandFailure if the query fails, after the settings are shown.
 */
export async function authStatus(flags: ConnectionFlags & OutputFlags): Promise<void> {
  const settings = await resolveConnection(flags);
  const { row, failure } = await queryRow(settings);
  await writeList([...settingRows(settings), row], ['setting', 'value', 'origin'], flags);
  if (failure !== undefined) throw failure;
}

function settingRows(settings: ConnectionSettings): Row[] {
  const { url, token, client, ingestToken, repository, profile, caCertificate, insecure } = settings;
  const credentials = client?.id ?? token;
  const clientRows = [
    { setting: 'client ID', ...(client?.id ?? NOT_SET) },
    { setting: 'client secret', ...secret(client?.secret) },
    { setting: 'member CID', ...(client?.memberCid ?? NOT_SET) },
  ];
  return [
    { setting: 'service', value: serviceName(settings), origin: credentials?.origin ?? 'default' },
    { setting: 'url', value: withoutCredentials(url.value), origin: url.origin },
    ...(client === undefined ? [{ setting: 'token', ...secret(token) }] : clientRows),
    { setting: 'ingest token', ...secret(ingestToken) },
    { setting: 'repository', ...(repository ?? NOT_SET) },
    { setting: 'profile', ...(profile ?? NOT_SET) },
    {
      setting: 'certificate',
      ...(caCertificate === undefined ? NOT_SET : { ...caCertificate, value: 'custom' }),
    },
    { setting: 'insecure', value: insecure.value, origin: insecure.origin },
    {
      setting: 'timeout',
      value: new Worded(settings.timeoutMs.value / 1000, `${settings.timeoutMs.value / 1000} s`),
      origin: settings.timeoutMs.origin,
    },
  ];
}

async function queryRow(settings: ConnectionSettings): Promise<{ row: Row; failure?: unknown }> {
  const { token, client, repository } = settings;
  const row = (value: string): Row => ({ setting: 'query', value, origin: null });
  if (token === undefined && client === undefined) return { row: row('not run: no token is set') };
  if (repository === undefined) return { row: row('not run: no repository is set') };
  try {
    const { url, durationMs } = await proveService(settings, interruptSignal());
    return { row: row(`succeeded in ${durationMs} ms at ${url}`) };
  } catch (failure) {
    return { row: row('failed'), failure };
  }
}

const NOT_SET = { value: new Worded(null, 'not set'), origin: null };

/** The length of a token shows whether it was copied completely, without revealing it. */
function secret(setting: Setting | undefined): Pick<Row, 'value' | 'origin'> {
  if (setting === undefined) return NOT_SET;
  return { value: `set, ${setting.value.length} characters`, origin: setting.origin };
}

function withoutCredentials(url: string): string {
  return url.replace(/\/\/[^/@]*@/, '//');
}
