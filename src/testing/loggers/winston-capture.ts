import { LogTransport } from '../../../transports/winston/index.ts';
import { hookLogger, type RecordTaker } from '../../../transports/winston/logger-hook.ts';
import { accepts } from '../../../transports/winston/transport-stream.ts';
import {
  CAPTURE_DELIVERY,
  type CaptureConnection,
  type CapturedLogger,
  type KnownFields,
  LoggerDelivery,
  type Shipper,
  timeInTurn,
} from './capture-delivery.ts';

type TransportLevel = Pick<Shipper, 'level'>;

/** The parts of a winston logger that a capture uses. */
export interface WinstonLogger {
  readonly level: string;
  readonly silent?: boolean | undefined;
  readonly levels?: Readonly<Record<string, number>> | undefined;
  readonly transports: readonly Pick<Shipper, 'level' | 'silent'>[];
  add(transport: never): unknown;
  remove(transport: never): unknown;
}

export function isWinstonLogger(logger: object): logger is WinstonLogger {
  const { add, remove, transports } = logger as Partial<WinstonLogger>;
  return typeof add === 'function' && typeof remove === 'function' && Array.isArray(transports);
}

/** What formats do to the names of levels. */
const SPELLINGS = [String, (name: string) => name.toUpperCase()];

/** @returns `undefined` if its format writes them in another way than these. */
export function winstonLevels(
  { silent, level: own, levels = {} }: WinstonLogger,
  transports: readonly TransportLevel[],
  arrived: ReadonlySet<string>,
): KnownFields[] | undefined {
  if (silent === true) return [];
  const names = Object.keys(levels);
  const spell = SPELLINGS.find((each) => arrived.size === 0 || names.some((name) => arrived.has(each(name))));
  const isEnabled = (name: string): boolean =>
    transports.some(({ level = own }) => levels[name]! <= (levels[level] ?? -1));
  return spell && names.filter(isEnabled).map((name) => ({ level: spell(name) }));
}

/** Takes the records of a winston logger where they are logged, whatever its transports are. */
export function captureWinston(
  logger: WinstonLogger,
  connection: CaptureConnection,
  quiet: boolean,
): CapturedLogger {
  const silenced = quiet ? logger.transports.filter((own) => own.silent !== true) : [];
  for (const own of silenced) own.silent = true;
  const transport = new LogTransport({ ...connection, ...CAPTURE_DELIVERY, worker: false });
  const taker: RecordTaker = {
    take(info, call, source) {
      if (!logging().some(({ level }) => accepts({ level }, source, info))) return;
      if (isStopped) delivery.hasMissed = true;
      else transport.take(info, call && { ...call, refine: timeInTurn });
    },
  };
  const delivery = new LoggerDelivery('captured winston logger', [transport]);
  let isStopped = false;
  // The logger's own level counts, too: its transports may be fewer in production.
  const logging = (): TransportLevel[] => [
    {},
    ...logger.transports.filter((each) => each.silent !== true || silenced.includes(each)),
  ];
  delivery.unwatch = hookLogger(logger, taker);
  return {
    delivery,
    flush: () => transport.flush(),
    levels: (arrived) => winstonLevels(logger, logging(), arrived),
    messageKey: 'message',
    async stop() {
      isStopped = true;
      for (const own of silenced) own.silent = false;
      transport.close();
      await transport.flush();
    },
  };
}
