/** Facts about what a client shows, and about what its log and its storage then have. */
import { isObject } from '#protocol/wire/envelope.ts';
import { tryJson } from '#protocol/wire/json.ts';
import type { Fact } from '../../../engine/case/fact.ts';
import { leavesOf } from '../../../engine/case/facts/leaves.ts';
import { formsOf } from '../../../engine/case/facts/messages.ts';
import { RANK } from '../../../engine/case/facts/rank.ts';
import { quoted } from '../../../engine/case/js-text.ts';
import type { TracedCall } from '../../../engine/case/trace/traced-call.ts';
import { isSentence } from '../check.ts';
import { RAW } from '../people/values-of-seen.ts';
import { CLIENT_RANK, factOf, type SoughtTexts } from './fact-of.ts';

/** What the person sees after a step, and what stands in log and storage then. */
export function factsOfScreen(call: TracedCall, said: SoughtTexts): Fact[] {
  const { key, response } = call;
  const seen = tryJson(response?.body ?? '')?.value;
  if (!response || !isObject(seen) || typeof seen.text !== 'string') return [];
  const headers = new Map(response.headers);
  return [
    ...factsOfWay(key, String(seen.sees), headers.get('all')),
    ...factsOfWords(key, seen.text),
    factOfBeside(key, seen.beside),
    ...factsOfRecord(key, seen.patient),
    ...factsOfRest(key, [...headers.values(), response.body].join('\n'), said),
  ];
}

/** The screens to which a step leads. `all`: those after several actions at the same moment. */
function factsOfWay(key: string, sees: string, all: string | undefined): Fact[] {
  const fact = factOf(key);
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
  const fact = factOf(key);
  const told = fact(
    { id: 'sentence', rank: CLIENT_RANK.words, text: `after "${key}" the person is told in words` },
    (a) => `${patternText(IS_SENTENCE)}.test(${a}.json?.text)`,
  );
  const raw = RAW.filter(([, pattern]) => !pattern.test(text)).map(([what, pattern]) =>
    fact(
      { id: `no ${what}`, rank: CLIENT_RANK.words, text: `the words after "${key}" do not have ${what}` },
      (a) => `!${patternText(pattern)}.test(${a}.json?.text)`,
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
  return factOf(key)(about, (a) => `${a}.json?.beside === ${js}`);
}

/** Two words of a person, or a text of a script without blanks. */
const IS_SENTENCE =
  /\p{L}{2,}\S*\s+\S*\p{L}{2,}|[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]{4,}/u;

/** A pattern as an expression: brackets of a literal would be taken for those of code. */
const patternText = ({ source, flags }: RegExp) => `new RegExp(${quoted(source)}, ${quoted(flags)})`;

/** The record that is shown, value by value. */
function factsOfRecord(key: string, patient: unknown): Fact[] {
  const fact = factOf(key);
  if (patient === undefined)
    return [
      fact(
        { id: 'no record', rank: CLIENT_RANK.screen, text: `after "${key}" no record is shown` },
        (a) => `${a}.json?.patient === undefined`,
      ),
    ];
  const values = leavesOf(patient).filter(({ members }) => !members);
  return values.map(({ pointer, value }) => {
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

/** What stands nowhere: on the screen, in the log, in the storage. */
function factsOfRest(key: string, whole: string, { constants, names }: SoughtTexts): Fact[] {
  const lacks = (value: string) => !formsOf(value).some((form) => whole.includes(form));
  const texts = [...constants].filter(([value]) => lacks(value));
  const values = [...names].filter(([, value]) => lacks(value));
  const say = (what: string) => `screen, log and storage after "${key}" do not have the ${what}`;
  return [
    ...texts.map(([value, what]) =>
      factOf(key)(
        { id: `lacks ${value}`, rank: RANK.leak, text: say(what) },
        (a) => `!contains(${a}, ${quoted(value)})`,
      ),
    ),
    ...values.map(
      ([name]): Fact => ({
        ...{ id: `${key} lacks the ${name}`, key, rank: RANK.leak, isPortable: true, text: say(name) },
        write(writer) {
          const [a, js] = [writer.answer(key), writer.value(name)];
          return a && js ? { test: `!contains(${a}, ${js})`, seen: a } : undefined;
        },
      }),
    ),
  ];
}
