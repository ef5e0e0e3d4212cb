/** Facts about several calls: those that were sent at once, and those of one kind one after another. */
import { tryJson } from '#protocol/wire/json.ts';
import type { Fact, Tested, Writer } from '../fact.ts';
import { quoted } from '../js-text.ts';
import type { Trace, TracedCall } from '../trace/traced-call.ts';
import { leavesOf } from './leaves.ts';
import { byMethod, isUnderstood, METHODS } from './messages.ts';
import { on, RANK } from './rank.ts';

/** Facts of calls that were sent at once: how many succeeded, and what the party sent in all. */
export function factsOfGroups({ calls }: Trace): Fact[] {
  const groups = new Map<number, TracedCall[]>();
  for (const call of calls) groups.set(call.group, [...(groups.get(call.group) ?? []), call]);
  return [...groups.values()].flatMap((group): Fact[] => {
    const last = group.at(-1);
    if (group.length < 2 || !last || last.link === 'helper') return [];
    const fact = (id: string, text: string, written: (list: string, writer: Writer) => Tested): Fact => ({
      ...{ id: `${last.key} group ${id}`, key: last.key, rank: RANK.group, isPortable: true },
      text: `of ${group.length} calls at once, ${text}`,
      write: (writer) => {
        const answers = group.map(({ key }) => writer.answer(key));
        return answers.includes(undefined) ? undefined : written(`[${answers.join(', ')}]`, writer);
      },
    });
    const count = group.filter(({ result }) => result?.kind === 'done').length;
    const isTold = group.every(({ response }) => response !== undefined && isUnderstood(response));
    const told = fact('told', 'each is answered, and not by an internal error', (list) => ({
      test: `${list}.every((each) => told(each))`,
      seen: `${list}.find((each) => !told(each))`,
    }));
    const sent = METHODS.map((method) => {
      const times = group.flatMap(({ inner }) => byMethod(inner).get(method) ?? []).length;
      return fact(`${method} ${times}`, `${method} is sent ${timesIn(times)}`, (_list, writer) => {
        // The script counts all that comes meanwhile with the last of the calls.
        const js = `${writer.sent(last.key, method)}.length`;
        return { test: `${js} === ${times}`, seen: `${js} + ' calls'` };
      });
    });
    return [
      fact(`${count} done`, `${count} succeed`, (list) => {
        const js = `${list}.filter((each) => done(each)).length`;
        return { test: `${js} === ${count}`, seen: `${js} + ' succeeded'` };
      }),
      ...(isTold ? [told] : []),
      ...sent,
    ];
  });
}

const timesIn = (count: number) => (count === 1 ? 'once' : `${count} times`);

/** Facts about two calls of one step: which of their values are equal. */
export function factsOfPairs({ calls }: Trace): Fact[] {
  const facts: Fact[] = [];
  const documents = calls.flatMap((call) => documentsOf(call));
  for (const [index, later] of documents.entries())
    for (const earlier of documents
      .slice(Math.max(0, index - 40), index)
      .filter(({ kind }) => kind === later.kind))
      facts.push(...factsOfPair(earlier, later));
  return facts;
}

type Compared = {
  kind: string;
  key: string;
  json: unknown;
  isPortable: boolean;
  js: (writer: Writer) => string | undefined;
};

function documentsOf({ key, step, response, inner, link }: TracedCall): Compared[] {
  const sent = [...byMethod(inner)].flatMap(([method, all]) =>
    all.map(({ request }, index) => ({
      ...{ kind: method, key, json: tryJson(request.body)?.value, isPortable: true },
      js: (writer: Writer) => on(writer.sent(key, method), `[${index}]?.json`),
    })),
  );
  if (!response || link === 'helper') return sent;
  const json = { status: response.status, json: tryJson(response.body)?.value };
  return [...sent, { kind: step, key, json, isPortable: false, js: (writer) => writer.answer(key) }];
}

function factsOfPair(earlier: Compared, later: Compared): Fact[] {
  const before = new Map(leavesOf(earlier.json).map(({ pointer, value }) => [pointer, value]));
  return leavesOf(later.json).flatMap(({ pointer, value, members }): Fact[] => {
    if (members || !before.has(pointer) || /\/(id|jsonrpc)$/.test(pointer)) return [];
    const isEqual = before.get(pointer) === value;
    const words = isEqual ? 'the same' : 'another';
    return [
      {
        ...{
          id: `${later.key} ${later.kind} ${pointer} ${words} as ${earlier.key}`,
          key: later.key,
          rank: RANK.pair,
        },
        ...{
          isPortable: earlier.isPortable,
          text: `${later.kind} has in ${pointer} ${words} value in "${later.key}" as in "${earlier.key}"`,
        },
        write: (writer) => {
          const [a, b] = [earlier.js(writer), later.js(writer)];
          if (!a || !b) return undefined;
          const [x, y] = [a, b].map((js) => `at(${js}, ${quoted(pointer)})`);
          return { test: `${x} ${isEqual ? '===' : '!=='} ${y}`, seen: `JSON.stringify([${x}, ${y}])` };
        },
      },
    ];
  });
}
