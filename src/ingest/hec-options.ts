import { firstSet, fromEnvironment, nameOfSetting } from '../core/environment.ts';
import { LogOptionsException } from '../core/errors.ts';
import { requireAddress } from '../core/http/base-url.ts';
import { rejectPair, requireOneOf, requireText, resolveAll, throwProblems } from '../core/option-checks.ts';

/** Options for receivers of the HTTP Event Collector (HEC) protocol. */
export interface HecOptions {
  /**
   * Format of the requests. `structured` is LogScale's own. `hec` is the format of the HTTP Event Collector, which
   * Next-Gen SIEM, LogScale, Splunk, Cribl, Vector and the OpenTelemetry Collector accept.
   *
   * @default LOGSCALE_FORMAT from the environment, else 'structured'
   */
  format?: 'structured' | 'hec' | undefined;
  /**
   * Address of the event collector, with or without `/services/collector`. Requires the format `hec`.
   *
   * @default LOGSCALE_INGEST_URL from the environment, else LogScale's event collector at `baseUrl`
   */
  ingestUrl?: string | undefined;
  /** `host` of every event. Requires the format `hec`. @default none */
  host?: string | undefined;
  /** `source` of every event. Requires the format `hec`. @default none */
  source?: string | undefined;
  /** `sourcetype` of every event; LogScale's parser. Requires the format `hec`. @default that of the token */
  sourcetype?: string | undefined;
  /** `index` of every event; LogScale's repository. Requires the format `hec`. @default that of the token */
  index?: string | undefined;
}

const METADATA = ['host', 'source', 'sourcetype', 'index'] as const;

export const HEC_OPTION_NAMES = ['format', 'ingestUrl', ...METADATA] as const satisfies (keyof HecOptions)[];

/** Members that are the same in every event. */
export type HecMetadata = Readonly<Partial<Record<(typeof METADATA)[number], string>>>;

export interface ResolvedHecOptions {
  /** Address without the path of the collector, ending in a slash. */
  readonly baseUrl: URL;
  /** Path of the collector below `baseUrl`. */
  readonly endpoint: string;
  readonly authScheme: 'Bearer' | 'Splunk';
  readonly metadata: HecMetadata;
}

const LOGSCALE_COLLECTOR = 'api/v1/ingest/hec';
const ADDRESSES = [
  ['ingestUrl', 'services/collector'],
  ['baseUrl', LOGSCALE_COLLECTOR],
] as const;
const COLLECTOR_AT_END = /(?:services\/collector(?:\/event(?:\/1\.0)?)?|api\/v1\/ingest\/hec)(?=\/$)/;

/** @returns `undefined` for the structured format. @throws LogOptionsException */
export function resolveHecOptions(
  owner: string,
  options: HecOptions & { readonly baseUrl?: string | URL | undefined },
): ResolvedHecOptions | undefined {
  const source = nameOfSetting('format', options.format);
  const { format = fromEnvironment('format') ?? 'structured' } = options;
  const metadataNames = METADATA.filter((name) => options[name] !== undefined);
  if (requireOneOf(owner, source, format, ['structured', 'hec']) === 'structured') {
    const misplaced = options.ingestUrl === undefined ? metadataNames : ['ingestUrl', ...metadataNames];
    throwProblems(misplaced.map((name) => `${owner}: "${name}" requires format: 'hec'.`));
    const isChosen = (options.format ?? options.baseUrl ?? fromEnvironment('format')) !== undefined;
    if (isChosen || fromEnvironment('ingestUrl') === undefined) return undefined;
    throw new LogOptionsException(`${owner}: LOGSCALE_INGEST_URL requires LOGSCALE_FORMAT=hec.`);
  }
  const checks = metadataNames.map((name) => [name, () => requireText(owner, name, options[name])]);
  const { collector, metadata } = resolveAll({
    collector: () => resolveCollector(owner, options),
    metadata: () => Object.freeze(resolveAll<HecMetadata>(Object.fromEntries(checks))),
  });
  return { ...collector, metadata };
}

/** Options override the environment, and the address of a collector overrides that of LogScale. */
function resolveCollector(
  owner: string,
  options: Parameters<typeof resolveHecOptions>[1],
): Omit<ResolvedHecOptions, 'metadata'> {
  rejectPair(owner, options, 'ingestUrl', 'baseUrl');
  const isExplicit = (options.ingestUrl ?? options.baseUrl) !== undefined;
  const addressOf = (name: 'ingestUrl' | 'baseUrl') => (isExplicit ? options[name] : fromEnvironment(name));
  const [name, defaultPath] = ADDRESSES.find(([each]) => addressOf(each) !== undefined) ?? [];
  if (name === undefined) {
    throw new LogOptionsException(
      `${owner}: the format "hec" needs an address. Pass "ingestUrl" or set LOGSCALE_INGEST_URL.`,
    );
  }
  const url = requireAddress(owner, isExplicit ? `"${name}"` : firstSet(name)!, addressOf(name)!);
  const givenPath = COLLECTOR_AT_END.exec(url.pathname)?.[0];
  if (givenPath !== undefined) url.pathname = url.pathname.slice(0, -givenPath.length - 1);
  const endpoint = givenPath ?? defaultPath;
  const isCrowdStrike = /(?:^|\.)crowdstrike\.(?:com|mil)$/.test(url.hostname);
  // LogScale and Next-Gen SIEM document Bearer; Splunk and Vector accept nothing but their own scheme.
  const isLogScale = endpoint === LOGSCALE_COLLECTOR || isCrowdStrike;
  return { baseUrl: url, endpoint, authScheme: isLogScale ? 'Bearer' : 'Splunk' };
}
