/** What a trace is: the calls of one scenario as the script of a case makes them. */
import type { ExchangeEntry, Link, StepEntry, StepResult } from '../../journal/entry.ts';
import type { Fact } from '../fact.ts';
import type { Tapped } from '../tap.ts';

export type Message = Pick<ExchangeEntry['request'], 'method' | 'path' | 'headers' | 'body'>;

/** A call of the party under test to a server that the script plays. */
export type Inner = {
  /** Where it went; known where the party calls two servers. */
  link?: Link;
  request: Message;
  response: ExchangeEntry['response'];
  /** The fault with which the server answered, and how the connection broke. */
  fault: ExchangeEntry['fault'];
  broke: ExchangeEntry['broke'];
  took: number;
  /** When (ms) the server had answered. */
  ended: number;
};

/** One call that the script makes. */
export type TracedCall = {
  /** Names the call in both traces that are compared: the label of its step, its user, and which of these. */
  key: string;
  label: string;
  user: string;
  step: StepEntry['step'] | 'helper';
  /**
   * The two parties of the call. `helper`: the address of the request is whole. `person`: no call, but what a
   * person does with the party; the body of the request has the actions, and the answer is what they see.
   */
  link: Link | 'helper' | 'person';
  request: Message;
  response: ExchangeEntry['response'];
  broke: ExchangeEntry['broke'];
  result: StepResult | undefined;
  /** Calls of one group are sent at the same moment. */
  group: number;
  /** How long (ms) the kit waited before it, where that counts. */
  pauseMs: number;
  /** When (ms) it was sent, and when it had ended. */
  began: number;
  ended: number;
  inner: Inner[];
  codes: { code: string; phone: string }[];
  /** What the servers of the script gave to the party meanwhile, where the script is not told it. */
  given?: readonly GivenValue[];
  phone: string | undefined;
  /** How the SMS gateway fails during it, where it does. */
  gateway?: string;
  /** `seq` of the step and of the exchange, and of what came of it: calls of the party, and codes. */
  seqs: number[];
};

/** A value of a server of the script: the newest of its member but `back` others in this call. */
export type GivenValue = { member: string; value: string; back: number };

export type Trace = {
  calls: readonly TracedCall[];
  /** Values by names that another party's trace has, too, such as `Mia.token`. */
  names: ReadonlyMap<string, string>;
  /** Those of them that the kit has invented, and a script writes as they are. */
  invented: ReadonlySet<string>;
  internal: Tapped['internal'];
  sides: Sides;
  /** The keys of calls that a right party refuses. */
  refused?: ReadonlySet<string>;
};

/** On which links of the journal the script calls, and which of these lead to the party under test. */
export type Sides = {
  readonly calls: readonly Link[];
  readonly party: readonly TracedCall['link'][];
  /** For a party that makes all calls itself: the script acts as a person, and is both servers. */
  readonly acts?: Acts;
};

/** A party with which the script acts as a person: its methods, and the words for what happens. */
export type Acts = {
  /** The methods that it may call. */
  readonly methods: readonly string[];
  /** Texts that are the same in each run, such as what people type. */
  readonly constants: readonly string[];
  /** What the kit notes between two actions, with the words for it. */
  readonly notes: Readonly<Record<string, string>>;
  /** The label of an observation that the party called an address elsewhere, which is counted as a call. */
  readonly elsewhere: string;
  /** Further facts of a trace. */
  facts(trace: Trace): Fact[];
};
