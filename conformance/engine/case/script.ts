/** Writes a case as one file that needs nothing but Node. */
import { tryJson } from '#protocol/wire/json.ts';
import type { Fact, Tested } from './fact.ts';
import { Flow } from './flow.ts';
import { folded, memberName, quoted } from './js-text.ts';
import { RESTART } from './tap.ts';
import { linesOf, type Written } from './text/lines.ts';
import { functionsFor, runText } from './text/runtime.ts';
import type { Trace, TracedCall } from './trace/traced-call.ts';
import { writerOf } from './writer.ts';

/** What the script of a role has beside the calls. */
export type ScriptParts = {
  /** The comment at the head of the file, without its marks. */
  head: readonly string[];
  /** Lines with the constants of the party: addresses, ports, phones. */
  constants: string;
  /** The pattern by which the script draws a phone; undefined: the phone is written as it is. */
  drawnBy: (phone: string) => string | undefined;
  /** Whether the script draws the values that the kit invented for its calls. */
  drawsInvented?: boolean;
  /** Functions of the role, by name. */
  functions: Readonly<Record<string, string>>;
  /** Whether a person acts, so that the script does not know what they see. */
  isBlind?: boolean;
  /** Starts what the script plays; the function `open`. */
  open: string;
  /** The expression of a call, without `await`, for calls that are no HTTP request of the script. */
  callOf?: (call: TracedCall, flow: Flow, index: number) => string | undefined;
  /** Lines before a call: how the servers of the script behave during it. */
  before?: (call: TracedCall, flow: Flow, index: number) => readonly string[];
  /** The expression of a call that is not judged, and has to succeed; that of `step` unless given. */
  controlled?: (expression: string, call: TracedCall) => string;
  /** Lines after the answer to a call that has such lines before it. */
  after?: (call: TracedCall) => readonly string[];
  /**
   * The call, as JSON, that ends what a call with this JSON made; for a script by curl, which is only written
   * where this is given.
   */
  curlEnd?: (json: unknown) => object | undefined;
  /** The address of a call as an expression. */
  urlOf: (call: TracedCall, flow: Flow, index: number) => string;
};

/** Writes the script. Undefined: it cannot say the fact. */
export function scriptOf(trace: Trace, fact: Fact, parts: ScriptParts, sentence: string): string | undefined {
  const flow = flowOf(trace, parts);
  const written = trace.calls.map((call, index) => callText(call, index, flow, parts));
  const asked = new Set<number>();
  const tested = fact.write(writerOf(trace, flow, (index) => asked.add(index)));
  if (!tested) return undefined;
  const control = controlled(trace, { written, asked, parts });
  const lines = linesOf(trace.calls, control, flow, parts.after);
  const phones = flow.phones.map(
    (phone, index) =>
      `  const phone${index === 0 ? '' : index + 1} = drawn(${quoted(parts.drawnBy(phone) ?? '')});`,
  );
  const invented = flow.drawn.map(({ name, js }) => `  const ${name} = ${js};`);
  const played = [...phones, ...invented, ...lines].map(foldedLine);
  const body = [...played, ...assertion(tested, sentence)].join('\n');
  const play = `async function play() {\n${body}\n}`;
  const functions = functionsFor(`${play}\n${parts.open}`, parts.functions);
  const imports = importsFor(`${functions}\n${parts.open}`);
  const head = parts.head.map((line) => (line === '' ? '//' : `// ${line}`)).join('\n');
  const rest = [play, functions.trim(), parts.open.trim(), runText.trim()];
  const constants = usedConstants(parts.constants, rest.join('\n'));
  return `${[head, imports, constants, ...rest].filter(Boolean).join('\n\n')}\n`;
}

/** Breaks a long line of the case. Comments stay. */
function foldedLine(line: string): string {
  const [indent = ''] = /^ */.exec(line) ?? [];
  return /^ *\/\//.test(line) ? line : folded(line.trim(), line.trim() === '' ? '' : indent);
}

/** The constants that the script uses. */
function usedConstants(lines: string, text: string): string {
  const isUsed = (line: string) => new RegExp(`\\b${/^const (\w+)/.exec(line)?.[1]}\\b`).test(text);
  return lines.split('\n').filter(isUsed).join('\n');
}

export const flowOf = ({ calls, internal }: Trace, { drawnBy, drawsInvented }: ScriptParts) =>
  new Flow(calls, { ...{ isDrawn: (phone) => drawnBy(phone) !== undefined, drawsInvented }, internal });

/** What a fact needs, by the numbers of the calls. */
export type Needs = {
  /** The calls that the fact looks at. */
  asked: ReadonlySet<number>;
  /** These, and all calls that give a value to one of them, or that have sent a value of it before. */
  calls: ReadonlySet<number>;
  /** The calls whose answers each call sends something of. */
  ofCall: ReadonlyMap<number, readonly number[]>;
};

