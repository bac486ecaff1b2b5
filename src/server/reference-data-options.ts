import { requireBoolean, requireObject, requireText, resolveOptions } from '../core/option-checks.ts';

/** Reference files for query functions, read once at startup. */
export interface ReferenceDataOptions {
  /** MaxMind DB file (`.mmdb`) with cities or countries, for `ipLocation()` and `worldMap(ip=…)`. */
  ipLocation?: string | undefined;
  /** MaxMind DB file (`.mmdb`) with autonomous systems, for `asn()`. */
  asn?: string | undefined;
  /**
   * CSV or JSON file with indicators of compromise, for `ioc:lookup()`. Required columns: `indicator` and `type`
   * (`ip_address`, `domain` or `url`). Optional column: `malicious_confidence` (`unverified`, `low`, `medium` or
   * `high`, the default). Other columns, such as `labels`, become event fields.
   */
  indicators?: string | undefined;
  /**
   * Allows `reverseDns()` to query this computer's name servers. Lookups run in the background, so a query with new
   * addresses returns a warning. Run the query again to get the names.
   * @default false
   */
  reverseDns?: boolean | undefined;
}

const OWNER = 'startLocalServer';

/** @throws LogOptionsException for an unknown option or a wrong type. Does not read the files. */
export function resolveReferenceDataOptions(options: ReferenceDataOptions = {}): ReferenceDataOptions {
  requireObject(OWNER, '"referenceData"', options);
  const path = (name: 'ipLocation' | 'asn' | 'indicators') => (): string | undefined => {
    const value = options[name];
    return value === undefined ? undefined : requireText(OWNER, `referenceData.${name}`, value);
  };
  const { reverseDns = false } = options;
  return resolveOptions(`${OWNER}: referenceData`, options, {
    ipLocation: path('ipLocation'),
    asn: path('asn'),
    indicators: path('indicators'),
    reverseDns: () => requireBoolean(OWNER, 'referenceData.reverseDns', reverseDns),
  });
}
