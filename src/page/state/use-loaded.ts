import { useEffect, useState } from 'preact/hooks';
import { explanationOf } from '../api/http.ts';

/** What a part of the page loads for a key, kept until that for another key is there. A string says why it failed. */
export function useLoaded<Loaded extends object>(
  key: string | undefined,
  load: (signal: AbortSignal) => Promise<Loaded>,
): Loaded | string | undefined {
  const [loaded, setLoaded] = useState<Loaded | string | undefined>(undefined);
  useEffect(() => {
    if (key === undefined) return;
    const stop = new AbortController();
    load(stop.signal).then(setLoaded, (error: unknown) => {
      if (!stop.signal.aborted) setLoaded(explanationOf(error));
    });
    return () => stop.abort();
  }, [key]);
  return loaded;
}
