/** Writes a case as a script of a POSIX shell that needs nothing but curl, sed and a program for SHA-1. */
import { tryJson } from '#protocol/wire/json.ts';
import { placesIn } from '../answer-places.ts';
import type { Fact } from '../fact.ts';
import type { Flow } from '../flow.ts';
import { flowOf, isControl, plainJsonOf, type ScriptParts } from '../script.ts';
import { RESTART } from '../tap.ts';
import { wordsOf } from '../text/lines.ts';
import type { ValueSource } from '../text/variable-names.ts';
import type { Trace, TracedCall } from '../trace/traced-call.ts';
import { writerOf } from '../writer.ts';
import { shellFunctionsFor } from './shell-functions.ts';
import { type MemberPlace, memberCommand, shellTest } from './shell-tests.ts';
import { shellQuoted, shellWord, Unsayable } from './shell-words.ts';

/** A longer body is no word of a command line. */
const MAX_BODY_CHARS = 60_000;

/**
 * Writes the script for these calls and this fact.
 * @throws Unsayable for what a shell cannot say
 */
export function shellScriptOf(trace: Trace, fact: Fact, parts: ScriptParts, sentence: string): string {
  const { calls } = trace;
  const flow = flowOf(trace, parts);
  const written = calls.map((call, index) => callText(call, index, flow, parts));
  const asked = new Set<number>();
  const tested = fact.write(writerOf(trace, flow, (index) => asked.add(index)));
  if (!tested) throw new Unsayable('a value that no answer has');
  if (flow.phones.length > 0) throw new Unsayable('a phone that is drawn');
  const test = shellTest(tested.test, (answer, pointer) => memberAt(calls[answer - 1], pointer));
  const lines = [
    ...flow.drawn.map(({ name, js }) => `${name}=${shellWord(js)}`),
    ...linesOf(trace, written, flow, asked),
    '',
    `if ${test}; then`,
    '  echo holds',
    '  exit 0',
    'fi',
    `echo ${shellQuoted(`fails: ${sentence}`)}`,
    ...[...asked].sort((a, b) => a - b).map((index) => `echo "  seen: $(shown ${index + 1})"`),
    'exit 1',
  ];
  const ends = endsOf(trace, flow, parts);
  const body = lines.join('\n');
  const functions = shellFunctionsFor(`${body}\n${ends}`);
  const head = parts.head.map((line) =>
    line === '' ? '#' : `# ${line.replace('node case.mjs', 'sh case.sh')}`,
  );
  const constants = constantsOf(parts.constants, `${functions}\n${body}`);
  return `#!/bin/sh\n${[head.join('\n'), constants, SET_UP, functions, ends, body].filter(Boolean).join('\n\n')}\n`;
}

const SET_UP = `CASE_DIR=$(mktemp -d) || exit 2`;

/** The constants of the Node script that this text uses, as variables of the shell. */
function constantsOf(lines: string, text: string): string {
  return lines
    .split('\n')
    .flatMap((line) => {
      const [, name = '', value = ''] = /^const (\w+) = (.*);$/.exec(line) ?? [];
      if (!new RegExp(`\\$${name}\\b|\\(${name} `).test(text)) return [];
      const [, variable, usual] = /^process\.env\.(\w+)(?: \?\? (.*))?$/.exec(value) ?? [];
      if (variable === undefined) return [`${name}=${/^\d+$/.test(value) ? value : shellWord(value)}`];
      if (usual !== undefined) return [`[ -n "$${name}" ] || ${name}=${shellWord(usual)}`];
      const lacking = `could not be played: ${variable} is not set`;
      return [`[ -n "$${variable}" ] || { echo ${shellQuoted(lacking)}; exit 2; }`, `${name}=$${variable}`];
    })
    .join('\n');
}

/** The command of a call. */
function callText(call: TracedCall, index: number, flow: Flow, parts: ScriptParts): string {
  const { method, body, path, headers } = call.request;
  if (path === RESTART) return 'restart';
  const command = call.link === 'helper' ? 'help' : 'ask';
  const address = shellWord(parts.urlOf(call, flow, index));
  const options = headers.map(([name, value]) => {
    if (/\P{ASCII}/u.test(value)) throw new Unsayable('a header with letters beyond ASCII');
    const word = shellWord(flow.textOf(value, index));
    return value === '' ? `-H ${shellQuoted(`${name};`)}` : joined(`-H ${shellQuoted(`${name}: `)}${word}`);
  });
  if (body.length > MAX_BODY_CHARS) throw new Unsayable('a body that is too long for a command line');
  if (body !== '') {
    // Unless told otherwise, curl sends the type of a form.
    if (headers.every(([name]) => name.toLowerCase() !== 'content-type')) options.push(`-H 'content-type:'`);
    const json = plainJsonOf(call);
    const word = json ? jsonWord(json, flow, index) : shellWord(flow.textOf(body, index));
    options.push(`--data-raw ${word}`);
  }
  return [`${command} ${index + 1} ${shellQuoted(call.label)} ${method} ${address}`, ...options].join(
    ' \\\n  ',
  );
}

