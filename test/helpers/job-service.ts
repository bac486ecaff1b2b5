import type { ServerResponse } from 'node:http';
import { createQueryJob } from '../../src/client/query/run-query.ts';
import { streamingQuery } from '../../src/client/query/streaming-query.ts';
import type { QuerySource } from '../../src/client/tail/query-source.ts';
import { WebCaller } from '../../src/core/http/node/web-caller.ts';
import type { QueryInput } from '../../src/core/wire/query.ts';
import { type HttpService, sendJson, sendText, startService } from './http-service.ts';
import { pollAnswer } from './query-answers.ts';

/** An event of a {@link JobService}, found by queries from `visibleAt` on. */
export interface ArrivingEvent {
  readonly '@id': string;
  readonly '@timestamp': number;
  readonly '@ingesttimestamp': string;
  readonly visibleAt: number;
  readonly n: string;
}

/** Undocumented behavior of a service, and its failures. */
export interface JobServiceTraits {
  /** Whether intervals include their end. */
  readonly isEndIncluded: boolean;
  /** Whether a search by arrival time is also limited by `start` and `end`. */
  readonly limitsBoth: boolean;
  /** Whether results report up to which time they are complete. */
  readonly hasDigestFlow: boolean;
  /** The fields that the query keeps. */
  readonly fields: readonly (keyof ArrivingEvent)[];
  /** Called before the response to a poll: a status instead of the result. */
  readonly fault: () => number | undefined;
}

/** A service with only query jobs, whose clock and events the test controls. */
export interface JobService extends HttpService {
  now: number;
  readonly events: ArrivingEvent[];
  readonly jobs: Map<string, QueryInput>;
  readonly source: QuerySource;
}

/** @param onLivePoll called before the result of a live job is computed. */
export async function startJobService(
  traits: JobServiceTraits,
  onLivePoll: (service: JobService) => void,
): Promise<JobService> {
  const jobs = new Map<string, QueryInput>();
  let created = 0;
  const http = await startService((request, response) => {
    if (request.method === 'POST') {
      const id = `job-${created++}`;
      jobs.set(id, request.json());
      return sendJson(response, { id });
    }
    const id = request.path.split('/').at(-1)!;
    if (request.method === 'DELETE') return response.writeHead(jobs.delete(id) ? 200 : 404).end();
    return poll(id, response);
  });
  const poll = (id: string, response: ServerResponse): unknown => {
    const input = jobs.get(id);
    const status = traits.fault();
    if (input === undefined || status === 404) return sendText(response, 404, '');
    if (status !== undefined) return sendText(response, status, 'fault');
    if (input.isLive === true) onLivePoll(service);
    return sendJson(response, resultOf(service, input, traits));
  };
  const scope = { webCaller: new WebCaller(http.url), repository: 'r', service: 'ngsiem' as const };
  const source = {
    service: 'ngsiem',
    streamingQuery: (queryString: string, options: object) => streamingQuery(scope, queryString, options),
    createQueryJob: (queryString: string, options: object) => createQueryJob(scope, queryString, options),
  } as unknown as QuerySource;
  const service: JobService = Object.assign(http, { now: Date.now(), events: [], jobs, source });
  return service;
}

/** All events that arrived up to this time are found. */
export function knownUntil({ events, now }: Pick<JobService, 'events' | 'now'>): number {
  const hidden = events.filter(({ visibleAt }) => visibleAt > now);
  return Math.min(now, ...hidden.map((event) => Number(event['@ingesttimestamp']) - 1));
}

function resultOf({ events, now }: JobService, input: QueryInput, traits: JobServiceTraits): object {
  const point = (value: unknown, fallback: number): number => {
    if (typeof value === 'number') return value;
    return typeof value === 'string' && value !== 'now' ? now - Number.parseInt(value, 10) * 1_000 : fallback;
  };
  const isWithin = (time: number, start: number, end: number): boolean =>
    time >= start && (traits.isEndIncluded ? time <= end : time < end);
  const { start, end, ingestStart, ingestEnd, useIngestTime = false, around } = input;
  const matching = events
    .filter(({ '@timestamp': time, '@ingesttimestamp': ingest, visibleAt }) => {
      if (visibleAt > now) return false;
      if (useIngestTime || ingestStart !== undefined || ingestEnd !== undefined) {
        if (!isWithin(Number(ingest), point(ingestStart, 0), point(ingestEnd, now))) return false;
        if (useIngestTime && !traits.limitsBoth) return true;
      }
      return isWithin(time, point(start, now - 86_400_000), point(end, now));
    })
    .sort((left, right) => left['@timestamp'] - right['@timestamp']);
  const at = matching.findIndex((event) => event['@id'] === around?.eventId);
  const older = around === undefined ? matching : matching.slice(0, at + 1);
  const shown = older.slice(-200).reverse();
  const known = knownUntil({ events, now });
  return pollAnswer({
    events: shown.map((event) => Object.fromEntries(traits.fields.map((field) => [field, event[field]]))),
    hasMoreEvents: shown.length < older.length,
    metaData: {
      queryStart: point(start, 0),
      queryEnd: point(end, now),
      ...(traits.hasDigestFlow
        ? { digestFlow: { minIngestTimeIncluded: known, ingestTimeKnownGood: known, maxIngestLatency: 0 } }
        : {}),
    },
  });
}
