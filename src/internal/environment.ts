/** The environment variables that this package reads, in the order in which each setting looks for them. */
const VARIABLES = {
  baseUrl: ['LOGSCALE_URL', 'HUMIO_ADDRESS'],
  userToken: ['LOGSCALE_TOKEN', 'HUMIO_TOKEN'],
  ingestToken: ['LOGSCALE_INGEST_TOKEN'],
  repository: ['LOGSCALE_REPOSITORY'],
  flushIntervalMs: ['LOGSCALE_FLUSH_INTERVAL_MS'],
} as const;

/** The value of a setting in the environment; an empty variable counts as unset. */
export function fromEnvironment(setting: keyof typeof VARIABLES): string | undefined {
  for (const name of VARIABLES[setting]) {
    const value = process.env[name];
    if (value !== undefined && value.trim() !== '') return value.trim();
  }
  return undefined;
}

/** The names to mention in a message that asks for a missing setting. */
export function environmentNames(setting: keyof typeof VARIABLES): string {
  return VARIABLES[setting].join(' or ');
}
