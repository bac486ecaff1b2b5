import { malformed } from '../http/http-error.ts';
import {
  type Members,
  objectsOf,
  optionalString,
  type Place,
  requireObject,
} from '../ingest/request-shape.ts';
import { attributesOf, optionalObject } from './json-values.ts';
import { logRecord } from './log-record.ts';
import { OTHER_SIGNALS } from './other-signals.ts';
import type { OtlpRecords, RecordSource } from './otlp-record.ts';

/**
 * The records of a request in JSON.
 *
 * @throws HttpError 400 for the first invalid part.
 */
export function* jsonRecords(value: unknown): OtlpRecords {
  const request = requireObject(value, '');
  for (const { name, path } of OTHER_SIGNALS) {
    const [resources = ''] = path[0]![0];
    if (request[resources] === undefined) continue;
    const message = `The request has ${resources}. This path accepts logs only (resourceLogs). Send it to /v1/${name}.`;
    throw malformed(message);
  }
  for (const { member: resourceRecords, place } of objectsOf(request.resourceLogs ?? [], 'resourceLogs')) {
    yield undefined;
    const resource = attributesOf(optionalObject(resourceRecords, 'resource', place), `${place}.resource`);
    const scopes = objectsOf(resourceRecords.scopeLogs ?? [], `${place}.scopeLogs`);
    for (const { member: scopeRecords, place: scopePlace } of scopes) {
      yield undefined;
      const source: RecordSource = { resource, scope: scopeOf(scopeRecords, scopePlace) };
      const records = objectsOf(scopeRecords.logRecords ?? [], `${scopePlace}.logRecords`);
      for (const { member, place: recordPlace } of records) {
        yield { source, read: () => logRecord(member, recordPlace) };
      }
    }
  }
}

export function scopeOf(scopeRecords: Members, parent: Place): Members {
  const place = `${parent}.scope`;
  const scope = optionalObject(scopeRecords, 'scope', parent);
  const name = optionalString(scope.name, `${place}.name`);
  const version = optionalString(scope.version, `${place}.version`);
  return { ...attributesOf(scope, place), ...(name ? { name } : {}), ...(version ? { version } : {}) };
}
