import { LogOptionsException } from '../../errors.ts';
import { refuseUnknownOptions, requireBoolean, requireText } from '../../internal/option-checks.ts';

/** What a server is to know of the world beyond its events. The files are read once, when the server starts. */
export interface ReferenceDataOptions {
  /** A MaxMind DB file (`.mmdb`) of cities or countries, for `ipLocation()` and `worldMap(ip=…)`. */
  ipLocation?: string;
  /** A MaxMind DB file (`.mmdb`) of autonomous systems, for `asn()`. */
  asn?: string;
  /**
   * A CSV or JSON file of indicators of attacks, for `ioc:lookup()`. It has the columns `indicator` and `type`
   * (`ip_address`, `domain` or `url`), and it may have `malicious_confidence` (`unverified`, `low`, `medium` or
   * `high`, the default). Further columns, such as `labels`, become fields of events.
   */
  indicators?: string;
  /**
   * Whether `reverseDns()` may ask the name servers of this computer. They are asked in the background: a query that
   * meets new addresses has a warning, and finds their names when it is run again.
   * @default false
   */
  reverseDns?: boolean;
}

const OWNER = 'startLocalServer';

const KNOWN: Record<keyof ReferenceDataOptions, true> = {
  ipLocation: true,
  asn: true,
  indicators: true,
  reverseDns: true,
};

/** @throws LogOptionsException for a member that is unknown or of the wrong type; files are not looked at. */
export function resolveReferenceDataOptions(options: ReferenceDataOptions = {}): ReferenceDataOptions {
  if (typeof options !== 'object' || options === null || Array.isArray(options)) {
    throw new LogOptionsException(`${OWNER}: "referenceData" must be an object.`);
  }
  refuseUnknownOptions(`${OWNER}: referenceData`, options, Object.keys(KNOWN));
  const path = (name: 'ipLocation' | 'asn' | 'indicators'): string | undefined => {
    const value = options[name];
    return value === undefined ? undefined : requireText(OWNER, `referenceData.${name}`, value);
  };
  return {
    ipLocation: path('ipLocation'),
    asn: path('asn'),
    indicators: path('indicators'),
    reverseDns: requireBoolean(OWNER, 'referenceData.reverseDns', options.reverseDns ?? false),
  };
}
