import { signal } from '@preact/signals';
import type uPlot from 'uplot';

type Library = typeof uPlot;

const scope = globalThis as { readonly uPlot?: Library };

/** `undefined` until it is loaded, and the reason for the user if that failed. */
export const chartLibrary = signal<Library | string | undefined>(scope.uPlot);

/** Loads the library for the first chart. */
export async function loadCharts(): Promise<void> {
  if (chartLibrary.value !== undefined) return;
  const script = new URL('charts.js', import.meta.url);
  await import(script.href).catch(() => {});
  chartLibrary.value = scope.uPlot ?? "The script for charts can't be loaded. Reload the page.";
}
