/** Finds the facts of a trace: outcomes, calls of the party, and what stands in their messages. */
import { isObject } from '#protocol/wire/envelope.ts';
import { tryJson } from '#protocol/wire/json.ts';
import type { Fact, Writer } from '../fact.ts';
import type { Trace, TracedCall } from '../trace.ts';
import { byMethod, factsOfAnswer, factsOfSent } from './messages.ts';
import { factsOfGroups, factsOfPairs } from './pairs.ts';
import { RANK } from './rank.ts';

/** All facts of a trace. */
export function factsOf(trace: Trace): Fact[] {
  const calls = trace.calls.filter(({ link }) => link !== 'helper');
  return [
    ...calls.flatMap((call) => [
      ...factsOfOutcome(call),
      ...(call.response ? factsOfAnswer(call.key, call.response, trace, call.link) : []),
      ...factsOfInner(call, trace),
      ...factsOfCodes(call),
    ]),
    ...factsOfGroups(trace),
    ...factsOfPairs(trace),
    ...(trace.sides.acts?.facts(trace) ?? []),
  ];
}

/** Whether the call succeeded, and whether it was answered at all. */
function factsOfOutcome({ key, result, response }: TracedCall): Fact[] {
  const facts: Fact[] = [];
  const add = (id: string, rank: number, text: string, test: (a: string) => string) =>
    facts.push({
      ...{ id: `${key} ${id}`, key, rank, isPortable: true, text },
      write(writer) {
        const a = writer.answer(key);
        return a === undefined ? undefined : { test: test(a), seen: a };
      },
    });
  if (result?.kind === 'done') add('done', RANK.outcome, `"${key}" succeeds`, (a) => `done(${a})`);
  else if (result) add('not done', RANK.outcome, `"${key}" is refused`, (a) => `!done(${a})`);
  if (response && isTold(response))
    add('told', RANK.told, `"${key}" is answered, and not by an internal error`, (a) => `told(${a})`);
  return facts;
}

function isTold({ status, body }: NonNullable<TracedCall['response']>): boolean {
  const json = tryJson(body)?.value;
  return status < 500 && !(isObject(json) && isObject(json.error) && json.error.code === -32603);
}

/** What the party called meanwhile, how often, and with what. */
function factsOfInner({ key, inner }: TracedCall, trace: Trace): Fact[] {
  const sent = byMethod(inner);
  const methods = new Set([...(trace.sides.acts?.methods ?? METHODS), ...sent.keys()]);
  return [...methods].flatMap((method) => {
    const all = sent.get(method) ?? [];
    const times = ['not sent', 'sent once', 'sent twice'][all.length] ?? `sent ${all.length} times`;
    const count: Fact = {
      ...{ id: `${key} ${method} ${all.length}`, key, rank: RANK.count, isPortable: true },
      text: `${method} is ${times} during "${key}"`,
      write(writer: Writer) {
        const list = writer.sent(key, method);
        if (list === undefined) return undefined;
        return { test: `${list}.length === ${all.length}`, seen: `${list}.length + ' calls'` };
      },
    };
    const each = all.flatMap(({ request }, index) => factsOfSent({ key, method, index }, request, trace));
    return [count, ...each];
  });
}

/** The methods that a party calls at the servers of the script. */
const METHODS = ['embedded_storage.save_exchange_token', 'embedded_storage.save_auth_info'];

/** The form of the codes that came. */
function factsOfCodes({ key, codes }: TracedCall): Fact[] {
  return codes.flatMap(({ code }, index) => {
    const length = code.length;
    const fact = (id: string, text: string, test: (name: string) => string): Fact => ({
      ...{ id: `${key} code ${index} ${id}`, key, rank: RANK.code, isPortable: false },
      text: `the code of "${key}" has ${text}`,
      write(writer) {
        const name = writer.code(key, index);
        return name === undefined ? undefined : { test: test(name), seen: `${name}.length + ' characters'` };
      },
    });
    const isDigits = /^\d+$/.test(code);
    return [
      fact(`length ${length}`, `${length} characters`, (name) => `${name}.length === ${length}`),
      ...(isDigits ? [fact('digits', 'digits alone', (name) => `/^\\d+$/.test(${name})`)] : []),
    ];
  });
}
