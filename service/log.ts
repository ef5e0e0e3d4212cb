/** The log of a party: JSON lines by pino, with whatever could be a secret or patient data removed. */
import { type DestinationStream, type Logger, pino } from 'pino';
import type { CallReport } from '#protocol/pipeline.ts';
import { Unavailable } from './outage-log.ts';

export type Log = Logger;
export type LogLevel = 'silent' | 'error' | 'warn' | 'info' | 'debug';

/** Members that never reach the log, at the top or one and two levels down, should a caller ever pass them. */
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

/** Creates the log of one party; `name` stands in every line. Lines go to standard error unless `destination` is given. */
export function createLog(name: string, level: LogLevel, destination?: DestinationStream): Log {
  const options = { level, redact, base: { party: name }, serializers: { err: describeError } };
  return pino(options, destination ?? pino.destination({ dest: 2, sync: true }));
}

/** Writes one line for one call: what was called and how it ended; the cause of an internal error, and nothing the caller sent. */
export function logCall(log: Log, report: CallReport, knownMethods: Readonly<Record<string, unknown>>): void {
  const { channel, reason, cause } = report;
  // A name from outside is logged only when it is one of ours.
  const method = Object.hasOwn(knownMethods, report.method) ? report.method : '(unknown)';
  // Told of once in a while as an error; a line for every call that meets it would drown the rest.
  if (cause instanceof Unavailable) log.info({ method, channel, reason }, 'call failed');
  else if (reason === 'internal_error') log.error({ method, channel, reason, err: cause }, 'call failed');
  else if (reason) log.info({ method, channel, reason }, 'call refused');
  else log.info({ method, channel }, 'call answered');
}

/** An error by what helps to find it, and none of the members that a library may have hung on it. */
function describeError(error: unknown): Record<string, unknown> {
  if (!(error instanceof Error)) return { type: typeof error };
  const { type, message, stack } = pino.stdSerializers.err(error);
  const { code } = error as NodeJS.ErrnoException;
  return { type, message, stack, ...(typeof code === 'string' && { errorCode: code }) };
}
