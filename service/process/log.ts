/** The log of a party: JSON lines written by pino, without secrets and patient data. */
import { type DestinationStream, type Logger, pino } from 'pino';
import type { CallReport } from '#protocol/methods/pipeline.ts';
import { Unavailable } from './unavailable.ts';

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
