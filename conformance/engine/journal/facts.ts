/** The facts of an exchange, which outlast its masked values. */

/**
 * What the observer learned from an exchange in clear. Values that must not be kept are described here and
 * masked in the messages, so that a saved journal can be judged again without any secret.
 */
export type Facts = {
  /** The JSON-RPC call in the request, when there is one. */
  call?: {
    method: string;
    /** `string`, `number`, `null`, `absent`, or a JSON type that is not allowed. */
    idType: string;
    /** The id as JSON text, cut after 80 characters; absent when there is none or it is null. */
    id?: string;
    jsonrpc: string;
    /**
     * Member names of params, of params.authInfo, and of cred, each with the JSON type of its value
     * (`integer` apart from `number`).
     */
    params: Record<string, string>;
    authInfo?: Record<string, string>;
    cred?: Record<string, string>;
    /** Values, tokens as pseudonyms. */
    exchangeToken?: string;
    user?: string;
    token?: string;
    ttl?: number;
    /** The signature among params, which a client hands on; one that nobody knows is `unknown`. */
    userSign?: string;
  };
  /** The link that a reply of the EHR server shows, by the signature of its user; without one: it is over. */
  link?: { user: string; sign?: string };
  /** How the reply answered the call. */
  reply?: { result: boolean; code?: number; reason?: string };
  /** The digest in cred.token, when the call carries one. */
  digest?: {
    length: number;
    lowercaseHex: boolean;
    /** Whether cred.user is the internal user of the settings. */
    rightUser: boolean;
    /** Whether cred.user is the end user of authInfo: a fault, not a question of settings. */
    isEndUser?: true;
    /**
     * The owner of the secret for which the digest is right, and the signature if it is one; absent when it
     * is right for no known secret.
     */
    over?: { kind: 'exchange-token' | 'user-sign'; owner: string; sign?: string };
    /** For a wrong digest: the usual mistake that explains it, if any. */
    explained?: string;
  };
  /**
   * Secrets in clear where they must not be, each with its place: "the internal password in header
   * authorization".
   */
  inClear?: string[];
  /** Tokens of the call that stand outside its body, too: "the session token in the path". */
  besideBody?: string[];
  /** Patient properties found, each with place and form: "surname in the body, base64". */
  patientData?: string[];
  /** Secrets in an answer to a client who must not have them, each with its place and form. */
  toClient?: string[];
  /** Why the request is not one of the server under test: it is listed and not judged. */
  stray?: string;
  /** Tokens that appear here first, by pseudonym. */
  fresh?: Record<string, FreshToken>;
};

export type FreshToken = {
  kind: 'session-token' | 'exchange-token';
  length: number;
  /**
   * An upper bound of the entropy, as all tokens of the run show it; absent until the entry is masked. 0 when
   * `source` is known.
   */
  bits?: number;
  /** What it was made of, if that was found. */
  source?: string;
};
