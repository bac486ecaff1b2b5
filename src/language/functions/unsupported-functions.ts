/** Reasons why functions of the service are not supported locally, for error messages. */
const REASONS: ReadonlyMap<string, string> = new Map([
  ['eventinternals', 'it shows how the service stores an event'],
  ['readpersistedaggregation', 'it reads results stored on the service'],
  ['remotetable', 'it reads a table over a connection configured on the service'],
]);

/** The error for a function of the service that is not supported here. */
export function unsupportedFunction(name: string): string {
  if (name.toLowerCase() === 'rdns') return 'rdns() was removed in version 1.249: use reverseDns()';
  const reason = REASONS.get(name.toLowerCase());
  return `The function "${name}" is not supported by the local server${reason === undefined ? '' : `: ${reason}`}`;
}
