import type { BatchSizeLimit } from './batch/batch-size-limit.ts';
import type { FailurePolicy } from './failure-policy.ts';
import type { ResolvedIngesterOptions } from './options.ts';
import type { RecordRedactor } from './record/record-redactor.ts';
import type { DeliveryAccounting } from './report/delivery-accounting.ts';
import type { ServiceCheck } from './send/service-check.ts';
import type { World } from './world.ts';

/** What the parts of a pipeline share. */
export interface DeliveryContext {
  readonly options: ResolvedIngesterOptions;
  readonly world: World;
  readonly accounting: DeliveryAccounting;
  /** Limits of batches, which can change. */
  readonly sizeLimit: BatchSizeLimit;
  readonly check: ServiceCheck;
  readonly policy: FailurePolicy;
  /** `undefined` if nothing is redacted. */
  readonly redactor: RecordRedactor | undefined;
}
