import { z } from 'zod';
import {
  exactlyOne,
  headers,
  host,
  inReports,
  path,
  pattern,
  pointer,
  port,
  type ReadEnv,
  secret,
  section,
  switchValue,
  textOrEnv,
  url,
  whole,
} from '../../../../../engine/party/file/fields.ts';

const codePattern = pattern
  .optional()
  .describe(
    'Regular expression that finds the code in the text of a message; the only number of four to eight digits that can be the code unless given',
  );

export const sinkSchema = section({
  port: port.default(4181).describe('Port at which the kit takes messages; 0: a free one'),
  host: host.default('127.0.0.1').describe('Address to listen on; 0.0.0.0 for a server in a container'),
  shape: inReports(
    z
      .enum(['json', 'twilio'], 'must be json or twilio')
      .default('json')
      .describe('json: POST /sms {"to", "text"}. twilio: POST /2010-04-01/Accounts/{sid}/Messages.json'),
  ),
  pattern: codePattern,
});

export function outboxSchema(readEnv: ReadEnv) {
  return section({
    request: section({
      method: z.enum(['GET', 'POST'], 'must be GET or POST').default('GET').describe('HTTP method'),
      path: path.optional().describe('Path below server.url; ${phone} may stand in it'),
      url: url.optional().describe('A whole address instead of a path; ${phone} may stand in it'),
      headers: headers(readEnv).optional().describe('Headers of the request'),
    }).describe('The request that is answered with the messages, as JSON'),
    list: pointer.default('').describe('Where in the answer the list of messages stands'),
    order: z
      .enum(['newest-first', 'oldest-first'], 'must be newest-first or oldest-first')
      .default('newest-first')
      .describe('Order of the list'),
    to: pointer
      .optional()
      .describe('Where in a message its phone stands; needed when the list has messages to others'),
    code: pointer.optional().describe('Where in a message the code stands'),
    text: pointer
      .optional()
      .describe('Where in a message its text stands, when the code is found in it by the pattern'),
    pattern: codePattern,
  });
}

export function otpSchema(readEnv: ReadEnv) {
  return section({
    sink: sinkSchema
      .optional()
      .describe(
        'The kit takes the messages: the server under test sends them to it in place of an SMS gateway',
      ),
    outbox: inReports(
      outboxSchema(readEnv).optional().describe('The kit asks an address for the messages that were sent'),
      given,
    ),
    fixed: inReports(
      secret(section({ code: textOrEnv(readEnv, { secret: true }).describe('The code') }))
        .optional()
        .describe('The code is always the same'),
      given,
    ),
    ask: inReports(switchValue.optional().describe('true: the code is asked on the terminal')),
    lifetimeSeconds: inReports(whole(1, 86_400).optional().describe('How long a code lives')),
    resendAfterSeconds: inReports(
      whole(0, 86_400)
        .optional()
        .describe('How long after a code another one may be requested for the same phone'),
    ),
    perMinute: whole(1, 100_000)
      .optional()
      .describe('How many codes the server sends in a minute to one address; the kit keeps below it'),
    perDay: whole(1, 100_000)
      .optional()
      .describe('How many codes the server sends in a day to one phone; the kit keeps below it'),
  }).meta(exactlyOne('sink', 'outbox', 'fixed', 'ask'));
}

export type SinkSettings = z.output<typeof sinkSchema>;
export type OutboxSettings = z.output<ReturnType<typeof outboxSchema>>;

/** For reports: says that a section stands in the file, and nothing of what is in it. */
const given = (section: object | undefined) => (section ? 'given' : undefined);
