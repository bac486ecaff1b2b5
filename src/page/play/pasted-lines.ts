/** Name of the repository of the first pasted lines. */
export const PASTED = 'pasted';
/** Longer data is not put into the address, in characters. */
const MAX_DATA = 8_000;

/** Lines as they are in an address, compressed; empty if they are too many. */
export async function printData(lines: string): Promise<string> {
  const compressed = new Blob([lines]).stream().pipeThrough(new CompressionStream('deflate-raw'));
  const bytes = new Uint8Array(await new Response(compressed).arrayBuffer());
  if (bytes.length > MAX_DATA) return '';
  const base64 = btoa(String.fromCharCode(...bytes));
  return base64.replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
}

/** The lines of an address. @throws Error if the address is damaged */
export async function readData(data: string): Promise<string> {
  const text = atob(data.replaceAll('-', '+').replaceAll('_', '/'));
  const bytes = Uint8Array.from(text, (character) => character.charCodeAt(0));
  const lines = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('deflate-raw'));
  return new Response(lines).text();
}

/**
 * Opens lines in a repository of their own.
 *
 * @returns its name
 * @throws Error with the reason for the user
 */
export async function openLines(send: typeof fetch, base: string, lines: string): Promise<string> {
  const path = `${base}api/v1/temporary-repositories`;
  const created = await send(path, { method: 'POST', body: JSON.stringify({ fileName: PASTED }) });
  const { name } = (await created.json()) as { name: string };
  const response = await send(`${path}/${encodeURIComponent(name)}/lines`, { method: 'POST', body: lines });
  if (!response.ok) throw new Error(await response.text());
  return name;
}
