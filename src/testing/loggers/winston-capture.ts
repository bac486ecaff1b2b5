import { LogTransport } from '../../../transports/winston/index.ts';
import {
  CAPTURE_DELIVERY,
  type CaptureConnection,
  DeliveryTrouble,
  type TestedLogger,
} from './capture-delivery.ts';

/** The parts of a winston logger that a capture uses. */
export interface WinstonLogger {
  readonly level: string;
  readonly silent?: boolean | undefined;
  readonly levels?: Readonly<Record<string, number>> | undefined;
  readonly transports: readonly { readonly level?: string | undefined; silent?: boolean | undefined }[];
  add(transport: never): unknown;
  remove(transport: never): unknown;
}

export function isWinstonLogger(logger: object): logger is WinstonLogger {
  const { add, remove, transports } = logger as Partial<WinstonLogger>;
  return typeof add === 'function' && typeof remove === 'function' && Array.isArray(transports);
}

export function winstonLevels({ silent, levels }: WinstonLogger, level: string): string[] | undefined {
  if (silent === true) return [];
  return levels && Object.keys(levels).filter((name) => levels[name]! <= (levels[level] ?? -1));
}

/** Adds a transport to a winston logger, and removes it at the end. */
export function captureWinston(
  logger: WinstonLogger,
  connection: CaptureConnection,
  quiet: boolean,
): TestedLogger {
  const silenced = quiet ? logger.transports.filter((own) => own.silent !== true) : [];
  for (const own of silenced) own.silent = true;
  const trouble = new DeliveryTrouble('captured winston logger');
  const { onWarning } = trouble;
  const transport = new LogTransport({ ...connection, ...CAPTURE_DELIVERY, onWarning, worker: false });
  const level = (): string => {
    const others = logger.transports.filter((each) => (each as object) !== transport);
    const logging = others.filter((each) => each.silent !== true || silenced.includes(each));
    const numberOf = (name: string): number => logger.levels?.[name] ?? -1;
    const levels = logging.map((each) => each.level ?? logger.level);
    return levels.reduce((most, each) => (numberOf(each) > numberOf(most) ? each : most), logger.level);
  };
  // A getter, because programs change levels while they run.
  Object.defineProperty(transport, 'level', { get: level });
  logger.add(transport as never);
  return {
    flush: () => transport.flush(),
    undelivered: () => trouble.describe(transport.stats),
    dropped: () => transport.stats.dropped,
    losses: () => trouble.describeLosses(transport.stats.dropped),
    levels: () => winstonLevels(logger, level()),
    async stop() {
      logger.remove(transport as never);
      for (const own of silenced) own.silent = false;
      await transport.flush();
    },
  };
}
