/** What the tables say of one method; the pipeline, the clients, the mocks, the documents and the wire guard all read it from there. */
import type { z } from 'zod';
import type { Reason } from '#protocol/errors.ts';

/** Who may call: the authorization server over the internal channel, the client application, or anyone on any channel. */
export type Access = 'internal' | 'client' | 'open';

/**
 * What `cred` must be: a digest over the user's `user_sign` (§5.1) or over the exchange token (§5.2), the user and
 * token of a session (§5.4), or nothing.
 */
export type CredKind = 'user_sign_digest' | 'exchange_token_digest' | 'session' | 'none';

export type Cred = { user: string; token: string };

export type MethodSpec = {
  /** Where the interface describes it, such as `§4.1`. */
  readonly clause: string;
  readonly summary: string;
  readonly access: Access;
  readonly cred: CredKind;
  readonly params: z.ZodType<Record<string, unknown>>;
  readonly result: z.ZodType<Record<string, unknown>>;
  /** The reasons that are this method's own; {@link commonReasons} come with every method. */
  readonly errors: readonly Reason[];
  readonly example: { params: unknown; cred?: Cred; result: unknown };
};

export type MethodTable = Readonly<Record<string, MethodSpec>>;

/** What an implementation is handed as parameters, after validation. */
export type Params<Spec extends MethodSpec> = z.output<Spec['params']>;
/** What an implementation returns. */
export type Result<Spec extends MethodSpec> = z.input<Spec['result']>;

/** Reasons with which any call may be refused, whatever its method. */
export const commonReasons: readonly Reason[] = [
  'parse_error',
  'invalid_request',
  'method_not_found',
  'invalid_params',
  'internal_error',
  'access_forbidden',
];

/** All reasons with which a call of this method may be refused. */
export function reasonsOf(spec: MethodSpec): Reason[] {
  return [...commonReasons, ...(spec.cred === 'none' ? [] : (['not_authorized'] as const)), ...spec.errors];
}
