/** Writes the section `steps` of an adapter file of what a recording shows, with the reason of each guess. */
import { Document, visit } from 'yaml';
import { isObject } from '#protocol/wire/envelope.ts';
import { harmless, quoted } from '../../../engine/harmless.ts';
import { clientSteps } from '../../../engine/journal/names.ts';
import { headerIn, leavesOf, MULTIPART, type SeenValue, wordsOf } from '../../../engine/learn/exchange.ts';
import type { Extraction } from '../../../engine/party/file/step-schema.ts';
import { valueAt } from '../../../engine/party/requests/json.ts';
import { wrap } from '../../../engine/report/terminal/terminal.ts';
import { answerPlace, isRefusedAttempt, ttlPlace } from './find-sign-in.ts';
import type { ClientStep, Findings, FoundStep } from './find-steps.ts';
import { isHarmless } from './private-values.ts';
import type { ClientCall } from './read-calls.ts';
import { type RequestText, requestText, Templates } from './write-request.ts';

export type LearnedSteps = {
  text: string;
  left: string[];
  hasPlus: boolean;
  phoneDigits: number;
  variables: readonly string[];
};

export function learnedSteps(findings: Findings): LearnedSteps {
  const templates = new Templates(findings);
  const requests = requestsOf(findings, templates);
  const left: string[] = [];
  const texts = clientSteps.map((step) => {
    const found = findings.steps[step];
    if (found) return stepText(step, found, { findings, templates, request: requests.get(step) ?? {} });
    const isNone = step === 'requestOtp' && findings.signIn.codes.length === 0;
    const action = ACTIONS[step];
    if (!isNone && action !== undefined) left.push(action);
    const why = isNone ? 'the sign-in has no code' : 'it is not in the recording';
    return `  ${step}:\n    absent: ${why}\n`;
  });
  if (findings.signIn.codes.length > 0 && !showsRefusal(findings))
    left.push('No refusal was found: type one wrong code while recording.');
  const invented = [...templates.invented].map(([step, names]) => `${namesOf(names)} (${step})`);
  if (invented.length > 0)
    left.push(`Look at the values that were not copied but invented: ${invented.join('; ')}.`);
  return {
    text: texts.join(''),
    left,
    hasPlus: templates.hasPlus,
    phoneDigits: findings.signIn.phone.replace(/\D/g, '').length,
    variables: [...templates.variables],
  };
}

/** All are made before any is written: a later one may have an earlier one keep a value. */
function requestsOf(findings: Findings, templates: Templates): Map<ClientStep, RequestText> {
  const { origin } = findings.signIn.confirm.exchange.request.url;
  const inOrder = Object.entries(findings.steps).toSorted(([, a], [, b]) => a.call.number - b.call.number);
  const requests = new Map<ClientStep, RequestText>();
  for (const [name, { call }] of inOrder) {
    const step = name as ClientStep;
    requests.set(step, requestText({ step, call: fullest(step, call, findings), templates }, origin));
  }
  return requests;
}

type About = { findings: Findings; templates: Templates };

function stepText(
  step: ClientStep,
  { call, evidence }: FoundStep,
  about: About & { request: RequestText },
): string {
  const { request } = about;
  const { notes, written } = aboutStep(step, call, about);
  const sentence = `Request ${call.number} of the recording, ${call.title}: ${[evidence, ...notes].join('; ')}.`;
  return `${comment(sentence)}  ${step}:\n${block({ ...request, ...written }, 4)}`;
}

/** What would show a step that the recording lacks. */
const ACTIONS: Readonly<Partial<Record<ClientStep, string>>> = {
  requestOtp: 'No request for a code was found: record from before you ask for the code.',
  exchangeToken: 'No request for an exchange token was found: open the health record once while recording.',
  reportLink: 'No report of a link was found: link a patient once while recording, or leave it absent.',
  logout: 'No logout was found: log out once while recording.',
  deleteUser: 'No deletion was found: delete a user once while recording, or leave it absent.',
};

/** Of several sign-ins, the one that sends most: after a link a client may send the signature too. */
function fullest(step: ClientStep, call: ClientCall, { signIn, userSign }: Findings): ClientCall {
  if (step !== 'confirmOtp' || userSign === undefined) return call;
  return signIn.attempts.find(({ sent }) => sent.some(({ value }) => value === userSign)) ?? call;
}

