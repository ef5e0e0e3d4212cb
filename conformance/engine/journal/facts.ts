/**
 * The facts of an exchange: what the observer learned of it in clear. Values that must not be kept are
 * described here and masked in the messages, so that a saved journal can be judged again without any secret.
 */
import { z } from 'zod';

/** Member names with the JSON type of each value: `integer` apart from `number`. */
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
  /** These are values; tokens are pseudonyms. */
  exchangeToken: z.string().optional(),
  user: z.string().optional(),
  token: z.string().optional(),
  ttl: z.number().optional(),
  /** The signature among params, which a client hands on; one that nobody knows is `unknown`. */
  userSign: z.string().optional(),
});

const digestSchema = z.object({
  length: z.number(),
  lowercaseHex: z.boolean(),
  /** Whether cred.user is the internal user of the settings. */
  rightUser: z.boolean(),
  /** Whether cred.user is the end user of authInfo: a fault, not a question of settings. */
  isEndUser: z.literal(true).optional(),
  /** The owner of the secret for which the digest is right, and the signature if it is one. */
  over: z
    .object({ kind: z.enum(['exchange-token', 'user-sign']), owner: z.string(), sign: z.string().optional() })
    .optional(),
  /** For a wrong digest: the usual mistake that explains it, if any. */
  explained: z.string().optional(),
});

const freshSchema = z.object({
  kind: z.enum(['session-token', 'exchange-token']),
  length: z.number(),
  /** An upper bound of the entropy, as all tokens of the run show it; 0 until the entry is masked. */
  bits: z.number(),
  /** What it was made of, if that was found; then it has no bits. */
  source: z.string().optional(),
});

export const factsSchema = z
  .object({
    /** The JSON-RPC call in the request, when there is one. */
    call: callSchema.optional(),
    /** How the reply answered the call. */
    reply: z
      .object({ result: z.boolean(), code: z.number().optional(), reason: z.string().optional() })
      .optional(),
    /** The link that a reply of the EHR server shows, by its signature; without one it is over. */
    link: z.object({ user: z.string(), sign: z.string().optional() }).optional(),
    /** The digest in cred.token, when the call carries one. */
    digest: digestSchema.optional(),
    /** Secrets in clear where they must not be: "the internal password in header authorization". */
    inClear: texts.optional(),
    /** Tokens of the call that stand outside its body, too: "the session token in the path". */
    besideBody: texts.optional(),
    /** Patient properties found, each with place and form: "surname in the body, base64". */
    patientData: texts.optional(),
    /** Secrets in an answer to a client who must not have them, each with its place and form. */
    toClient: texts.optional(),
    /** Why the request is not one of the server under test: it is listed and not judged. */
    stray: z.string().optional(),
    /** Tokens that appear here first, by pseudonym. */
    fresh: z.record(z.string(), freshSchema).optional(),
  })
  .describe('What was known of the exchange while its values were in clear.');

export type Facts = z.infer<typeof factsSchema>;
