/** Facts about what a client shows, and about what its log and its storage then have. */
import { isObject } from '#protocol/wire/envelope.ts';
import { tryJson } from '#protocol/wire/json.ts';
import type { Fact } from '../../../engine/case/fact.ts';
import { answerFact } from '../../../engine/case/facts/answer-fact.ts';
import { leavesOf } from '../../../engine/case/facts/leaves.ts';
import { formsOf } from '../../../engine/case/facts/messages.ts';
import { RANK } from '../../../engine/case/facts/rank.ts';
import { quoted } from '../../../engine/case/js-text.ts';
import type { TracedCall } from '../../../engine/case/trace/traced-call.ts';
import { isSentence, OF_A_PROGRAM, WORDS } from '../check.ts';
import { RAW } from '../people/values-of-seen.ts';
import { CLIENT_RANK, type SoughtTexts } from './sought.ts';

/** What the person sees after a step, and what stands in log and storage then. */
export function factsOfScreen(call: TracedCall, said: SoughtTexts): Fact[] {
  const { key, response } = call;
  const seen = tryJson(response?.body ?? '')?.value;
  if (!response || !isObject(seen) || typeof seen.text !== 'string') return [];
  const headers = new Map(response.headers);
  const facts = [
    ...factsOfWay(key, String(seen.sees), headers.get('all')),
    ...factsOfWords(key, seen.text),
    factOfBeside(key, seen.beside),
    ...factsOfRecord(key, seen.patient),
    ...factsOfRest(key, { ...SCREEN, whole: response.body }, said),
    ...factsOfRest(key, { ...HIDDEN, whole: [...headers.values()].join('\n') }, said),
  ];
  return facts.map((fact) => ({ ...fact, isShown: true }));
}

/** The screens to which a step leads. `all`: those after several actions at the same moment. */
function factsOfWay(key: string, sees: string, all: string | undefined): Fact[] {
  const fact = answerFact(key);
  const rank = CLIENT_RANK.screen;
  const way = fact(
    { id: `sees ${sees}`, rank, text: `"${key}" leads to the screen ${sees}` },
    (a) => `${a}.json?.sees === ${quoted(sees)}`,
  );
  if (all === undefined) return [way];
  const text = `"${key}" leads to the screens ${all}`;
  return [way, fact({ id: `all ${all}`, rank, text }, (a) => `${a}.all === ${quoted(all)}`)];
}

function factsOfWords(key: string, text: string): Fact[] {
  const fact = answerFact(key);
  const told = fact(
    { id: 'sentence', rank: CLIENT_RANK.words, text: `after "${key}" the person is told in words` },
    (a) => `${tested(WORDS, a)} && !${tested(OF_A_PROGRAM, a)}`,
  );
  const raw = RAW.filter(([, pattern]) => !pattern.test(text)).map(([what, pattern]) =>
    fact(
      { id: `no ${what}`, rank: CLIENT_RANK.words, text: `the words after "${key}" do not have ${what}` },
      (a) => `!${tested(pattern, a)}`,
    ),
  );
  const whole = fact(
    { id: `text ${text}`, rank: CLIENT_RANK.text, isPortable: false, text: `"${key}" says: ${text}` },
    (a) => `${a}.json?.text === ${quoted(text)}`,
  );
  return [...(isSentence(text) ? [told] : []), ...raw, whole];
}

/** What stands beside the words: the title, and the values of fields. */
function factOfBeside(key: string, beside: unknown): Fact {
  const js = beside === undefined ? 'undefined' : quoted(String(beside));
  const text = `beside the words after "${key}" stands ${beside === undefined ? 'nothing' : beside}`;
  const about = { id: `beside ${beside}`, rank: CLIENT_RANK.text, isPortable: false, text };
  return answerFact(key)(about, (a) => `${a}.json?.beside === ${js}`);
}

/** Whether words match. As no literal, the pattern has no brackets that would be taken for those of code. */
const tested = ({ source, flags }: RegExp, a: string) =>
  `new RegExp(${quoted(source)}, ${quoted(flags)}).test(${a}.json?.text)`;

/** The record that is shown, value by value. */
function factsOfRecord(key: string, patient: unknown): Fact[] {
  const fact = answerFact(key);
  if (patient === undefined)
    return [
      fact(
        { id: 'no record', rank: CLIENT_RANK.screen, text: `after "${key}" no record is shown` },
        (a) => `${a}.json?.patient === undefined`,
      ),
    ];
  return leavesOf(patient).map(({ pointer, value, members }) => {
    if (members) return factOfMembers(key, pointer, members);
    const js = (a: string) => `at(${a}.json?.patient, ${quoted(pointer)})`;
    return fact(
      {
        ...{ id: `record ${pointer} ${value}`, rank: RANK.literal },
        text: `the record that is shown after "${key}" has in ${pointer} ${value}`,
      },
      (a) => `${js(a)} === ${JSON.stringify(value)}`,
      (a) => `JSON.stringify(${js(a)})`,
    );
  });
}

/** Which members a part of the record that is shown has. */
function factOfMembers(key: string, pointer: string, members: readonly string[]): Fact {
  const js = (a: string) => `Object.keys(at(${a}.json?.patient, ${quoted(pointer)}) ?? {}).sort().join()`;
  const names = [...members].sort();
  return answerFact(key)(
    {
      ...{ id: `record ${pointer} members ${names}`, rank: RANK.members },
      text: `the record that is shown after "${key}" has${pointer && ` in ${pointer}`} the members ${names.join(', ')}`,
    },
    (a) => `${js(a)} === ${quoted(names.join())}`,
    js,
  );
}

/** Where something may stand: its name, its expression, and all that stands there. */
type Looked = { what: string; of: (a: string) => string; whole: string };

const SCREEN = { what: 'screen', of: (a: string) => `{ headers: [], body: ${a}.body }` };
const HIDDEN = { what: 'log and storage', of: (a: string) => `{ headers: ${a}.headers, body: '' }` };

/** What does not stand there. */
function factsOfRest(key: string, { what, of, whole }: Looked, { constants, names }: SoughtTexts): Fact[] {
  const lacks = (value: string) => !formsOf(value).some((form) => whole.includes(form));
  const say = (name: string) => `${what} after "${key}" without the ${name}`;
  const test = (a: string, js: string) => `!contains(${of(a)}, ${js})`;
  return [
    ...[...constants]
      .filter(([value]) => lacks(value))
      .map(([value, name]) =>
        answerFact(key)({ id: `${what} lacks ${value}`, rank: RANK.leak, text: say(name) }, (a) =>
          test(a, quoted(value)),
        ),
      ),
    ...[...names]
      .filter(([, value]) => lacks(value))
      .map(
        ([name]): Fact => ({
          ...{
            id: `${key} ${what} lacks the ${name}`,
            key,
            rank: RANK.leak,
            isPortable: true,
            text: say(name),
          },
          write(writer) {
            const [a, js] = [writer.answer(key), writer.value(name)];
            return a && js ? { test: test(a, js), seen: a } : undefined;
          },
        }),
      ),
  ];
}
