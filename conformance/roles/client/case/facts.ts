/** Facts that only a client shows: about its screens, and about all calls of one action together. */
import { isObject } from '#protocol/wire/envelope.ts';
import { tryJson } from '#protocol/wire/json.ts';
import type { Fact } from '../../../engine/case/fact.ts';
import { answerFact } from '../../../engine/case/facts/answer-fact.ts';
import { byMethod, formsOf } from '../../../engine/case/facts/messages.ts';
import { on } from '../../../engine/case/facts/rank.ts';
import { quoted } from '../../../engine/case/js-text.ts';
import type { Inner, Trace, TracedCall } from '../../../engine/case/trace/traced-call.ts';
import { canaries } from '../people/people.ts';
import { factsOfScreen } from './screen-facts.ts';
import { CLIENT_RANK, type SoughtTexts } from './sought.ts';

/** The further facts of a trace of a client. */
export function factsOfClient({ calls, names }: Trace): Fact[] {
  const steps = calls.filter(({ link }) => link === 'person');
  // A value may have two spellings of one name: the first is the one that was given.
  const byName = new Map([...names].reverse().map(([value, name]) => [name, value]));
  const said = { constants: constantsIn(steps), names: byName };
  return steps.flatMap((call) => [...factsOfScreen(call, said), ...factsOfCalls(call, said)]);
}

/** Texts of patients that stand anywhere in what is typed or served. */
function constantsIn(steps: readonly TracedCall[]): ReadonlyMap<string, string> {
  const all = steps
    .flatMap(({ request, inner }) => [request.body, ...inner.map(({ response }) => response?.body ?? '')])
    .join('\n');
  return new Map([...canaries()].filter(([value]) => all.includes(value)));
}

/** All calls of one step together. */
function factsOfCalls({ key, inner }: TracedCall, said: SoughtTexts): Fact[] {
  const unsaid = factsOfAuth(key, inner, said);
  if (inner.length === 0) return unsaid;
  const fact = answerFact(key);
  const order = inner.map(methodOf).join();
  const methods = (a: string) => `callsIn(${a}).map((each) => each.method).join()`;
  const ids = inner.map(({ request }) => JSON.stringify(callIn(request.body)?.id));
  const idsOf = (a: string) => `callsIn(${a}).map((each) => each.json?.id)`;
  const differ = fact(
    { id: 'ids', rank: CLIENT_RANK.ids, text: `no two calls of "${key}" have the same id` },
    (a) => `new Set(${idsOf(a)}).size === callsIn(${a}).length`,
    (a) => `JSON.stringify(${idsOf(a)})`,
  );
  return [
    fact(
      {
        ...{ id: `order ${order}`, rank: CLIENT_RANK.order },
        text: `the calls of "${key}" are ${order.replaceAll(',', ', then ')}`,
      },
      (a) => `${methods(a)} === ${quoted(order)}`,
      methods,
    ),
    ...(new Set(ids).size === ids.length && ids.length > 1 ? [differ] : []),
    ...unsaid,
    ...[...byMethod(inner)].flatMap(([method, all]) =>
      all.flatMap(({ request }, index) => factsOfHeaders(key, { method, index }, request.headers)),
    ),
  ];
}

/** What the authorization server is not told. */
function factsOfAuth(key: string, inner: TracedCall['inner'], { constants }: SoughtTexts): Fact[] {
  const toAuth = inner
    .filter(({ link }) => link === 'client->auth')
    .map(({ request: { headers, path, body } }) =>
      [...headers.flat(), decoded(path), body, JSON.stringify(callIn(body))].join('\n'),
    );
  const isSent = (value: string) => formsOf(value).some((form) => toAuth.some((each) => each.includes(form)));
  return [...constants]
    .filter(([value]) => !isSent(value))
    .map(([value, what]) =>
      answerFact(key)(
        {
          ...{ id: `to auth ${value}`, rank: CLIENT_RANK.toAuth },
          text: `no call of "${key}" to the authorization server has the ${what}`,
        },
        (a) => `!callsIn(${a}, 'auth').some((each) => has(each, ${quoted(value)}))`,
        () => `'it is sent'`,
      ),
    );
}

/** Headers that follow from the body or the connection. */
const FOLLOWING = ['content-length', 'connection', 'host', 'transfer-encoding', 'traceparent'];

/** The names of the headers of a call, and their values. */
function factsOfHeaders(
  key: string,
  { method, index }: { method: string; index: number },
  sent: readonly (readonly [string, string])[],
): Fact[] {
  const own = sent
    .map(([name, value]) => [name.toLowerCase(), value] as const)
    .filter(([name]) => !FOLLOWING.includes(name));
  const names = own
    .map(([name]) => name)
    .sort()
    .join();
  const message = `${key} ${method} ${index}`;
  const about = { key, message, rank: CLIENT_RANK.headers, isPortable: false };
  const written =
    (of: (headers: string) => string, value: string): Fact['write'] =>
    (writer) => {
      const headers = on(writer.sent(key, method), `[${index}]?.headers`);
      if (headers === undefined) return undefined;
      return { test: `${of(headers)} === ${quoted(value)}`, seen: of(headers) };
    };
  const listed = (headers: string) =>
    `Object.keys(${headers} ?? {}).filter((name) => !${JSON.stringify(FOLLOWING)}.includes(name)).sort().join()`;
  return [
    {
      ...{ ...about, id: `${message} headers ${names}` },
      text: `${method} of "${key}" has the headers ${names.replaceAll(',', ', ')}`,
      write: written(listed, names),
    },
    ...own.map(
      ([name, value]): Fact => ({
        ...{ ...about, id: `${message} header ${name} ${value}` },
        text: `${method} of "${key}" has the header ${name} ${value}`,
        write: written((headers) => `${headers}?.[${quoted(name)}]`, value),
      }),
    ),
  ];
}

const callIn = (body: string) => {
  const json = tryJson(body)?.value;
  return isObject(json) ? json : undefined;
};

const methodOf = ({ request }: Inner) => {
  const method = callIn(request.body)?.method;
  return typeof method === 'string' ? method : 'no method';
};

function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}
