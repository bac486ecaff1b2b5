import { isIP } from 'node:net';
import type { Reader } from 'mmdb-lib';
import { memberAt } from '../../../core/records/log-line.ts';
import { type AutonomousSystem, type IpLocation, QueryLimitError } from '../../../engine/index.ts';
import { present } from '../../registries/registry.ts';
import { isAddress } from './host-names.ts';
import { type ReferenceFile, refuseFile } from './reference-file.ts';

/** Looks up an address; `undefined` if it is unknown or invalid. */
export type AddressLookup<T> = (address: string) => T | undefined;

/** Number of cached results: events repeat addresses, and the database is much slower. */
const KEPT_ANSWERS = 10_000;

type DatabaseRecord = Readonly<Record<string, unknown>>;

/** A kind of databases. */
interface DatabaseKind<T> {
  /** Matches the types of its databases. */
  readonly type: RegExp;
  /** What such a database has, with an example, for error messages. */
  readonly wanted: string;
  readonly read: (record: DatabaseRecord) => T;
}

export const LOCATIONS: DatabaseKind<IpLocation> = {
  type: /city|country|enterprise|location/i,
  wanted: 'cities or countries, such as GeoLite2-City.mmdb',
  read: (record) =>
    present({
      country: textAt(record, 'country.iso_code') ?? textAt(record, 'registered_country.iso_code'),
      city: textAt(record, 'city.names.en'),
      state: textAt(record, 'subdivisions.0.iso_code'),
      latitude: numberAt(record, 'location.latitude'),
      longitude: numberAt(record, 'location.longitude'),
    }),
};

export const AUTONOMOUS_SYSTEMS: DatabaseKind<AutonomousSystem> = {
  type: /asn|isp|enterprise/i,
  wanted: 'autonomous systems, such as GeoLite2-ASN.mmdb',
  read: (record) =>
    present({
      number: numberAt(record, 'autonomous_system_number'),
      organization: textAt(record, 'autonomous_system_organization'),
    }),
};

/** @throws LogOptionsException if the file is not a database of this kind. */
export async function openDatabase<T>(
  file: ReferenceFile,
  { type, wanted, read }: DatabaseKind<T>,
): Promise<AddressLookup<T>> {
  const reader = await openReader(file);
  const { databaseType } = reader.metadata;
  if (typeof databaseType === 'string' && type.test(databaseType)) return lookup(reader, read, file);
  return refuseFile(file, `is a database of the type ${JSON.stringify(databaseType)}, not one of ${wanted}`);
}

/** Loads the library lazily: most servers need no database. */
async function openReader(file: ReferenceFile): Promise<Reader<never>> {
  const { Reader } = await import('mmdb-lib');
  try {
    return new Reader(file.content);
  } catch (error) {
    return refuseFile(file, 'is not a MaxMind DB', error);
  }
}

function lookup<T>(
  reader: Reader<never>,
  read: (record: DatabaseRecord) => T,
  file: ReferenceFile,
): AddressLookup<T> {
  const kept = new Map<string, T | undefined>();
  return (address) => {
    if (kept.has(address)) return kept.get(address);
    // Invalid addresses are not cached, because they may have any length.
    if (!isAddress(address)) return undefined;
    const record = find(reader, address, file);
    const answer = record === undefined ? undefined : read(record);
    if (kept.size >= KEPT_ANSWERS) kept.clear();
    kept.set(address, answer);
    return answer;
  };
}

/** @throws QueryLimitError if the entry of the address is damaged: as on the service, the query fails. */
function find(reader: Reader<never>, written: string, { path }: ReferenceFile): DatabaseRecord | undefined {
  const address = written.replace(/^::ffff:(?=[\d.]+$)/i, '');
  if (isIP(address) === 6 && reader.metadata.ipVersion === 4) return undefined;
  try {
    return (reader.get(address) as DatabaseRecord | null) ?? undefined;
  } catch {
    throw new QueryLimitError(
      `the IP database ${path} is damaged at the entry of ${address}. Download it again.`,
    );
  }
}

function textAt(record: DatabaseRecord, path: string): string | undefined {
  const value = memberAt(record, path);
  return typeof value === 'string' ? value : undefined;
}

function numberAt(record: DatabaseRecord, path: string): number | undefined {
  const value = memberAt(record, path);
  return typeof value === 'number' ? value : undefined;
}
