/** Checks before a run that each template in an adapter file, such as `${phone}`, is known at its place. */
import { membersOf } from '#protocol/wire/envelope.ts';
import { type StepName, stepNames } from '../../journal/entry.ts';
import { variablesIn } from '../requests/template.ts';
import { type Path, type Problem, possibleHere, type Section } from './problem.ts';

/** Variables that are known when the kit starts the server. */
const START_VARIABLES = ['ehrUrl', 'smsUrl', 'internalUser', 'internalPassword', 'node'];

/** Variables that are known when a step is performed. */
const STEP_VARIABLES: Readonly<Record<StepName, readonly string[]>> = {
  requestOtp: ['phone'],
  confirmOtp: ['phone', 'code', 'userSign'],
  exchangeToken: ['phone', 'user', 'token'],
  reportLink: ['phone', 'user', 'token', 'userSign'],
  logout: ['phone', 'user', 'token'],
  deleteUser: ['phone', 'user', 'token'],
  removeCorrespondence: ['phone', 'user', 'token'],
  advanceClock: ['milliseconds'],
  expireSession: ['phone', 'user', 'token'],
  restart: [],
};

/** The members of a step in which templates are filled in. */
const TEMPLATED = ['manual', 'path', 'url', 'headers', 'params', 'json', 'form', 'body', 'before'];

/** Finds unknown, misplaced and broken templates in the parsed file, which need not fit the schema. */
export function templateProblems(data: Section): Problem[] {
  const ports = Object.keys(membersOf(data.ports)).map((name) => `ports.${name}`);
  const { url, start } = membersOf(data.server);
  const { command, env, ready } = membersOf(start);
  const { outbox, sink } = membersOf(data.otp);
  // `sink` is the section for a server that sends its SMS to the kit. Only then is there an smsUrl.
  const startVariables = START_VARIABLES.filter((name) => name !== 'smsUrl' || sink !== undefined);
  return [
    ...problemsIn(url, ['server', 'url'], ports),
    ...problemsIn(command, ['server', 'start', 'command'], [...startVariables, ...ports]),
    ...problemsIn(env, ['server', 'start', 'env'], [...startVariables, ...ports]),
    ...problemsIn(membersOf(ready).url, ['server', 'start', 'ready', 'url'], ports),
    ...problemsIn(membersOf(outbox).request, ['otp', 'outbox', 'request'], ['phone', ...ports]),
    ...stepTemplateProblems(membersOf(data.steps), ports),
  ];
}

function stepTemplateProblems(steps: Section, ports: readonly string[]): Problem[] {
  const kept = Object.values(steps)
    .flatMap((step) => [step, membersOf(step).before])
    .flatMap((request) => Object.keys(membersOf(membersOf(request).keep)).map((name) => `keep.${name}`));
  return stepNames.flatMap((name) => {
    const step = membersOf(steps[name]);
    const known = [...STEP_VARIABLES[name], ...kept, ...ports];
    const problems = TEMPLATED.flatMap((member) => problemsIn(step[member], ['steps', name, member], known));
    for (const member of ['extract', 'keep']) {
      for (const [value, place] of Object.entries(membersOf(step[member])))
        problems.push(...problemsIn(membersOf(place).value, ['steps', name, member, value, 'value'], known));
    }
    const wrong = wrongUse(name, step, 'absent' in membersOf(steps.requestOtp));
    return [
      ...problems,
      ...wrong.map((sentence) => ({ path: ['steps', name], at: 'key' as const, sentence })),
    ];
  });
}

/**
 * Says what a step sends or lacks by mistake: an exchange token and a logout need the session. A sign-in must
 * not require a signature, which a first sign-in does not have, nor a code that nobody requests.
 */
function wrongUse(name: StepName, step: Section, hasNoCode: boolean): string[] {
  if ('absent' in step || 'manual' in step) return [];
  const texts = TEMPLATED.flatMap((member) => textsIn(step[member], []));
  const used = texts.flatMap(({ text }) => variablesIn(text) ?? []);
  if (name === 'confirmOtp') {
    const needs = (wanted: string) => used.some(({ name, optional }) => name === wanted && !optional);
    return [...(needs('userSign') ? [UNSIGNED] : []), ...(hasNoCode && needs('code') ? [WITHOUT_CODE] : [])];
  }
  const carriesSession =
    step.cred === 'session' || used.some(({ name }) => name === 'token' || name.startsWith('keep.'));
  const needsSession = name === 'exchangeToken' || name === 'logout';
  return needsSession && !carriesSession && Object.keys(step).length > 0 ? [WITHOUT_SESSION] : [];
}

const UNSIGNED = 'uses ${userSign}, which a first sign-in does not have. Please write ${userSign?}.';
const WITHOUT_CODE =
  'uses ${code}, and requestOtp is absent. Please describe how a client asks for a code, or leave ${code} out.';
const WITHOUT_SESSION =
  'carries no session. Please send ${token} where the server expects it, or write cred: session in a JSON-RPC call.';

/** Finds broken and unknown templates in a value, at any depth. `known` is the variables known there. */
function problemsIn(value: unknown, path: Path, known: readonly string[]): Problem[] {
  return textsIn(value, path).flatMap(({ text, at }) => {
    const unknown = variablesIn(text)?.filter(({ name }) => !known.includes(name));
    const sentences = unknown?.map(
      ({ name }) => `uses \${${name}}, which is not known here. ${possibleHere(known)}`,
    );
    return (sentences ?? [BROKEN]).map((sentence): Problem => ({ path: at, at: 'value', sentence }));
  });
}

const BROKEN =
  'has a ${ that begins no template such as ${phone}. Please write $${ where ${ itself is meant.';

/** Returns all texts in a value, at any depth, each with its path. */
function textsIn(value: unknown, at: Path): { text: string; at: Path }[] {
  if (typeof value === 'string') return [{ text: value, at }];
  if (typeof value !== 'object' || value === null) return [];
  const isList = Array.isArray(value);
  return Object.entries(value).flatMap(([key, member]) =>
    textsIn(member, [...at, isList ? Number(key) : key]),
  );
}