/** The keys beside the request of a step: what its answer yields, and how success and refusal look. */
function aboutStep(step: ClientStep, call: ClientCall, { findings, templates }: About) {
  const { extract, notes } = placesIn(step, call, findings);
  const keep = templates.keeps.get(step);
  const { success, refusal } = tellingOf(call, findings, extract?.token ?? extract?.exchangeToken);
  const invented = namesOf(templates.invented.get(step) ?? []);
  const leftOut = namesOf(templates.leftOut.get(step) ?? []);
  return {
    notes: [
      ...notes,
      invented && `${invented} had a value that is not written here: an invented one stands in its place`,
      leftOut && `left out: ${leftOut}`,
      MULTIPART.test(headerIn(call.exchange.request.headers, 'content-type') ?? '') && AS_FORM,
    ].filter(Boolean),
    written: {
      ...(extract && { extract }),
      ...(keep && { keep }),
      ...(success && { success }),
      ...(refusal && { refusal }),
    },
  };
}

/** Names that the client gave to its members. An odd one stands in quotes. */
const namesOf = (names: readonly string[]): string =>
  names.map((name) => (/^[\w .-]+$/.test(name) ? name : quoted(name))).join(', ');

const AS_FORM =
  'sent as multipart/form-data, and written as a form: a server that takes no other needs body, with a Content-Type in headers';

/** Where an answer has what later steps need, and what is to be said of it. */
type Places = { extract?: Record<string, Extraction>; notes: (string | false | undefined)[] };

function placesIn(step: ClientStep, call: ClientCall, findings: Findings): Places {
  if (step === 'confirmOtp') return sessionPlaces(findings);
  if (step !== 'exchangeToken') return { notes: [] };
  const { exchangeToken: token } = findings;
  const at = token === undefined ? undefined : answerPlace(call, token);
  const notes = [!at && 'where the exchange token stands is a guess'];
  return { extract: { exchangeToken: at?.place ?? '/exchangeToken' }, notes };
}

function sessionPlaces(findings: Findings): Places {
  const { user, signIn } = findings;
  const token = signIn.token && answerPlace(signIn.confirm, signIn.token.value);
  const ttl = ttlPlace(findings);
  const notes = [
    `user: ${user.evidence}`,
    !token && 'token: not found, so this place is a guess',
    ttl && 'isInSeconds' in ttl && 'ttl: left out, as the client is told seconds',
  ];
  const ttlPart = ttl && 'place' in ttl && { ttl: ttl.place };
  return { extract: { user: user.place, token: token?.place ?? '/token', ...ttlPart }, notes };
}

/** The widest line of a comment, in characters. */
const WIDTH = 116;

const comment = (sentence: string): string =>
  wrap(sentence, WIDTH)
    .map((line) => `  # ${line}\n`)
    .join('');

/** A section as YAML, indented. Texts stand in quotes, so that none is read as something else. */
function block(value: unknown, indent: number): string {
  const document = new Document(value);
  visit(document, {
    Scalar(_key, scalar) {
      // Only double quotes have escapes.
      if (typeof scalar.value === 'string' && harmless(scalar.value) !== scalar.value)
        scalar.type = 'QUOTE_DOUBLE';
    },
  });
  const text = document.toString({
    lineWidth: 0,
    defaultStringType: 'QUOTE_SINGLE',
    defaultKeyType: 'PLAIN',
  });
  return harmless(text).replaceAll(/^(?=.)/gm, ' '.repeat(indent));
}

type Telling = { success?: Record<string, unknown>; refusal?: Record<string, unknown> };

/** How this answer, a success with a value at `needed`, differs from a refusal. */
function tellingOf(call: ClientCall, findings: Findings, needed?: unknown): Telling {
  if (call.rpc) return {};
  const refused = refusedIn(findings);
  const ownRefused = refused.filter(({ title }) => title === call.title);
  const isToldInBody = refused.some(
    ({ exchange, rpc }) => exchange.answer.status < 300 && !rpc && exchange.answer.body.kind === 'json',
  );
  const byNeeded = isToldInBody && typeof needed === 'string' ? { pointer: needed } : undefined;
  const success = successMember(call, ownRefused) ?? byNeeded;
  const refusal = refusalPlaces(refused, success?.pointer);
  if (success && refusal) return { success, refusal };
  // A success that is told by a member, and a refusal with a status of its own.
  const isTold = refused.some(({ exchange }) => exchange.answer.status >= 400);
  if (success && !isTold) return { success };
  return { ...(isTold && refusal && { refusal }) };
}

