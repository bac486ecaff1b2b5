/** Where an IP address is, as far as it is known. */
export interface IpLocation {
  /** ISO 3166 code, such as `DK`. */
  readonly country?: string;
  readonly city?: string;
  /** The code of a state or region within its country. */
  readonly state?: string;
  readonly latitude?: number;
  readonly longitude?: number;
}

/** The network that an IP address belongs to. */
export interface AutonomousSystem {
  readonly number?: number;
  readonly organization?: string;
}

export type IndicatorType = 'ip_address' | 'domain' | 'url';

export const INDICATOR_TYPES = ['ip_address', 'domain', 'url'] as const satisfies readonly IndicatorType[];

/** From the least sure to the surest. */
export const CONFIDENCES = ['unverified', 'low', 'medium', 'high'] as const;

export type Confidence = (typeof CONFIDENCES)[number];

/** Something that is known to belong to an attacker. */
export interface Indicator {
  readonly indicator: string;
  readonly type: IndicatorType;
  readonly confidence: Confidence;
  /** What else is known, by the name of the field that it becomes. */
  readonly details: Readonly<Record<string, string>>;
}

/** Somebody has been asked: the answer may be there when the query is run again. */
export const PENDING = Symbol('pending');

/**
 * Knowledge about the world that no event holds. It comes from outside, for the engine reads no files and asks no
 * network; what it doesn't know is `undefined`.
 */
export interface ReferenceData {
  location(address: string): IpLocation | undefined;
  autonomousSystem(address: string): AutonomousSystem | undefined;
  /** The name that an IP address has in the domain name system. */
  hostName(address: string): string | typeof PENDING | undefined;
  indicators(type: IndicatorType, value: string): readonly Indicator[];
}

/** Knows nothing. */
export const noReferenceData: ReferenceData = {
  location: () => undefined,
  autonomousSystem: () => undefined,
  hostName: () => undefined,
  indicators: () => [],
};
