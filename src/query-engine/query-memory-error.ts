/** A run would hold on to more than it may. */
export class QueryMemoryError extends Error {
  constructor(maxBytes: number) {
    super(
      `The query was cancelled: its result needs more than ${maxBytes} bytes of memory, the limit of this server. Filter more, or group by fewer values.`,
    );
    this.name = 'QueryMemoryError';
  }
}