/** Whether the recording has a wrong code, which alone shows how a refusal looks. */
const showsRefusal = (findings: Findings): boolean =>
  findings.signIn.confirm.rpc !== undefined ||
  refusedIn(findings).some((call) => findings.signIn.attempts.includes(call));

/** The refusals of a recording: statuses of errors, and confirmations that opened no session. */
function refusedIn({ calls, signIn }: Findings): ClientCall[] {
  return calls.filter(
    (call) =>
      (call.exchange.answer.status >= 400 && call.exchange.answer.status < 500) ||
      isRefusedAttempt(call, signIn),
  );
}

const jsonOf = ({ exchange: { answer } }: ClientCall): unknown =>
  answer.body.kind === 'json' ? answer.body.json : undefined;

const FLAG_NAME =
  /^(?:ok|success|succeeded|successful|is success|status|result|state|outcome|code|result code|error code|err|error|errno)$/;
const FLAG_OF_SUCCESS = /^(?:true|ok|success|succeeded|done|0)$/i;

function successMember(call: ClientCall, refused: readonly ClientCall[]): Telling['success'] {
  const json = jsonOf(call);
  if (!isObject(json)) return undefined;
  const differs = (pointer: string, value: unknown) =>
    refused.every((each) => each.exchange.answer.status >= 400 || valueAt(jsonOf(each), pointer) !== value);
  const flags = flagsOf(json).filter(({ name, pointer, value }) => {
    const isFlag = FLAG_NAME.test(wordsOf(name)) && isHarmless(String(value), 'status');
    return isFlag && differs(pointer, value) && (refused.length > 0 || FLAG_OF_SUCCESS.test(String(value)));
  });
  const [flag] = flags;
  return flag && { pointer: flag.pointer, equals: flag.value };
}

function flagsOf(json: object): { name: string; pointer: string; value: string | number | boolean }[] {
  return Object.entries(json).flatMap(([name, value]) => {
    if (['string', 'number', 'boolean'].includes(typeof value))
      return [{ name, pointer: `/${name}`, value: value as boolean }];
    if (!isObject(value)) return [];
    return Object.entries(value)
      .filter(([, member]) => typeof member === 'boolean' || typeof member === 'string')
      .map(([key, member]) => ({ name: key, pointer: `/${name}/${key}`, value: member as boolean }));
  });
}

const depthOf = ({ place }: SeenValue): number => place.key.split('/').length;

const REASON_NAME = /\b(?:reason|problem|error|message|detail|title|description|msg|text|fault)\b/;
/** Names of a code, the surest first. */
const CODE_NAMES = [
  /^(?:code|(?:result|error|status|reason) code|err|errno)$/,
  /^(?:reason|error|type)$/,
  /^status$/,
];

/** Where refusals have code and reason. `flag`, which tells a success, is no code unless named so. */
function refusalPlaces(refused: readonly ClientCall[], flag: unknown): Telling['refusal'] {
  const leaves = refused
    .flatMap((each) => leavesOf(jsonOf(each)))
    .filter(({ value }) => value !== '')
    .toSorted((a, b) => depthOf(a) - depthOf(b));
  const reasons = leaves.filter(
    ({ name }) => REASON_NAME.test(wordsOf(name)) && !/ code$/.test(wordsOf(name)),
  );
  // A sentence is a reason, and a word beside it the code.
  const reason = (reasons.find(({ value }) => /\s/.test(value)) ?? reasons[0])?.place.key;
  const [code] = CODE_NAMES.flatMap((names, rank) =>
    leaves
      .filter(({ name, place, value }) => {
        const isFlag = rank > 0 && place.key === flag;
        return names.test(wordsOf(name)) && !isFlag && !/\s/.test(value);
      })
      .map(({ place }) => place.key),
  ).filter((key) => key !== reason);
  if (reason === undefined && code === undefined) return undefined;
  return { ...(code !== undefined && { code }), ...(reason !== undefined && { reason }) };
}
