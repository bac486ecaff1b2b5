export interface QueryCost {
  readonly queryCount: number;
  readonly staticCost: number;
  readonly liveCost: number;
}

const SECOND = 1000;
const WINDOWS = { oneMinute: 60, tenMinutes: 600, hour: 3600, day: 86_400 } as const;
/** Costs are recorded with this precision. */
const SPAN_MS = 10 * SECOND;

interface Span extends Record<keyof QueryCost, number> {
  readonly start: number;
}

/** Sums the cost of queries over the last minute, ten minutes, hour and day. */
export class QueryCosts {
  #spans: Span[] = [];

  count(now: number): void {
    this.#spanOf(now).queryCount += 1;
  }

  add(now: number, ms: number, isLive: boolean): void {
    this.#spanOf(now)[isLive ? 'liveCost' : 'staticCost'] += ms;
  }

  spent(now: number): Record<keyof typeof WINDOWS, QueryCost> {
    const costs = Object.entries(WINDOWS).map(([name, seconds]) => [
      name,
      this.#since(now - seconds * SECOND),
    ]);
    return Object.fromEntries(costs);
  }

  #since(start: number): QueryCost {
    const sum = { queryCount: 0, staticCost: 0, liveCost: 0 };
    for (const span of this.#spans) {
      if (span.start + SPAN_MS <= start) continue;
      sum.queryCount += span.queryCount;
      sum.staticCost += span.staticCost;
      sum.liveCost += span.liveCost;
    }
    return { ...sum, staticCost: Math.ceil(sum.staticCost), liveCost: Math.ceil(sum.liveCost) };
  }

  #spanOf(now: number): Span {
    const start = Math.floor(now / SPAN_MS) * SPAN_MS;
    const last = this.#spans.at(-1);
    if (last?.start === start) return last;
    const oldest = now - WINDOWS.day * SECOND;
    this.#spans = this.#spans.filter((span) => span.start + SPAN_MS > oldest);
    const span = { start, queryCount: 0, staticCost: 0, liveCost: 0 };
    this.#spans.push(span);
    return span;
  }
}