/** Finds out what a fact needs. Undefined: the script cannot say it. */
export function needsOf(trace: Trace, fact: Fact, parts: ScriptParts): Needs | undefined {
  const flow = flowOf(trace, parts);
  for (const [index, call] of trace.calls.entries()) callText(call, index, flow, parts);
  const asked = new Set<number>();
  if (!fact.write(writerOf(trace, flow, (index) => asked.add(index)))) return undefined;
  const givers = (index: number) =>
    flow
      .usedBy(index)
      .flatMap((source) => (source.from === 'phone' || source.from === 'drawn' ? [] : [source.call]));
  const ofCall = new Map(trace.calls.map((_, index) => [index, givers(index)]));
  const senders = (index: number) =>
    flow.usedBy(index).flatMap((source) => (source.from === 'drawn' ? [source.call] : []));
  const calls = new Set<number>();
  const need = (index: number) => {
    if (calls.has(index)) return;
    calls.add(index);
    for (const each of [...givers(index), ...senders(index)]) need(each);
  };
  for (const index of [...asked, ...givers(trace.calls.length)]) need(index);
  for (const index of givers(trace.calls.length)) asked.add(index);
  return { asked, calls, ofCall };
}

function assertion({ test, seen }: Tested, sentence: string): string[] {
  return [
    '  await settled();',
    '  must(',
    ...[test, quoted(sentence), seen].map((each) => `    ${each},`),
    '  );',
  ];
}

/** The modules of Node that a script may use, with what it takes of them. */
const MODULES: Readonly<Record<string, readonly string[]>> = {
  'node:crypto': ['createHash', 'createHmac', 'randomBytes', 'randomInt'],
  'node:child_process': ['execSync', 'spawn'],
  'node:fs': ['existsSync', 'mkdtempSync', 'readdirSync', 'readFileSync', 'rmSync', 'statSync'],
  'node:http': ['createServer'],
  'node:os': ['tmpdir'],
  'node:path': ['join'],
  'node:readline/promises': ['createInterface'],
  'node:zlib': ['gzipSync'],
};

/** The imports of what this text uses. */
function importsFor(text: string): string {
  return Object.entries(MODULES)
    .flatMap(([module, all]) => {
      const names = all.filter((name) => new RegExp(`(?<![.\\w])${name}\\(`).test(text));
      return names.length > 0 ? [`import { ${names.join(', ')} } from '${module}';`] : [];
    })
    .join('\n');
}

/**
 * Whether a call has to succeed: it did, the fact does not judge it, and a right party does not refuse it.
 * Without such a call a script would show nothing.
 */
export function isControl({ calls, refused }: Trace, index: number, asked: ReadonlySet<number>): boolean {
  const { key = '', result } = calls[index] ?? {};
  return result?.kind === 'done' && !refused?.has(key) && !asked.has(index);
}

/** Has the calls succeed that have to. */
function controlled(
  trace: Trace,
  { written, asked, parts }: { written: readonly Written[]; asked: ReadonlySet<number>; parts: ScriptParts },
): Written[] {
  const asStep = (expression: string) =>
    expression.startsWith('ask(') ? `step${expression.slice('ask'.length)}` : expression;
  const { controlled: asControl = asStep } = parts;
  return written.map(({ expression, before }, index) => {
    const call = trace.calls[index];
    const isDone = call && isControl(trace, index, asked);
    return { before, expression: isDone ? asControl(expression, call) : expression };
  });
}

function callText(call: TracedCall, index: number, flow: Flow, parts: ScriptParts): Written {
  const before = parts.before?.(call, flow, index) ?? [];
  const own = parts.callOf?.(call, flow, index);
  if (own !== undefined) return { before, expression: own };
  const { method, body, path } = call.request;
  if (path === RESTART) return { before, expression: 'restart()' };
  const url = parts.urlOf(call, flow, index);
  const options = [headersText(call, flow, index), bodyText(body, call, flow, index)]
    .filter(Boolean)
    .join(', ');
  const args = [
    ...(call.link === 'helper' ? [] : [quoted(call.label)]),
    `'${method}'`,
    url,
    ...(options ? [`{ ${options} }`] : []),
  ];
  return { before, expression: `${call.link === 'helper' ? 'help' : 'ask'}(${args.join(', ')})` };
}

/** The JSON that a call sends, written without blanks; undefined where it sends anything else. */
export function plainJsonOf(call: TracedCall): object | undefined {
  const json = tryJson(call.request.body)?.value;
  const isSame = json !== undefined && JSON.stringify(json) === call.request.body;
  return isSame && typeof json === 'object' && json !== null ? json : undefined;
}

function headersText(call: TracedCall, flow: Flow, index: number): string {
  const shown = call.request.headers.filter(
    ([name, value]) =>
      !(name.toLowerCase() === 'content-type' && plainJsonOf(call) && value === 'application/json'),
  );
  if (shown.length === 0) return '';
  const members = shown.map(([name, value]) => `${memberName(name)}: ${flow.textOf(value, index)}`);
  return `headers: { ${members.join(', ')} }`;
}

function bodyText(body: string, call: TracedCall, flow: Flow, index: number): string {
  const json = plainJsonOf(call);
  if (json !== undefined) {
    const js = flow.jsonOf(json, index);
    return js === 'json' ? 'json' : `json: ${js}`;
  }
  return body === '' ? '' : `body: ${flow.textOf(body, index)}`;
}
