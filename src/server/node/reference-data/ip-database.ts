import { isIP } from 'node:net';
import type { Reader } from 'mmdb-lib';
import { type AutonomousSystem, type IpLocation, QueryLimitError } from '../../../engine/index.ts';
import { type ReferenceFile, refuseFile } from './reference-file.ts';

/** Looks up an address; `undefined` if it is unknown or invalid. */
export type AddressLookup<T> = (address: string) => T | undefined;

/** Number of cached results: events repeat addresses, and the database is much slower. */
const KEPT_ANSWERS = 10_000;

/** The longest address, including the name of a network interface. */
const MAX_ADDRESS_LENGTH = 64;

type DatabaseRecord = Readonly<Record<string, unknown>>;

/** @throws LogOptionsException if the file is not a database of this kind. */
export async function openLocations(file: ReferenceFile): Promise<AddressLookup<IpLocation>> {
  const reader = await openReader(file);
  requireType(file, reader, {
    pattern: /city|country|enterprise|location/i,
    wanted: 'cities or countries, such as GeoLite2-City.mmdb',
  });
  return lookup(reader, readLocation, file);
}

/** @throws LogOptionsException if the file is not a database of this kind. */
export async function openAutonomousSystems(file: ReferenceFile): Promise<AddressLookup<AutonomousSystem>> {
  const reader = await openReader(file);
  requireType(file, reader, {
    pattern: /asn|isp|enterprise/i,
    wanted: 'autonomous systems, such as GeoLite2-ASN.mmdb',
  });
  return lookup(reader, readAutonomousSystem, file);
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

function requireType(
  file: ReferenceFile,
  { metadata }: Reader<never>,
  { pattern, wanted }: { readonly pattern: RegExp; readonly wanted: string },
): void {
  const { databaseType } = metadata;
  if (typeof databaseType === 'string' && pattern.test(databaseType)) return;
  refuseFile(file, `is a database of the type ${JSON.stringify(databaseType)}, not one of ${wanted}`);
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
    if (address.length > MAX_ADDRESS_LENGTH || isIP(address) === 0) return undefined;
    const record = find(reader, address, file);
    const answer = record === undefined ? undefined : read(record);
    if (kept.size >= KEPT_ANSWERS) kept.clear();
    kept.set(address, answer);
    return answer;
  };
}

/** @throws DatabaseError if the entry of the address is damaged. */
function find(reader: Reader<never>, written: string, { path }: ReferenceFile): DatabaseRecord | undefined {
  const address = written.replace(/^::ffff:(?=[\d.]+$)/i, '');
  if (isIP(address) === 6 && reader.metadata.ipVersion === 4) return undefined;
  try {
    return (reader.get(address) as DatabaseRecord | null) ?? undefined;
  } catch {
    throw new DatabaseError(path, address);
  }
}

/** An entry of an IP database is damaged. As on the service, the query fails. */
class DatabaseError extends QueryLimitError {
  constructor(path: string, address: string) {
    super(`the IP database ${path} is damaged at the entry of ${address}. Download it again.`);
  }
}

function readLocation(record: DatabaseRecord): IpLocation {
  const country = textAt(record, 'country', 'iso_code') ?? textAt(record, 'registered_country', 'iso_code');
  const city = textAt(record, 'city', 'names', 'en');
  const state = textAt(record, 'subdivisions', '0', 'iso_code');
  const latitude = numberAt(record, 'location', 'latitude');
  const longitude = numberAt(record, 'location', 'longitude');
  return {
    ...(country !== undefined && { country }),
    ...(city !== undefined && { city }),
    ...(state !== undefined && { state }),
    ...(latitude !== undefined && { latitude }),
    ...(longitude !== undefined && { longitude }),
  };
}

function readAutonomousSystem(record: DatabaseRecord): AutonomousSystem {
  const number = numberAt(record, 'autonomous_system_number');
  const organization = textAt(record, 'autonomous_system_organization');
  return { ...(number !== undefined && { number }), ...(organization !== undefined && { organization }) };
}

function textAt(record: DatabaseRecord, ...path: readonly string[]): string | undefined {
  const value = valueAt(record, path);
  return typeof value === 'string' ? value : undefined;
}

function numberAt(record: DatabaseRecord, ...path: readonly string[]): number | undefined {
  const value = valueAt(record, path);
  return typeof value === 'number' ? value : undefined;
}

/** The value at a path; databases of different vendors have different members. */
function valueAt(record: DatabaseRecord, path: readonly string[]): unknown {
  let value: unknown = record;
  for (const name of path) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined;
    value = (value as DatabaseRecord)[name];
  }
  return value;
}
