/** Writes the calls of a script line by line: also those sent at once, or while an earlier one waits. */
import { NOTE, SET_UP } from '../acted/labels.ts';
import { placeText } from '../answer-places.ts';
import type { Flow } from '../flow.ts';
import { quoted } from '../js-text.ts';
import type { TracedCall } from '../trace/traced-call.ts';
import type { ValueSource } from './variable-names.ts';

/** A call as an expression without `await`, and the lines before it. */
export type Written = { expression: string; before: readonly string[] };

/** The lines of all calls, each followed by what later calls take from its answer. */
export function linesOf(
  calls: readonly TracedCall[],
  written: readonly Written[],
  flow: Flow,
  after: (call: TracedCall) => readonly string[] = () => [],
): string[] {
  const lines: string[] = [];
  const endOf = (at: number) => [
    ...(written[at]?.before.length ? after(calls[at] as TracedCall) : []).map((line) => `  ${line}`),
    ...flow.givenBy(at).map((source) => takenLine(source, at, flow)),
  ];
  const held = new Set<number>();
  /** Waits for the answers to the calls that had ended before the call `until`. */
  const awaited = (until: number) => {
    for (const at of held) {
      if ((calls[until]?.began ?? Number.POSITIVE_INFINITY) < (calls[at]?.ended ?? 0)) continue;
      held.delete(at);
      lines.push('', `  const a${at + 1} = await held${at + 1};`, ...endOf(at));
    }
  };
  for (let index = 0; index < calls.length; ) {
    const call = calls[index] as TracedCall;
    awaited(index);
    let until = index + 1;
    while (isAtOnce(calls[until - 1], calls[until])) until++;
    const group = calls.slice(index, until);
    lines.push('', ...group.map((each) => `  // ${wordsOf(each)}`));
    if (call.pauseMs > 0) lines.push(`  await pause(${Math.ceil(call.pauseMs)});`);
    for (let at = index; at < until; at++)
      lines.push(...(written[at]?.before ?? []).map((line) => `  ${line}`));
    const isHeld = group.some((each) => isUnderWay(each, calls[until]));
    const names = group.map((_, at) => `a${index + at + 1}`);
    if (call.request.path.startsWith(NOTE)) lines.push(`  await ${written[index]?.expression};`);
    else if (isHeld) {
      for (let at = index; at < until; at++) {
        lines.push(`  const held${at + 1} = ${written[at]?.expression.replace(/^step\(/, 'ask(')};`);
        held.add(at);
      }
      lines.push(`  await pause(${HELD_MS});`);
    } else if (group.length === 1) lines.push(`  const ${names[0]} = await ${written[index]?.expression};`);
    else
      lines.push(
        `  const [${names.join(', ')}] = await Promise.all([`,
        ...group.map((_, at) => `    ${written[index + at]?.expression},`),
        '  ]);',
      );
    if (!isHeld) for (let at = index; at < until; at++) lines.push(...endOf(at));
    index = until;
  }
  awaited(calls.length);
  return lines;
}

/** How long (ms) the script gives the server until its own call waits for an answer. */
const HELD_MS = 100;

/** Whether the EHR server or the SMS gateway keeps the call waiting. */
const isKept = ({ inner, gateway }: TracedCall) =>
  gateway === 'silence' || inner.some(({ fault }) => fault === 'late' || fault === 'hang');

/** Whether two calls are sent at once. One that is kept waiting is sent before those that it waits beside. */
const isAtOnce = (one: TracedCall | undefined, next: TracedCall | undefined) =>
  one !== undefined && next?.group === one.group && (isKept(next) || !isKept(one));

/** Whether a call is kept waiting, and the next one is sent meanwhile. */
const isUnderWay = (call: TracedCall, next: TracedCall | undefined) =>
  next !== undefined && next.link !== 'helper' && next.began < call.ended && isKept(call);

export function wordsOf({ link, label, user, request }: TracedCall): string {
  if (request.path.startsWith(NOTE)) return label;
  if (link === 'person') return label.replaceAll(SET_UP, '');
  if (link === 'helper')
    return /clock|advance|time/i.test(request.path + request.body) ? 'time passes' : 'the test set-up';
  return user === '' || label.includes(user) ? label : `${user}: ${label}`;
}

function takenLine(source: ValueSource, at: number, flow: Flow): string {
  if (source.from === 'phone' || source.from === 'drawn') return '';
  if (source.from === 'answer')
    return `  const ${flow.nameOf(source)} = taken(a${at + 1}, ${quoted(placeText(source.place))});`;
  if (source.from === 'given') {
    const back = source.back === 0 ? '' : `, ${source.back}`;
    return `  const ${flow.nameOf(source)} = given(${at + 1}, ${quoted(source.member)}${back});`;
  }
  const code = `await codeTo(${flow.textOf(source.phone, at + 1)});`;
  // A code that nobody types is taken, too: the next one of this phone must not be mistaken for it.
  return flow.isUsed(source) ? `  const ${flow.nameOf(source)} = ${code}` : `  ${code}`;
}