/** A JSON document as one word. What is constant in it stands between single quotes. */
function jsonWord(json: unknown, flow: Flow, index: number): string {
  const inside = (text: string) => JSON.stringify(text).slice(1, -1);
  const textWord = (value: unknown, member: string): string => {
    if (typeof value === 'string') return `'"'${shellWord(flow.textOf(value, index, member), inside)}'"'`;
    if (Array.isArray(value))
      return listed(
        '[]',
        value.map((each) => textWord(each, member)),
      );
    if (typeof value !== 'object' || value === null) return shellQuoted(JSON.stringify(value));
    const members = Object.entries(value).map(
      ([name, each]) => `${shellQuoted(`${JSON.stringify(name)}:`)}${textWord(each, name)}`,
    );
    return listed('{}', members);
  };
  // Where one literal follows another, the quotes between them are left out.
  return joined(textWord(json, ''));
}

/** Leaves out quotes that end where others begin. A quote after a backslash is a character of the text. */
const joined = (word: string) => word.replace(/(?<!\\)''/g, '');

const listed = ([open, close]: string, items: readonly string[]) => `'${open}'${items.join(`','`)}'${close}'`;

/** The commands of all calls, each followed by what has to hold of it and what later calls take from it. */
function linesOf(trace: Trace, written: readonly string[], flow: Flow, asked: ReadonlySet<number>): string[] {
  const { calls } = trace;
  return calls.flatMap((call, index) => {
    const isLast = calls[index + 1]?.group !== call.group;
    const isAlone = isLast && calls[index - 1]?.group !== call.group;
    const first = calls.findIndex(({ group }) => group === call.group);
    const own = isLast ? calls.slice(first, index + 1).map((_, at) => first + at) : [];
    const pause = call.pauseMs > 0 ? [`sleep ${Math.ceil(call.pauseMs / 1_000)}`] : [];
    return [
      ...(index === first ? ['', ...pause] : []),
      `# ${wordsOf(call)}`,
      isAlone ? (written[index] ?? '') : `${written[index]} &`,
      ...(isLast && !isAlone ? ['wait'] : []),
      ...own.filter((at) => isControl(trace, at, asked)).map((at) => `required ${at + 1}`),
      ...own.flatMap((at) => flow.givenBy(at).flatMap((source) => takenLines(source, at, trace, flow))),
    ];
  });
}

function takenLines(source: ValueSource, at: number, { calls }: Trace, flow: Flow): string[] {
  if (source.from === 'code') throw new Unsayable('a code that comes to a phone');
  if (source.from !== 'answer') return [];
  const [name, number, { place }] = [flow.nameOf(source), at + 1, source];
  const from =
    'pointer' in place
      ? memberCommand(number, memberAt(calls[at], place.pointer))
      : 'cookie' in place
        ? `cookie ${number} ${place.cookie}`
        : `header ${number} ${place.header}`;
  return [`${name}=$(${from})`, `given ${number} "$${name}"`];
}

/** Finds out which of the members of one name in an answer is the one at this pointer. */
function memberAt(call: TracedCall | undefined, pointer: string): MemberPlace {
  const name = pointer.split('/').at(-1) ?? '';
  if (!/^[A-Za-z]\w*$/.test(name)) throw new Unsayable('an item of a list');
  const found = placesIn({ ...none, ...call?.response }).filter(([place]) => 'pointer' in place);
  const same = found.filter(([place]) => 'pointer' in place && place.pointer.split('/').at(-1) === name);
  const at = same.findIndex(([place]) => 'pointer' in place && place.pointer === pointer);
  // The last one is the last one in answers of other forms, too.
  const isLast = at > 0 && at === same.length - 1;
  return { name, nth: isLast ? '$' : String(Math.max(at, 0) + 1) };
}

const none: NonNullable<TracedCall['response']> = { status: 0, headers: [], body: '' };

/** Removes in the end what the script made, and its files. */
function endsOf({ calls }: Trace, flow: Flow, { curlEnd }: ScriptParts): string {
  const all = calls.flatMap(({ request }) => curlEnd?.(tryJson(request.body)?.value) ?? []);
  const lines = all.reverse().map((json) => {
    const body = jsonWord(json, flow, calls.length);
    return `  ask end 'the end' POST "$PUBLIC" -H 'content-type: application/json' --data-raw ${body}`;
  });
  return `end() {\n${[...new Set(lines), '  rm -rf "$CASE_DIR"'].join('\n')}\n}\ntrap end EXIT`;
}
