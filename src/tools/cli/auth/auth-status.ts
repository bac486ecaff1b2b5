import { interruptSignal } from '../../output/interruption.ts';
import type { OutputFlags } from '../../output/output-flags.ts';
import { type Row, Worded } from '../../output/row-format.ts';
import { writeList } from '../../output/row-writer.ts';
import type { Setting } from '../../output/setting.ts';
import type { ConnectionFlags } from '../../settings/connection-flags.ts';
import { type ConnectionSettings, resolveConnection } from '../../settings/connection-settings.ts';
import { requireSettings } from '../../settings/service.ts';
import { proveService, serviceName } from './service-proof.ts';

/**
 * Shows each setting with its origin, and the result of one query.
 *
 * @throws CommandFailure if a setting is missing or the query fails, after the settings are shown.
 */
export async function authStatus(flags: ConnectionFlags & OutputFlags): Promise<void> {
  const settings = await resolveConnection(flags);
  const { row, failure } = await queryRow(settings);
  await writeList([...settingRows(settings), row], ['name', 'value', 'origin'], flags);
  if (failure !== undefined) throw failure;
}

function settingRows(settings: ConnectionSettings): Row[] {
  const { url, token, client, ingestToken, repository, profile, caCertificate, insecure, timeoutMs } =
    settings;
  const credentials = client?.id ?? token;
  const row = (name: string, setting: Pick<Row, 'value' | 'origin'> = NOT_SET): Row => ({ name, ...setting });
  const seconds = timeoutMs.value / 1000;
  const clientRows = [
    row('clientId', client?.id),
    row('clientSecret', secret(client?.secret)),
    row('memberCid', client?.memberCid),
  ];
  return [
    row('service', { value: serviceName(settings), origin: credentials?.origin ?? 'default' }),
    row('url', { ...url, value: url.value.replace(/\/\/[^/@]*@/, '//') }),
    ...(client === undefined ? [row('token', secret(token))] : clientRows),
    row('ingestToken', secret(ingestToken)),
    row('repository', repository),
    row('profile', profile),
    row('certificate', caCertificate && { ...caCertificate, value: 'custom' }),
    row('insecure', insecure),
    row('timeout', { ...timeoutMs, value: new Worded(seconds, `${seconds} s`) }),
  ];
}

async function queryRow(settings: ConnectionSettings): Promise<{ row: Row; failure?: unknown }> {
  const row = (isProof: boolean, text: string): Row => {
    return { name: 'query', value: new Worded(isProof, text), origin: null };
  };
  try {
    requireSettings(settings, { repository: false });
    const { url, durationMs } = await proveService(settings, interruptSignal());
    requireSettings(settings, {});
    return { row: row(true, `succeeded in ${durationMs} ms at ${url}`) };
  } catch (failure) {
    return { row: row(false, 'failed'), failure };
  }
}

const NOT_SET = { value: new Worded(null, 'not set'), origin: null };

/** The length of a token shows whether it was copied completely, without revealing it. */
function secret(setting: Setting | undefined): Pick<Row, 'value' | 'origin'> {
  if (setting === undefined) return NOT_SET;
  return { value: `set, ${setting.value.length} characters`, origin: setting.origin };
}
