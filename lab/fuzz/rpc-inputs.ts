/** Bodies that are nearly JSON-RPC, alone and in batches, and sequences of calls beside the state model. */
import fc from 'fast-check';
import { drawSteps } from '#conformance/roles/ehr-server/world/model/draw-steps.ts';
import { seededRandom } from '#protocol/time/random.ts';
import { COSTLY_SHAPES, costlyBody } from '../costly-bodies.ts';
import { type CallStep, messageOf } from '../steps.ts';
import { bytesOf, type FuzzedParty, type FuzzStep, type RpcInput, type SequenceInput } from './input.ts';
import { namesWith, SEEDS, type Seed } from './seeds.ts';
import { damaged, strangeName, strangeValue } from './strange.ts';

/** Default body limits of the parties, in bytes. */
const BODY_LIMIT_BYTES = { ehr: 1024 * 1024, auth: 64 * 1024 } as const;

/** A change of one member at any depth: `at` says of which. */
const change = fc.record({
  at: fc.nat(),
  kind: fc.constantFrom('replace', 'replace', 'delete', 'list', 'nest', 'add', 'repeat'),
  value: strangeValue,
  name: strangeName,
});
type MemberChange = typeof change extends fc.Arbitrary<infer T> ? T : never;

/** A call of a real method in which up to six members are changed. */
const call = (party: FuzzedParty): fc.Arbitrary<string> =>
  fc
    .tuple(fc.constantFrom(...SEEDS[party]), fc.array(change, { maxLength: 6, size: 'small' }))
    .map(([seed, changes]) => changedText(seed, changes));

/** Applies the changes. Values need not be JSON: they are put into the text in the end. */
function changedText(seed: Seed, changes: readonly MemberChange[]): string {
  const root = structuredClone(seed);
  const raw: string[] = [];
  const marked = (value: string) => `@raw${raw.push(value) - 1}@`;
  for (const { at, kind, value, name } of changes) {
    const members = membersOf(root);
    const [holder, key] = members[at % members.length] ?? [root, 'a'];
    const put = (to: string, put: unknown) =>
      Object.defineProperty(holder, to, { value: put, enumerable: true, configurable: true, writable: true });
    if (kind === 'delete') delete holder[key];
    else if (kind === 'add') put(name, marked(value));
    else if (kind === 'list') put(key, [holder[key]]);
    else if (kind === 'nest') put(key, { [name]: holder[key] });
    else if (kind === 'repeat')
      put(key, marked(`${JSON.stringify(holder[key] ?? null)},${JSON.stringify(key)}:1`));
    else put(key, marked(value));
  }
  return JSON.stringify(root).replace(/"@raw(\d+)@"/g, (_, index) => raw[Number(index)] as string);
}

type Holder = { [name: string]: unknown };

function membersOf(holder: Holder): [Holder, string][] {
  return Object.entries(holder).flatMap(([name, value]) => [
    [holder, name] as [Holder, string],
    ...(typeof value === 'object' && value !== null ? membersOf(value as Holder) : []),
  ]);
}

/** Bodies as large as the party reads, mostly, and dear to parse. */
const costly = (party: FuzzedParty): fc.Arbitrary<string> =>
  fc
    .tuple(
      fc.constantFrom(...COSTLY_SHAPES),
      fc.constantFrom(...SEEDS[party]),
      fc.oneof(
        fc.constant(BODY_LIMIT_BYTES[party]),
        fc.integer({ min: 1_000, max: BODY_LIMIT_BYTES[party] }),
      ),
    )
    .map(([shape, seed, bytes]) => costlyBody(shape, seed, bytes));

export function rpcInputs(party: FuzzedParty): fc.Arbitrary<RpcInput> {
  const batch = fc
    .tuple(
      fc.array(fc.oneof(call(party), call(party), strangeValue), { maxLength: 8 }),
      fc.constantFrom(1, 1, 1, 1, 13),
    )
    .map(([calls, times]) => `[${Array(times).fill(calls).flat().join()}]`);
  const body = fc.oneof(
    { weight: 50, arbitrary: damaged(call(party).map(bytesOf)) },
    { weight: 10, arbitrary: damaged(batch.map(bytesOf)) },
    { weight: 1, arbitrary: costly(party) },
  );
  return fc.record({ level: fc.constant('rpc' as const), body });
}

/** Turns a call into a body that the server refuses in every state. */
const BREAKS: readonly ((text: string) => string)[] = [
  (text) => `${text.slice(0, -1)},"jsonrpc":"2.0"}`,
  (text) => `${text.slice(0, -1)},"x":{"__proto__":{}}}`,
  (text) => `${text.slice(0, -1)},"x":${'['.repeat(40)}${']'.repeat(40)}}`,
  (text) => `${text.slice(0, -1)},"x":"\\ud800"}`,
  (text) => `${text.slice(0, -1)},"x":1e}`,
  (text) => text.slice(0, -1),
  (text) => `${text}${text}`,
  (text) => text.replace('"2.0"', '2.0'),
  (text) => `[${Array(101).fill(text).join()}]`,
];

const SEQUENCE_STEPS = 33;
/** The fate of a step: 0 leaves it out, to which a failing sequence shrinks; the highest ones break it. */
const fate = fc.oneof(
  { weight: 1, arbitrary: fc.constant(0) },
  { weight: 10, arbitrary: fc.constant(1) },
  { weight: 1, arbitrary: fc.integer({ min: 2, max: BREAKS.length + 1 }) },
);

/** Sequences of calls and clock jumps, drawn for the state model. */
export const sequenceInputs: fc.Arbitrary<SequenceInput> = fc
  .tuple(fc.noShrink(fc.nat()), fc.array(fate, { minLength: SEQUENCE_STEPS, maxLength: SEQUENCE_STEPS }))
  .map(([seed, fates]) => {
    const drawn = drawSteps(seededRandom(seed), { length: SEQUENCE_STEPS, canAdvance: true });
    const steps = drawn.flatMap((step, index): FuzzStep[] => {
      const kept = fates[index] ?? 0;
      if (kept === 0) return [];
      return kept === 1 || step.kind === 'advance' ? [step] : [brokenStep(step, kept - 2)];
    });
    return { level: 'sequence', steps };
  });

function brokenStep(step: CallStep, kind: number): FuzzStep {
  const text = JSON.stringify({ jsonrpc: '2.0', id: 1, ...messageOf(step, namesWith(new Map())) });
  return { kind: 'broken', body: bytesOf((BREAKS[kind] as (text: string) => string)(text)) };
}
