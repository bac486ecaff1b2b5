/** Where an IP address is, as far as known. */
export interface IpLocation {
  /** ISO 3166 code, such as `DK`. */
  readonly country?: string;
  readonly city?: string;
  /** Code of a state or region within the country. */
  readonly state?: string;
  readonly latitude?: number;
  readonly longitude?: number;
}

export interface AutonomousSystem {
  readonly number?: number;
  readonly organization?: string;
}

export type IndicatorType = 'ip_address' | 'domain' | 'url';

export const INDICATOR_TYPES = ['ip_address', 'domain', 'url'] as const satisfies readonly IndicatorType[];

/** In ascending order. */
export const CONFIDENCES = ['unverified', 'low', 'medium', 'high'] as const;

export type Confidence = (typeof CONFIDENCES)[number];

/** An indicator of compromise. */
export interface Indicator {
  readonly indicator: string;
  readonly type: IndicatorType;
  readonly confidence: Confidence;
  /** Further details, by field name. */
  readonly details: Readonly<Record<string, string>>;
}

/** The lookup is in flight: its result may be available when the query runs again. */
export const PENDING = Symbol('pending');

/**
 * External data about IP addresses and indicators. The engine itself reads no files and uses no network. Unknown values
 * are `undefined`.
 */
export interface ReferenceData {
  location(address: string): IpLocation | undefined;
  autonomousSystem(address: string): AutonomousSystem | undefined;
  /** The host name of an IP address, by reverse DNS. */
  hostName(address: string): string | typeof PENDING | undefined;
  indicators(type: IndicatorType, value: string): readonly Indicator[];
}

export const noReferenceData: ReferenceData = {
  location: () => undefined,
  autonomousSystem: () => undefined,
  hostName: () => undefined,
  indicators: () => [],
};
