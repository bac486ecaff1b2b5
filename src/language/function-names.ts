import { SIGNATURES } from './functions/signatures.ts';

/** Functions of the service that the local server does not have. */
const OTHERS = ['eventInternals', 'readPersistedAggregation', 'remoteTable'];

/** The names of the service's functions, as it spells them, including deprecated ones. */
export const SERVICE_FUNCTIONS: readonly string[] = [...SIGNATURES.map(({ name }) => name), ...OTHERS];

const LOWER_CASE_NAMES: ReadonlySet<string> = new Set(SERVICE_FUNCTIONS.map((name) => name.toLowerCase()));

/**
 * True if the service has a function with this name, ignoring case. After `field=`, a word directly followed by `(` is a
 * call only if it is one of these, and none of them is free text without quotes.
 */
export function isFunctionName(name: string): boolean {
  return LOWER_CASE_NAMES.has(name.toLowerCase());
}
