import { z } from 'zod';
import { type StepName, stepNames } from '../../../../../engine/journal/entry.ts';
import { clientSteps } from '../../../../../engine/journal/names.ts';
import {
  COMPLETE,
  exactlyOne,
  headers,
  host,
  inReports,
  milliseconds,
  path,
  pattern,
  pointer,
  port,
  type ReadEnv,
  secret,
  section,
  switchValue,
  text,
  textOrEnv,
  url,
  whole,
} from '../../../../../engine/party/file/fields.ts';
import {
  internalSchema,
  pemFile,
  pemPair,
  portsSchema,
  serverSchema,
} from '../../../../../engine/party/file/server-schema.ts';
import { stepSchema } from '../../../../../engine/party/file/step-schema.ts';

/** A pattern of phones, in which each # stands for any digit. Four # make 10,000 phones. */
export const phonePattern = text
  .regex(/^\+?[\d#]{5,16}$/, 'must be digits and #, such as 7999555####')
  .refine((value) => value.split('#').length > 4, 'must have at least four #, so that the phones suffice');

const phoneNumber = text.regex(/^\+?\d{5,15}$/, 'must be a phone: digits alone');

const tlsSchema = section({
  ...pemPair,
  clientCa: pemFile(
    'Authorities of client certificates; given, your server must show one of theirs',
  ).optional(),
  otherName: section(pemPair)
    .optional()
    .describe('A certificate of the same authority for another name, which your server must not accept'),
  foreign: section(pemPair)
    .optional()
    .describe("A certificate of an authority that your server does not know; the kit's own unless given"),
});

const ehrSchema = section({
  apiVersion: inReports(
    z
      .string('must be text')
      .regex(/^[A-Za-z0-9._~-]*$/, 'must be a label of letters, digits, dots and hyphens, or empty')
      .default('1.0-alpha')
      .describe('Version segment of the endpoint; may be empty'),
  ),
  listen: port.default(4180).describe('Port at which the kit stands in for the EHR server; 0: a free one'),
  host: host.default('127.0.0.1').describe('Address to listen on; 0.0.0.0 for a server in a container'),
  configuredIn: inReports(
    text.optional().describe('Where the address of the EHR server is set in the server under test, in words'),
  ),
  ttlUnit: z
    .enum(['minutes', 'seconds'], 'must be minutes or seconds')
    .default('minutes')
    .describe('The unit of ttl in which your server counts, to its client and to the EHR server'),
  tls: inReports(
    tlsSchema.optional().describe('Has the kit listen with https; plain HTTP unless given'),
    (tls) => tls && (tls.clientCa === undefined ? 'https' : 'https with client certificates'),
  ),
}).prefault({});

const peopleSchema = section({
  phones: inReports(
    z
      .union([
        phonePattern,
        z.array(phoneNumber, 'must be a list of phones').min(4, 'must have at least four phones'),
      ])
      .describe(
        'Pattern of the phones of invented users: every # becomes a digit; or the list of phones, at least four',
      ),
    // Listed phones may belong to real people.
    (phones) => (typeof phones === 'string' ? phones : `${phones.length} phones`),
  ),
  unknown: phonePattern
    .optional()
    .describe('Pattern of phones that the server does not know, where those in phones are registered'),
  withoutCorrespondence: inReports(
    phoneNumber.optional().describe('A phone whose user has no entry in the correspondence table'),
    (phone) => (phone === undefined ? 'none named' : 'named'),
  ),
});

const timeoutsSchema = section({
  patienceMs: milliseconds
    .default(15_000)
    .describe(
      'How long the server may take to answer when the EHR server does not: the bound that is judged',
    ),
  stepMs: milliseconds
    .optional()
    .describe(
      'How long the kit waits for the answer to a step; unless given, as long as patienceMs, and at least 15000',
    ),
  personMs: milliseconds
    .default(300_000)
    .describe('How long a person may take for a manual step or a question'),
})
  .refine(({ stepMs, patienceMs }) => stepMs === undefined || stepMs >= patienceMs, {
    error: ({ input }) =>
      `must not be less than patienceMs (${Object(input).patienceMs}): an answer within patienceMs would be cut off.`,
    ...{ path: ['stepMs'], params: COMPLETE },
  })
  .prefault({});

export function adapterSchema(readEnv: ReadEnv) {
  return section({
    $schema: text.optional().describe('Address of this schema, for editors'),
    name: text.max(100, 'must have at most 100 characters').describe("The server's name, for reports"),
    ports: portsSchema,
    server: serverSchema(readEnv).describe('The server under test'),
    internal: internalSchema(readEnv),
    ehr: ehrSchema.describe('The EHR server that the kit shows to the server under test'),
    otp: otpSchema(readEnv).optional().describe('How a one-time code is learned'),
    people: peopleSchema.describe('Whom the kit signs in'),
    steps: stepsSchema(readEnv).describe('How a client of the server does each thing'),
    timeouts: inReports(timeoutsSchema.describe('Bounds of time, in milliseconds')),
  });
}

const STEPS: Readonly<Record<StepName, string>> = {
  requestOtp: 'A code is requested for a phone',
  confirmOtp: 'The code is confirmed, and a session opened; or a sign-in of another kind',
  exchangeToken: 'An exchange token is asked for',
  reportLink: 'The server is told that the EHR server has linked the user',
  logout: 'The session is ended',
  deleteUser: "The user's data are deleted",
  removeCorrespondence: 'Helper: the correspondence entry of a user is removed',
  advanceClock: "Helper: the server's clock is moved forward",
  expireSession: 'Helper: the session of a user ends before its time',
  restart: 'Helper: the server is stopped and started again',
};

function stepsSchema(readEnv: ReadEnv) {
  const step = stepSchema(readEnv);
  const named = (name: StepName) => step.optional().describe(STEPS[name]);
  const shape = Object.fromEntries(stepNames.map((name) => [name, named(name)])) as Record<
    StepName,
    ReturnType<typeof named>
  >;
  // Only the published JSON Schema requires these: a module may perform steps in its own way.
  return section(shape).meta({ required: [...clientSteps] });
}

export type AdapterSettings = z.output<ReturnType<typeof adapterSchema>>;

const codePattern = pattern
  .optional()
  .describe(
    'Regular expression that finds the code in the text of a message; the only number of four to eight digits that can be the code unless given',
  );

const sinkSchema = section({
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

function otpSchema(readEnv: ReadEnv) {
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
    prefix: inReports(
      text
        .regex(/^\+?\d{1,6}$/, 'must be digits, such as 1')
        .optional()
        .describe('What your server puts before the phone of a person where it sends a message to it'),
    ),
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

export function publishedSchema(): Record<string, unknown> {
  const schema = z.toJSONSchema(
    adapterSchema(() => undefined),
    { io: 'input' },
  );
  // The way through text drops members that are undefined or not enumerable.
  return JSON.parse(JSON.stringify({ title: 'Adapter file of the conformance kit', ...schema }));
}
