import { noReferenceData, type ReferenceData } from '../../../engine/index.ts';
import type { ReferenceDataOptions } from '../../reference-data-options.ts';
import { HostNames } from './host-names.ts';
import { openIndicators } from './indicator-file.ts';
import { AUTONOMOUS_SYSTEMS, LOCATIONS, openDatabase } from './ip-database.ts';
import { readReferenceFile } from './reference-file.ts';

export interface OpenReferenceData extends ReferenceData {
  close(): void;
}

/**
 * Reads the files in the options.
 *
 * @throws LogOptionsException if a file is missing or invalid.
 */
export async function openReferenceData(options: ReferenceDataOptions): Promise<OpenReferenceData> {
  const { ipLocation, asn, indicators, reverseDns = false } = options;
  const file = (name: 'ipLocation' | 'asn' | 'indicators') =>
    readReferenceFile(`referenceData.${name}`, options[name]!);
  const hostNames = reverseDns ? new HostNames() : undefined;
  return {
    ...noReferenceData,
    ...(ipLocation !== undefined && { location: await openDatabase(file('ipLocation'), LOCATIONS) }),
    ...(asn !== undefined && { autonomousSystem: await openDatabase(file('asn'), AUTONOMOUS_SYSTEMS) }),
    ...(indicators !== undefined && { indicators: openIndicators(file('indicators')) }),
    ...(hostNames !== undefined && { hostName: (address: string) => hostNames.find(address) }),
    close: () => hostNames?.close(),
  };
}
