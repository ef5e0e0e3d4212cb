/** Facts about one-time codes: the form of each, and what several of them have in common. */
import { followsFrom, LINEAR } from '../../journal/secrets/codes/generators.ts';
import type { Fact } from '../fact.ts';
import type { Trace, TracedCall } from '../trace/traced-call.ts';
import { RANK } from './rank.ts';

/** The form of the codes that came of a call. */
export function factsOfCode({ key, codes }: TracedCall): Fact[] {
  return codes.flatMap(({ code }, index) => {
    const length = code.length;
    const fact = (id: string, text: string, test: (name: string) => string | undefined): Fact => ({
      ...{ id: `${key} code ${index} ${id}`, key, rank: RANK.code, isPortable: false },
      text: `the code of "${key}" ${text}`,
      write(writer) {
        const name = writer.code(key, index);
        const written = name && test(name);
        return written ? { test: written, seen: name } : undefined;
      },
    });
    return [
      fact(`length ${length}`, `has ${length} characters`, (name) => `${name}.length === ${length}`),
      ...(/^\d+$/.test(code) ? [fact('digits', 'has digits alone', (name) => `/^\\d+$/.test(${name})`)] : []),
    ];
  });
}

/** The phones to which a request for a code sends none. */
export function factsOfMessages({ calls, names }: Trace): Fact[] {
  const phones = [...names.values()].filter((name) => name.startsWith('phone of '));
  return calls
    .filter(({ step, phone }) => step === 'requestOtp' && phone !== undefined)
    .flatMap(({ key, codes }) => {
      const reached = new Set(codes.map(({ phone }) => names.get(phone)));
      return phones.filter((name) => !reached.has(name)).map((name) => sendsNone(key, name));
    });
}

const sendsNone = (key: string, name: string): Fact => ({
  ...{ id: `${key} sends nothing to ${name}`, key, rank: RANK.count, isPortable: true },
  text: `"${key}" sends no message to the ${name}`,
  write(writer) {
    const messages = writer.messages(name, key);
    return (
      messages && { test: `${messages.all} === ${messages.others}`, seen: `${messages.all} + ' messages'` }
    );
  },
});

/** A code with its place. */
type PlacedCode = { key: string; index: number; code: string; phone: string };

/** Facts about the first codes of a trace: that they differ, and that none can be foretold. */
export function factsOfCodes({ calls, names }: Trace): Fact[] {
  const all = calls.flatMap(({ key, codes }) => codes.map((each, index) => ({ key, index, ...each })));
  const alike = all.filter(({ code }) => /^\d+$/.test(code) && code.length === all[0]?.code.length);
  const counts = COUNTS.filter((count) => count < alike.length);
  return [
    ...alike.flatMap((each) => ofPhone(each, names)),
    ...(alike.length > 1 ? [...counts, alike.length] : []).flatMap((count) =>
      together(alike.slice(0, count)),
    ),
  ];
}

/** With so few codes it is tried what they have in common: a script of many codes is long. */
const COUNTS = [2, 4, 8];

/** A code that is a part of the phone to which it goes is none. */
function ofPhone({ key, index, code, phone }: PlacedCode, names: Trace['names']): Fact[] {
  const name = names.get(phone);
  if (name === undefined || phone.endsWith(code)) return [];
  return [
    {
      ...{ id: `${key} code ${index} of phone`, key, rank: RANK.code, isPortable: false },
      text: `the code of "${key}" is not the end of the phone`,
      write(writer) {
        const [js, to] = [writer.code(key, index), writer.value(name)];
        return js && to ? { test: `!${to}.endsWith(${js})`, seen: js } : undefined;
      },
    },
  ];
}

/** Steps between codes that are smaller look like counting, or like the seconds of a clock. */
const MAX_SMALL_STEP = 60;

function together(placed: readonly PlacedCode[]): Fact[] {
  const codes = placed.map(({ code }) => code);
  const { key = '' } = placed.at(-1) ?? {};
  const fact = (says: string, holds: boolean, test: (list: string) => string): Fact[] =>
    holds
      ? [
          {
            ...{ id: `${codes.length} codes ${says}`, key, rank: RANK.code, isPortable: false },
            text: `${codes.length} codes ${says}`,
            write(writer) {
              const list = placed.map((each) => writer.code(each.key, each.index));
              if (list.includes(undefined)) return undefined;
              return { test: test(`[${list.join(', ')}]`), seen: `String([${list.join(', ')}])` };
            },
          },
        ]
      : [];
  const apart = stepsOf(codes);
  return [
    ...fact(
      'differ',
      new Set(codes).size === codes.length,
      (list) => `new Set(${list}).size === ${codes.length}`,
    ),
    ...(codes.length < MIN_FORETOLD
      ? []
      : [
          ...fact(
            'do not lie equally far apart',
            new Set(apart).size > 1,
            (list) => `new Set(stepsOf(${list})).size > 1`,
          ),
          ...fact(
            'do not count up, and are no seconds of a clock',
            apart.some((step) => step > MAX_SMALL_STEP),
            (list) => `stepsOf(${list}).some((step) => step > ${MAX_SMALL_STEP})`,
          ),
          ...fact('do not follow from each other', !isForetold(codes), (list) => `!isForetold(${list})`),
        ]),
  ];
}

/** Fewer codes lie equally far apart, or follow from each other, by chance. */
const MIN_FORETOLD = 4;

/** How far each code lies from the one before, either way around. `stepsOf` of the script says the same. */
function stepsOf(codes: readonly string[]): number[] {
  return codes.slice(1).map((code, index) => {
    const all = 10 ** code.length;
    const step = (Number(code) - Number(codes[index]) + all) % all;
    return Math.min(step, all - step);
  });
}

/** Whether all codes follow from those before in one way. `isForetold` of the script says the same. */
function isForetold(codes: readonly string[]): boolean {
  const ways = codes.slice(1).map((code, index) => followsFrom(code, codes.slice(index, index + 1)));
  const linear = codes
    .slice(3)
    .map((code, index) => followsFrom(code, codes.slice(index, index + 3).reverse()));
  const isCommon = (lists: readonly string[][], way: string) => lists.every((each) => each.includes(way));
  return (
    (ways[0] ?? []).some((way) => isCommon(ways, way)) || (linear.length > 0 && isCommon(linear, LINEAR))
  );
}
