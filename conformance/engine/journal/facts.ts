/**
 * The form of the facts of an HTTP exchange: what the kit learned of it while its secrets were in clear. The
 * secrets themselves are masked in the journal. By the facts a saved journal can still be judged.
 */
import { z } from 'zod';

/** Key: the name of a member. Value: the JSON type of its value; a whole number is `integer`. */
const types = z.record(z.string(), z.string());
const texts = z.array(z.string());

const callSchema = z.object({
  method: z.string(),
  /** `string`, `number`, `null`, `absent`, or a JSON type that is not allowed. */
  idType: z.string(),
  /** The id as JSON text, cut after 80 characters; absent when there is none or it is null. */
  id: z.string().optional(),
  jsonrpc: z.string(),
  params: types,
  authInfo: types.optional(),
  cred: types.optional(),
  /** From here on values, and not types. Tokens and users are pseudonyms. */
  exchangeToken: z.string().optional(),
  user: z.string().optional(),
  token: z.string().optional(),
  /** In minutes. */
  ttl: z.number().optional(),
  /** The signature that a client sends among params; `unknown`: the EHR server never gave out this text. */
  userSign: z.string().optional(),
});

const digestSchema = z.object({
  length: z.number(),
  lowercaseHex: z.boolean(),
  /** Whether cred.user is the user name by which the authorization server logs in to the EHR server. */
  rightUser: z.boolean(),
  /** Whether cred.user is the end user of authInfo: this is a fault and not a wrong setting. */
  isEndUser: z.literal(true).optional(),
  /** The secret over which the digest was computed: its owner, and its pseudonym if it is a signature. */
  over: z
    .object({ kind: z.enum(['exchange-token', 'user-sign']), owner: z.string(), sign: z.string().optional() })
    .optional(),
  /** For a wrong digest: the common mistake that gives this digest, if one was found. */
  explained: z.string().optional(),
});

const freshSchema = z.object({
  kind: z.enum(['session-token', 'exchange-token']),
  length: z.number(),
  /** An upper bound of the entropy in bits, from all tokens of the run; 0 until the entry is masked. */
  bits: z.number(),
  /** From what the token was derived, if that was found; then `bits` is 0. */
  source: z.string().optional(),
});

export const factsSchema = z
  .object({
    call: callSchema.optional(),
    reply: z
      .object({
        result: z.boolean(),
        code: z.number().optional(),
        reason: z.string().optional(),
        /** The lifetime of the session that a sign-in began, in minutes. */
        ttl: z.number().optional(),
      })
      .optional(),
    /** The link between user and patient that the EHR server's reply shows. Without `sign` it has ended. */
    link: z.object({ user: z.string(), sign: z.string().optional() }).optional(),
    /** The digest in cred.token, when the call carries one. */
    digest: digestSchema.optional(),
    /** Secrets in clear where they must not be, in words: "the internal password in header authorization". */
    inClear: texts.optional(),
    /** Tokens of the call that stand outside its body, in words: "the session token in the path". */
    besideBody: texts.optional(),
    /** Patient data that was found, with place and form, in words: "surname in the body, base64". */
    patientData: texts.optional(),
    /** Secrets in an answer to a client that must not get them, with place and form, in words. */
    toClient: texts.optional(),
    /** Why the request is no request of the server under test. Such a request is listed and not judged. */
    stray: z.string().optional(),
    /** Tokens that no earlier exchange of the run had. Key: the pseudonym of the token. */
    fresh: z.record(z.string(), freshSchema).optional(),
  })
  .describe('What was known of the exchange while its values were in clear.');

export type Facts = z.infer<typeof factsSchema>;
