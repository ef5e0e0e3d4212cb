/** The one error table: every reason for a refusal, with its code, its public sentence and its occasion. */

type ErrorRow = {
  /** The JSON-RPC error code on the wire. Several reasons may share one, so programs switch on the reason. */
  readonly code: number;
  /** The public sentence. It never contains input. */
  readonly message: string;
  /** When it is given, for the documentation. */
  readonly when: string;
};

export const errorTable = {
  parse_error: {
    code: -32700,
    message: 'The body is not JSON.',
    when: 'the body is not UTF-8 or not JSON text',
  },
  invalid_request: {
    code: -32600,
    message: 'The message is not a JSON-RPC 2.0 request.',
    when: 'the JSON is not a request envelope, is not I-JSON, or is a batch that is empty or too long',
  },
  method_not_found: {
    code: -32601,
    message: 'This server has no such method.',
    when: 'the method is not in the table',
  },
  invalid_params: {
    code: -32602,
    message: 'The parameters are not what this method takes.',
    when: 'a parameter is missing, of the wrong type, malformed or out of range',
  },
  internal_error: {
    code: -32603,
    message: 'The server failed to carry out the call.',
    when: 'the server failed; the cause stands in its log only',
  },
  not_authorized: {
    code: -33000,
    message: 'There is no such session, or the credentials are wrong.',
    when: 'no session for this (user, token), or the internal user or the digest is wrong',
  },
  session_expired: {
    code: -33001,
    message: 'The session has expired.',
    when: "the session's ttl has run out",
  },
  exchange_token_unknown: {
    code: -33000,
    message: 'The exchange token is not known, or was used already.',
    when: 'the exchange token was never stored, or is used up',
  },
  exchange_token_expired: {
    code: -33001,
    message: 'The exchange token has expired.',
    when: 'the ten minutes of the exchange token have run out',
  },
  exchange_token_exhausted: {
    code: -33002,
    message: 'Too many attempts were made with this exchange token.',
    when: 'five attempts with this exchange token have failed to match',
  },
  too_many_failed_matches: {
    code: -33003,
    message: 'Too many attempts to identify a patient have failed. Try again later.',
    when: 'the user, or the phone that was sent, has had 20 failed matches within an hour (setting `--failed-matches-per-hour`)',
  },
  access_forbidden: {
    code: -33403,
    message: 'This method is not served on this channel.',
    when: 'an internal method is called over the public channel, or a client method over the internal one',
  },
  patient_already_matched: {
    code: -34000,
    message: 'This user is matched to another patient.',
    when: 'the user is linked to a patient other than the one who fits',
  },
  patient_not_matched: {
    code: -34001,
    message: 'The properties do not identify one patient.',
    when: 'no patient, or more than one, fits the properties; the reply does not say which',
  },
  token_already_stored: {
    code: -34003,
    message: 'The session token is stored already.',
    when: 'a session with this token is stored, or the token was spent by a logout',
  },
  exchange_token_already_stored: {
    code: -34004,
    message: 'The exchange token is stored already.',
    when: 'an exchange token of this value is stored',
  },
  user_unknown: {
    code: -34007,
    message: 'The user has no entry in the correspondence table.',
    when: 'a session is to be recorded for a user without an entry in the correspondence table',
  },
  patient_already_linked: {
    code: -34009,
    message: 'The patient is linked to another user.',
    when: 'the patient who fits is linked to another user',
  },
  otp_wrong: {
    code: -35000,
    message: 'The code is wrong.',
    when: 'the code is not the newest one sent to this phone or e-mail address, or none was sent',
  },
  otp_expired: {
    code: -35001,
    message: 'The code has expired.',
    when: 'the five minutes of the code have run out',
  },
  otp_exhausted: {
    code: -35002,
    message: 'Too many wrong codes were entered. Request a new one.',
    when: 'five wrong codes were entered for this phone or e-mail address since the last code was sent',
  },
  otp_throttled: {
    code: -35003,
    message: 'A code was sent a moment ago. Wait before requesting another.',
    when: 'a code is requested before the resend interval has passed since the last one, whatever became of it',
  },
  otp_limit_reached: {
    code: -35004,
    message: 'Too many codes were requested for today. Try again tomorrow.',
    when: 'as many codes as a day allows were sent to this phone or e-mail address (setting `--otp-per-day`)',
  },
  ehr_unreachable: {
    code: -36000,
    message: 'The EHR server cannot be reached.',
    when: 'the connection to the EHR server failed or broke off',
  },
  ehr_timeout: {
    code: -36001,
    message: 'The EHR server did not answer in time.',
    when: 'the EHR server gave no complete answer within the timeout',
  },
  ehr_bad_reply: {
    code: -36002,
    message: 'The EHR server gave an answer that cannot be understood.',
    when: 'the answer is not a JSON-RPC reply to the request, or its HTTP status is not 200',
  },
  ehr_refused: {
    code: -36003,
    message: 'The EHR server refused the call.',
    when: 'the EHR server answered with an error; `data.ehr` carries its code and reason',
  },
} as const satisfies Record<string, ErrorRow>;

/** The stable name of an error, in `error.data.reason`. Programs switch on it. */
export type Reason = keyof typeof errorTable;

/** The error object of a reply. */
export type ErrorObject = {
  code: number;
  message: string;
  data: { reason: Reason; errors?: string[]; ehr?: { code: number; reason?: string } };
};

export type RpcErrorOptions = {
  /** One sentence for each fault of the input. It names the member, never its value. */
  errors?: string[];
  /** The error of the EHR server, if the authorization server passes on its refusal. */
  ehr?: { code: number; reason?: string };
  /** The real cause. It goes to the log, never to the wire. */
  cause?: unknown;
};

/** Some engines have this member, which is not part of the language. */
const engine: ErrorConstructor & { stackTraceLimit?: number | undefined } = Error;

/**
 * The one error that a method throws to refuse a call.
 * @example throw new RpcError('token_already_stored');
 */
export class RpcError extends Error {
  readonly reason: Reason;
  readonly code: number;
  readonly errors: string[] | undefined;
  readonly ehr: { code: number; reason?: string } | undefined;

  constructor(reason: Reason, options: RpcErrorOptions = {}) {
    // A refusal needs no stack trace, which would cost more than all the rest of it.
    const { stackTraceLimit } = engine;
    engine.stackTraceLimit = 0;
    super(errorTable[reason].message, { cause: options.cause });
    engine.stackTraceLimit = stackTraceLimit;
    this.name = 'RpcError';
    this.reason = reason;
    this.code = errorTable[reason].code;
    this.errors = options.errors;
    this.ehr = options.ehr;
  }

  /** The error as it is sent: code, sentence, reason and details, without the cause. */
  toObject(): ErrorObject {
    return {
      code: this.code,
      message: this.message,
      data: {
        reason: this.reason,
        ...(this.errors && { errors: this.errors }),
        ...(this.ehr && { ehr: this.ehr }),
      },
    };
  }
}

/** Whether `value` is the name of an error in the table. */
export function isReason(value: unknown): value is Reason {
  return typeof value === 'string' && Object.hasOwn(errorTable, value);
}
