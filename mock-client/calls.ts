/** The calls that the client may make and their outcomes, as types derived from the two method tables. */
import type { z } from 'zod';
import type { authMethods } from '#protocol/methods/auth-methods.ts';
import type { ehrMethods } from '#protocol/methods/ehr-methods.ts';
import type { Cred, MethodTable } from '#protocol/methods/method-spec.ts';
import type { Reason } from '#protocol/wire/errors.ts';

/** The two servers the client talks to: the authorization server and the EHR server. */
export type ServerName = 'auth' | 'ehr';

/** Excludes methods that only another server may call. */
type ClientMethod<Table extends MethodTable> = {
  [M in keyof Table & string]: Table[M]['access'] extends 'client' ? M : never;
}[keyof Table & string];

type EhrTable = typeof ehrMethods;
/** `auth.login` opens a session without a code. It is for test set-ups, never for a patient. */
type AuthTable = Omit<typeof authMethods, 'auth.login'>;

type CallTo<Server extends ServerName, Table extends MethodTable> = {
  [M in ClientMethod<Table>]: {
    server: Server;
    method: M;
    params: z.input<Table[M]['params']>;
  } & (Table[M]['cred'] extends 'session' ? { cred: Cred } : { cred?: never });
}[ClientMethod<Table>];

export type AuthCall = CallTo<'auth', AuthTable>;
export type EhrCall = CallTo<'ehr', EhrTable>;

/** One complete call: its server, method and parameters. */
export type Call = AuthCall | EhrCall;
export type Method = Call['method'];

type Results = {
  [M in AuthCall['method']]: z.output<AuthTable[M]['result']>;
} & {
  [M in EhrCall['method']]: z.output<EhrTable[M]['result']>;
};

/** Another EHR server may give the record by `patient.get_patient` alone (§4.3 shows no reply): undefined. */
export type ResultOf<M extends Method> =
  | Results[M]
  | (M extends 'embedded_storage.authenticate' ? undefined : never);

/** Why a call brought no result. Each kind but `refused` leaves open whether the server executed it. */
export type Failure =
  | {
      kind: 'refused';
      server: ServerName;
      code: number;
      /** Undefined when the server gives no reason, or one that is not in the table. */
      reason: Reason | undefined;
      errors: string[];
      /** The EHR server's own refusal, when the authorization server passes it on. */
      ehr: { code: number; reason?: string } | undefined;
    }
  | { kind: 'unreachable' | 'timeout' | 'nonsense'; server: ServerName }
  | { kind: 'http'; server: ServerName; status: number };

export type Outcome<M extends Method = Method> =
  | { ok: true; result: ResultOf<M> }
  | { ok: false; failure: Failure };

/** The reason of a refusal that is in the table; undefined for any other failure. */
export function reasonOf(failure: Failure): Reason | undefined {
  return failure.kind === 'refused' ? failure.reason : undefined;
}

/** Refusals with which a server says that it, or the server behind it, is in trouble. */
const TROUBLES: ReadonlySet<Reason | undefined> = new Set([
  'internal_error',
  'ehr_unreachable',
  'ehr_timeout',
  'ehr_bad_reply',
]);

/** Tells whether something is broken at a server or on the way to it: its answer is more than a no. */
export function isTrouble(failure: Failure): boolean {
  return failure.kind !== 'refused' || TROUBLES.has(failure.reason);
}

/** Tells whether the server may have executed the call although no result came. */
export function isUncertain(failure: Failure): boolean {
  return failure.kind !== 'refused' || failure.reason === 'internal_error' || failure.reason === undefined;
}
