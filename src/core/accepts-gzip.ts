/** Whether a client accepts gzip, by its header `Accept-Encoding`. */
export function acceptsGzip(header: string | null | undefined): boolean {
  const qualities = new Map<string, number>();
  for (const coding of (header ?? '').toLowerCase().split(',')) {
    const [name = '', ...parameters] = coding.split(';').map((part) => part.trim());
    const quality = parameters.find((parameter) => parameter.startsWith('q='));
    qualities.set(name, quality === undefined ? 1 : Number(quality.slice(2)));
  }
  return (qualities.get('gzip') ?? qualities.get('*') ?? 0) > 0;
}
