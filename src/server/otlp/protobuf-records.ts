import { BinaryWriter, WireType } from '@bufbuild/protobuf/wire';
import type { Members } from '../ingest/request-shape.ts';
import { scopeOf } from './json-records.ts';
import { attributesOf } from './json-values.ts';
import { logRecord } from './log-record.ts';
import { type OtlpRecords, RecordLimit, type RecordSource } from './otlp-record.ts';
import {
  decode,
  decodeRequest,
  LOG_RECORD,
  type Message,
  messagesIn,
  RESOURCE,
  type RequestKind,
  SCOPE,
} from './protobuf-decoder.ts';

const { Varint, LengthDelimited } = WireType;
const LOGS: RequestKind = { request: 'ExportLogsServiceRequest', name: 'logs' };

/**
 * The records of a request in protobuf.
 *
 * @throws HttpError 400 if the body is not such a message.
 */
export function* protobufRecords(body: Buffer): OtlpRecords {
  for (const resourceLogs of messagesIn(body, [1], LOGS)) {
    yield undefined;
    if (resourceLogs === undefined) continue;
    const resource = attributesOf(readMessage(yield* last(resourceLogs, 1), RESOURCE), 'resource');
    for (const scopeLogs of messagesIn(resourceLogs, [2], LOGS)) {
      yield undefined;
      if (scopeLogs === undefined) continue;
      const scope = scopeOf({ scope: readMessage(yield* last(scopeLogs, 1), SCOPE) }, LOGS.request);
      const source: RecordSource = { resource, scope };
      for (const record of messagesIn(scopeLogs, [2], LOGS)) {
        yield record && { source, read: () => logRecord(readMessage(record, LOG_RECORD), 'logRecord') };
      }
    }
  }
}

/** The response of all signals. */
export function protobufResponse(rejected: number, errorMessage: string): Uint8Array<ArrayBuffer> {
  if (rejected === 0) return new Uint8Array();
  const partialSuccess = new BinaryWriter().tag(1, Varint).int64(rejected).tag(2, LengthDelimited);
  const content = partialSuccess.string(errorMessage).finish();
  return new BinaryWriter().tag(1, LengthDelimited).bytes(content).finish();
}

/** A `google.rpc.Status`. */
export function protobufStatus(code: number, message: string): Uint8Array<ArrayBuffer> {
  return new BinaryWriter().tag(1, Varint).int32(code).tag(2, LengthDelimited).string(message).finish();
}

/** The last message of a field, which overrides earlier ones. Yields where the caller may pause. */
function* last(bytes: Uint8Array, fieldNumber: number): Generator<undefined, Uint8Array> {
  let latest: Uint8Array = new Uint8Array();
  for (const message of messagesIn(bytes, [fieldNumber], LOGS)) {
    yield undefined;
    latest = message ?? latest;
  }
  return latest;
}

/** A message as in JSON. */
function readMessage(bytes: Uint8Array, fields: Message): Members {
  return decodeRequest(LOGS, () => decode(bytes, fields, new RecordLimit(), 0));
}
