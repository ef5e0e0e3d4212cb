/** A row of the method tables, which pipeline, clients, mocks, documents and wire guard all read. */
import type { z } from 'zod';
import type { Reason } from '../wire/errors.ts';

/** The allowed callers: the authorization server on the internal channel, the client, or anyone. */
export type Access = 'internal' | 'client' | 'open';

/**
 * The required `cred`: a digest over the user's `user_sign` (§5.1) or over the exchange token (§5.2), the
 * user and token of a session (§5.4), or none.
 */
export type CredKind = 'user_sign_digest' | 'exchange_token_digest' | 'session' | 'none';

export type Cred = { user: string; token: string };

export type MethodSpec = {
  /** The clause of the interface that describes it, such as `§4.1`. */
  readonly clause: string;
  readonly summary: string;
  readonly access: Access;
  readonly cred: CredKind;
  readonly params: z.ZodType<Record<string, unknown>>;
  readonly result: z.ZodType<Record<string, unknown>>;
  /** The reasons of this method. Every method also has the {@link commonReasons}. */
  readonly errors: readonly Reason[];
  readonly example: { params: unknown; cred?: Cred; result: unknown };
};

export type MethodTable = Readonly<Record<string, MethodSpec>>;

/** The validated parameters that an implementation gets. */
export type Params<Spec extends MethodSpec> = z.output<Spec['params']>;
/** The result that an implementation returns. */
export type Result<Spec extends MethodSpec> = z.input<Spec['result']>;

/** The reasons for which any call may be refused, whatever its method. */
export const commonReasons: readonly Reason[] = [
  'parse_error',
  'invalid_request',
  'method_not_found',
  'invalid_params',
  'internal_error',
  'access_forbidden',
];

/** All reasons for which a call of this method may be refused. */
export function reasonsOf(spec: MethodSpec): Reason[] {
  return [...commonReasons, ...(spec.cred === 'none' ? [] : (['not_authorized'] as const)), ...spec.errors];
}
