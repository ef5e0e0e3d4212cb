/** The schema of the facts of an exchange. */
import { z } from 'zod';
import type { Facts } from './facts.ts';

/** Member names with the JSON type of each value. */
const types = z.record(z.string(), z.string());
const texts = z.array(z.string());

const callSchema = z.object({
  method: z.string(),
  idType: z.string(),
  id: z.string().optional(),
  jsonrpc: z.string(),
  params: types,
  authInfo: types.optional(),
  cred: types.optional(),
  exchangeToken: z.string().optional(),
  user: z.string().optional(),
  token: z.string().optional(),
  ttl: z.number().optional(),
  userSign: z.string().optional(),
});

const digestSchema = z.object({
  length: z.number(),
  lowercaseHex: z.boolean(),
  rightUser: z.boolean(),
  isEndUser: z.literal(true).optional(),
  over: z
    .object({ kind: z.enum(['exchange-token', 'user-sign']), owner: z.string(), sign: z.string().optional() })
    .optional(),
  explained: z.string().optional(),
});

const freshSchema = z.object({
  kind: z.enum(['session-token', 'exchange-token']),
  length: z.number(),
  bits: z.number(),
  source: z.string().optional(),
});

export const factsSchema = z
  .object({
    call: callSchema.optional(),
    reply: z.object({ result: z.boolean(), code: z.number().optional(), reason: z.string().optional() }).optional(),
    link: z.object({ user: z.string(), sign: z.string().optional() }).optional(),
    digest: digestSchema.optional(),
    inClear: texts.optional(),
    besideBody: texts.optional(),
    patientData: texts.optional(),
    toClient: texts.optional(),
    stray: z.string().optional(),
    fresh: z.record(z.string(), freshSchema).optional(),
  } satisfies Record<keyof Facts, z.ZodType>)
  .describe('What was known of the exchange while its values were in clear.');
