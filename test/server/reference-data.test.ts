import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { LogOptionsException } from '../../src/core/errors.ts';
import { PENDING } from '../../src/engine/index.ts';
import { type ReferenceDataOptions, startLocalServer } from '../../src/server/index.ts';
import { HostNames } from '../../src/server/node/reference-data/host-names.ts';
import { writeMmdb } from '../helpers/mmdb.ts';
import { ingest, type Row, runJob, stream } from './query-calls.ts';

const CITIES = writeMmdb('GeoLite2-City', {
  '192.0.2.0/25': {
    country: { iso_code: 'DK', names: { en: 'Denmark' } },
    city: { names: { da: 'Århus', en: 'Aarhus' } },
    subdivisions: [{ iso_code: '82' }],
    location: { latitude: 56.1572, longitude: 10.2107 },
  },
  '192.0.2.200/32': { registered_country: { iso_code: 'SE' } },
  '198.51.100.0/24': { location: { latitude: -33.5, longitude: 151 } },
});
const NETWORKS = writeMmdb('GeoLite2-ASN', {
  '192.0.2.0/24': { autonomous_system_number: 64_500, autonomous_system_organization: 'Example Net' },
});
const INDICATORS = `type,indicator,malicious_confidence,labels
ip_address,192.0.2.1,low,Actor/X
domain,Bad.Example,,
`;

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'reference-data-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

async function file(name: string, content: string | Buffer): Promise<string> {
  const path = join(folder, name);
  await writeFile(path, content);
  return path;
}

/** The rows of a query over one event, without the fields that every event has. */
async function rowsOf(referenceData: ReferenceDataOptions, event: Record<string, string>, query: string) {
  await using server = await startLocalServer({ listen: false, referenceData });
  await ingest(server, [{ timestamp: Date.now(), attributes: event }]);
  const rows = await stream(server, query);
  // A job finds the same.
  const { events } = await runJob(server, query);
  expect(events.map(ownFields)).toEqual(rows.map(ownFields));
  return rows.map(ownFields);
}

