/**
 * The log of a party: JSON lines written by pino, without secrets and patient data. That something is
 * unavailable, and when it is back, is told now and then, not once for each failing call.
 */
import { type DestinationStream, type Logger, pino } from 'pino';
import type { CallReport } from '#protocol/methods/pipeline.ts';
import { systemClock } from '#protocol/time/clock.ts';

export type Log = Logger;
export type LogLevel = 'silent' | 'error' | 'warn' | 'info' | 'debug';

/** Members that never reach the log, at the top level or one and two levels down. */
const SECRET_MEMBERS = [
  ...['token', 'exchangeToken', 'authInfo', 'cred', 'password', 'internalPassword', 'code'],
  ...['user_sign', 'userSign', 'ehr_user_sign'],
  ...['params', 'result', 'request', 'reply', 'body', 'to', 'text'],
  ...['patient', 'patientProperties', 'name', 'surname', 'middleName', 'date', 'birthdate', 'gender'],
  ...['phone', 'phones', 'email', 'address', 'medCardId', 'medcardNumber'],
];
const redact = {
  paths: SECRET_MEMBERS.flatMap((member) => [member, `*.${member}`, `*.*.${member}`]),
  censor: '[removed]',
};

/** Create the log of one party, with `name` in every line. The default destination is standard error. */
export function createLog(name: string, level: LogLevel, destination?: DestinationStream): Log {
  const options = { level, redact, base: { party: name }, serializers: { err: describeError } };
  return pino(options, destination ?? pino.destination({ dest: 2, sync: true }));
}

/**
 * Write one line for one call: its method, its outcome, and the cause of an internal error. It contains
 * nothing that the caller sent.
 */
export function logCall(log: Log, report: CallReport, knownMethods: Readonly<Record<string, unknown>>): void {
  const { channel, reason, cause } = report;
  // A method name from outside is logged only if it is known.
  const method = Object.hasOwn(knownMethods, report.method) ? report.method : '(unknown)';
  // The outage log reports the cause as an error now and then. One error for each call would drown the rest.
  if (cause instanceof Unavailable) log.info({ method, channel, reason }, 'call failed');
  else if (reason === 'internal_error') log.error({ method, channel, reason, err: cause }, 'call failed');
  else if (reason) log.info({ method, channel, reason }, 'call refused');
  else log.info({ method, channel }, 'call answered');
}

/** Keep the type, message, stack and code of an error, and drop the members that a library may have added. */
function describeError(error: unknown): Record<string, unknown> {
  if (!(error instanceof Error)) return { type: typeof error };
  const { type, message, stack } = pino.stdSerializers.err(error);
  const { code } = error as NodeJS.ErrnoException;
  return { type, message, stack, ...(typeof code === 'string' && { errorCode: code }) };
}

export type OutageLog = {
  /** Note a call that failed because of the outage. */
  failed(cause: unknown): void;
  /** Note a call that succeeded. */
  answered(): void;
};

type OutageWords = {
  away: string;
  back: string;
  /** The outage is over once nothing has failed for this long: for what fails and succeeds by turns. */
  quietMs?: number;
};

/** An outage is logged once in this time while it lasts. */
const LOG_INTERVAL_MS = 10_000;

/** Create the log of one kind of outage. It uses real time, because an outage concerns the machine. */
export function outageLog(log: Log | undefined, { away, back, quietMs = 0 }: OutageWords): OutageLog {
  let toldAt: number | undefined;
  let failedAt = 0;
  let calls = 0;
  return {
    failed(err) {
      calls++;
      failedAt = systemClock.now();
      if (toldAt !== undefined && Math.abs(failedAt - toldAt) < LOG_INTERVAL_MS) return;
      toldAt = failedAt;
      log?.error({ err, calls }, away);
    },
    answered() {
      if (toldAt === undefined || Math.abs(systemClock.now() - failedAt) < quietMs) return;
      log?.info({ calls }, back);
      toldAt = undefined;
      calls = 0;
    },
  };
}

/**
 * A failure whose cause an `outageLog` reports, so the lines of the failing calls need not repeat it.
 */
export class Unavailable extends Error {
  override name = 'Unavailable';

  constructor(message: string) {
    super(message);
    // The place where a call failed says nothing about the cause.
    this.stack = `${this.name}: ${message}`;
  }
}
