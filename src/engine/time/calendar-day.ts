import { DAY_MS } from '../../core/epoch.ts';

/** 1 on January 1. */
export function dayOfYear(local: Date): number {
  const startOfYear = new Date(0).setUTCFullYear(local.getUTCFullYear(), 0, 1);
  return Math.floor((local.getTime() - startOfYear) / DAY_MS) + 1;
}

/** 1 on Monday, 7 on Sunday. */
export function dayOfWeek(local: Date): number {
  return local.getUTCDay() || 7;
}

/** ISO 8601 week: the first week contains the first Thursday of the year. */
export function weekOfYear(local: Date): number {
  const thursday = new Date(local.getTime() + (4 - dayOfWeek(local)) * DAY_MS);
  return Math.ceil(dayOfYear(thursday) / 7);
}