function ownFields(row: Row): Row {
  return Object.fromEntries(Object.entries(row).filter(([name]) => !/^[@#]/.test(name)));
}

describe('IP address databases', () => {
  it('ipLocation() adds the country, city, state and coordinates of an address', async () => {
    const ipLocation = await file('city.mmdb', CITIES);
    const rows = await rowsOf(
      { ipLocation },
      {
        a: '192.0.2.7',
        b: '192.0.2.200',
        c: '203.0.113.1',
        d: 'no address',
        e: '::ffff:192.0.2.7',
        f: '2001:db8::1',
      },
      'ipLocation(a) | ipLocation(b) | ipLocation(c) | ipLocation(d) | ipLocation(e) | ipLocation(f) | drop([a, b, c, d, e, f])',
    );
    const aarhus = { country: 'DK', city: 'Aarhus', state: '82', lat: '56.1572', lon: '10.2107' };
    const below = (name: string) =>
      Object.fromEntries(Object.entries(aarhus).map(([part, value]) => [`${name}.${part}`, value]));
    expect(rows).toEqual([{ ...below('a'), ...below('e'), 'b.country': 'SE' }]);
  });

  it('worldMap() locates events by their IP address', async () => {
    const ipLocation = await file('city.mmdb', CITIES);
    expect(await rowsOf({ ipLocation }, { a: '198.51.100.9' }, 'worldMap(ip=a, precision=1)')).toEqual([
      { _geohash: 'r', latitude: '-22.5', longitude: '157.5', magnitude: '1' },
    ]);
  });

  it('asn() adds the number and organization of the network of an address', async () => {
    const asn = await file('asn.mmdb', NETWORKS);
    expect(await rowsOf({ asn }, { ip: '192.0.2.7' }, 'asn() | drop(ip)')).toEqual([
      { 'ip.asn': '64500', 'ip.org': 'Example Net' },
    ]);
  });

  it.each(['ipLocation', 'asn'] as const)(
    '%s() fails the query at a damaged database entry',
    async (name) => {
      const database = Buffer.from(name === 'asn' ? NETWORKS : CITIES);
      // A control byte for an extended type, with a number that no type has.
      const separator = Buffer.alloc(16);
      database.fill(0, database.indexOf(separator) + separator.length, database.lastIndexOf('abcdef', 'hex'));
      const path = await file('damaged.mmdb', database);
      await using server = await startLocalServer({ listen: false, referenceData: { [name]: path } });
      await ingest(server, [{ timestamp: Date.now(), attributes: { ip: '192.0.2.7' } }]);
      const { cancelled, metaData } = await runJob(server, `${name}()`);
      expect(cancelled).toBe(true);
      expect(metaData.warnings).toEqual([
        `The query was canceled: the IP database ${path} is damaged at the entry of 192.0.2.7. Download it again.`,
      ]);
    },
  );

  it('functions without reference data leave events unchanged', async () => {
    const rows = await rowsOf(
      {},
      { ip: '192.0.2.7' },
      'ipLocation() | asn() | reverseDns(ip) | ioc:lookup(ip, type=ip_address)',
    );
    expect(rows).toEqual([{ ip: '192.0.2.7' }]);
  });
});

describe('Indicators', () => {
  it.each(['indicators.csv', 'indicators.json'])('ioc:lookup() finds indicators from %s', async (name) => {
    const objects = INDICATORS.trim()
      .split('\n')
      .slice(1)
      .map((line) => line.split(','))
      .map(([type, indicator, malicious_confidence, labels]) => ({
        type,
        indicator,
        malicious_confidence,
        labels,
      }));
    const indicators = await file(name, name.endsWith('json') ? JSON.stringify(objects) : INDICATORS);
    const rows = await rowsOf(
      { indicators },
      { ip: '192.0.2.1', host: 'bad.example' },
      'ioc:lookup(ip, type=ip_address) | ioc:lookup(host, type=domain, prefix=d) | ioc:lookup(ip, type=ip_address, confidenceThreshold=low, include=[labels])',
    );
    expect(rows).toEqual([
      {
        ip: '192.0.2.1',
        host: 'bad.example',
        'd.detected': 'true',
        'd[0].indicator': 'Bad.Example',
        'd[0].type': 'domain',
        'd[0].malicious_confidence': 'high',
        'ioc.detected': 'true',
        'ioc[0].labels': 'Actor/X',
      },
    ]);
  });
});

describe('startLocalServer() with invalid referenceData', () => {
  const start = (referenceData: ReferenceDataOptions) =>
    startLocalServer({ listen: false, dataDir: join(folder, 'data'), referenceData });

  it.each<[what: string, option: keyof ReferenceDataOptions, content: string | Buffer, problem: string]>([
    ['what is no database', 'ipLocation', 'hello', 'is not a MaxMind DB'],
    ['an empty file', 'asn', '', 'is not a MaxMind DB'],
    [
      'a database of another kind',
      'ipLocation',
      NETWORKS,
      'is a database of the type "GeoLite2-ASN", not one of cities or countries, such as GeoLite2-City.mmdb',
    ],
    [
      'a database of another kind',
      'asn',
      CITIES,
      'is a database of the type "GeoLite2-City", not one of autonomous systems, such as GeoLite2-ASN.mmdb',
    ],
    ['indicators without types', 'indicators', 'indicator\nx\n', 'has no column "type"'],
    [
      'indicators of unknown types',
      'indicators',
      'type,indicator\nurl,x\nhash,x\n',
      `can't be read: in entry 2 "type" must be one of ip_address, domain, url`,
    ],
    [
      'empty indicators',
      'indicators',
      'type,indicator\nurl,\n',
      `can't be read: in entry 1 "indicator" is empty`,
    ],
    [
      'indicators of unknown confidence',
      'indicators',
      'type,indicator,malicious_confidence\nurl,x,sure\n',
      `can't be read: in entry 1 "malicious_confidence" must be one of unverified, low, medium, high`,
    ],
    [
      'broken quotes',
      'indicators',
      'type,indicator\n"url,x\n',
      `can't be read: The file is not CSV: row 2 has an unmatched double quote.`,
    ],
  ])('fails for %s and releases its folder', async (_what, option, content, problem) => {
    const path = await file('content', content);
    const error = await start({ [option]: path }).catch((caught: unknown) => caught);
    expect(error).toBeInstanceOf(LogOptionsException);
    expect((error as Error).message).toContain(
      `startLocalServer: "referenceData.${option}" can't be used: ${path} ${problem}`,
    );
    // The folder is free again.
    await (await start({})).close();
  });

  it('fails for a missing file', async () => {
    const path = join(folder, 'nope.mmdb');
    await expect(start({ asn: path })).rejects.toThrow(
      `startLocalServer: "referenceData.asn" can't be used: ${path}: no such file.`,
    );
  });

  it.each<[options: unknown, problem: string]>([
    [{ asnn: 'x' }, 'startLocalServer: referenceData has no option "asnn". Did you mean "asn"?'],
    [{ asn: '' }, 'startLocalServer: "referenceData.asn" must be a non-empty string'],
    [{ reverseDns: 'yes' }, 'startLocalServer: "referenceData.reverseDns" must be true or false'],
    ['x.mmdb', 'startLocalServer: "referenceData" must be an object (got "x.mmdb").'],
  ])('fails for the options %j', async (options, problem) => {
    await expect(start(options as ReferenceDataOptions)).rejects.toThrow(problem);
  });
});

describe('HostNames', () => {
  it('looks up each address once, in the background', async () => {
    const asked: string[] = [];
    const names = new HostNames({
      async reverse(address) {
        asked.push(address);
        if (address === '192.0.2.1') return ['one.example', 'other.example'];
        throw new Error('no such name');
      },
      cancel() {},
    });
    expect(names.find('not an address')).toBeUndefined();
    expect(names.find('192.0.2.1')).toBe(PENDING);
    expect(names.find('192.0.2.1')).toBe(PENDING);
    expect(names.find('192.0.2.2')).toBe(PENDING);
    await new Promise(setImmediate);
    expect(names.find('192.0.2.1')).toBe('one.example');
    expect(names.find('192.0.2.2')).toBeUndefined();
    expect(asked).toEqual(['192.0.2.1', '192.0.2.2']);
    names.close();
    expect(names.find('192.0.2.3')).toBe(PENDING);
    expect(asked).toHaveLength(2);
  });
});
