/** The option or variable that set an address. */
export const sources = new WeakMap<URL, string>();

/** The source of the default address. */
export const NO_SOURCE = 'baseUrl (not set)';

/** The option or variable that set an address, for messages. */
export function sourceOf(url: URL): string {
  return sources.get(url) ?? 'baseUrl';
}
